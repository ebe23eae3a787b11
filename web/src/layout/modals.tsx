import { type ComponentType, lazy, Suspense, useState } from 'react';
import { type ModalName, useModal } from '../lib/address/use-modal.ts';

type ModalComponent = ComponentType<{ isOpen: boolean; onClose: () => void; onExitComplete: () => void }>;

const modals: Record<ModalName, ModalComponent> = {
  'add-device': lazy(() => import('../features/devices/add-device-dialog.tsx')),
  'test-device': lazy(() => import('../features/devices/test-device-dialog.tsx')),
  'edit-profile': lazy(() => import('../features/people/dialogs/edit-profile-dialog.tsx')),
  invite: lazy(() => import('../features/invite/invite-dialog.tsx')),
  logout: lazy(() => import('./logout-dialog.tsx')),
};

/** Draws the dialog that the address asks for above any screen, and keeps it until its exit animation ends. */
export function Modals() {
  const { modal, close } = useModal();
  const [last, setLast] = useState(modal);
  if (modal && modal !== last) setLast(modal);
  if (!last) return null;
  const Modal = modals[last];
  return (
    <Suspense>
      <Modal key={last} isOpen={modal === last} onClose={close} onExitComplete={() => setLast(null)} />
    </Suspense>
  );
}
