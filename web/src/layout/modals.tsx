import { type ComponentType, lazy, Suspense } from 'react';
import { type ModalName, useModal } from '../lib/address/use-modal.ts';
import { useKeptUntilFaded } from '../ui/use-kept-until-faded.ts';

type ModalComponent = ComponentType<{ isOpen: boolean; onClose: () => void; onExitComplete: () => void }>;

const modals: Record<ModalName, ModalComponent> = {
  'add-device': lazy(() => import('../features/devices/add-device-dialog.tsx')),
  'test-device': lazy(() => import('../features/devices/test-device-dialog.tsx')),
  'edit-profile': lazy(() => import('../features/people/dialogs/edit-profile-dialog.tsx')),
  invite: lazy(() => import('../features/invite/invite-dialog.tsx')),
  'add-user': lazy(() => import('../features/people/dialogs/add-user-dialog.tsx')),
  logout: lazy(() => import('./logout-dialog.tsx')),
};

/** Draws the dialog that the address asks for above any screen, and keeps it until its exit animation ends. */
export function Modals() {
  const { modal, close } = useModal();
  const { shown, isOpen, forget } = useKeptUntilFaded(modal);
  if (!shown) return null;
  const Modal = modals[shown];
  return (
    <Suspense>
      <Modal key={shown} isOpen={isOpen} onClose={close} onExitComplete={forget} />
    </Suspense>
  );
}
