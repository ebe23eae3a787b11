import { type ComponentType, Suspense } from 'react';
import { type ModalName, useModal } from '#lib/address/use-modal.ts';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { withWords } from '#words/with-words.ts';

type ModalComponent = ComponentType<{ isOpen: boolean; onClose: () => void; onExitComplete: () => void }>;

const modals: Record<ModalName, ModalComponent> = {
  'add-device': lazyPart(() => withWords('features/devices', () => import('#features/devices/add-device-dialog.tsx'))),
  'test-device': lazyPart(() =>
    withWords('features/devices', () => import('#features/devices/test-device-dialog.tsx')),
  ),
  'edit-profile': lazyPart(() =>
    withWords('features/members', () => import('#features/members/dialogs/edit-profile-dialog.tsx')),
  ),
  invite: lazyPart(() => withWords('features/invite', () => import('#features/invite/invite-dialog.tsx'))),
  'add-user': lazyPart(() =>
    withWords('features/members', () => import('#features/members/dialogs/add-user-dialog.tsx')),
  ),
  shortcuts: lazyPart(() => import('./shortcuts-dialog.tsx')),
  logout: lazyPart(() => import('./logout-dialog.tsx')),
};

/** Renders the dialog named in the URL above any screen, until its exit animation ends. */
export function Modals() {
  const { modal, close } = useModal();
  const { shown, isOpen, forget } = useValueDuringExit(modal);
  if (!shown) return null;
  const Modal = modals[shown];
  return (
    <Suspense>
      <Modal key={shown} isOpen={isOpen} onClose={close} onExitComplete={forget} />
    </Suspense>
  );
}
