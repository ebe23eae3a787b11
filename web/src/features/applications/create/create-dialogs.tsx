import { type ComponentType, lazy, Suspense, useState } from 'react';
import type { CreateDialogProps } from './create-dialog-props.ts';

export const CREATE_DIALOGS = ['create-oidc', 'create-saml'] as const;
export type CreateDialogName = (typeof CREATE_DIALOGS)[number];

const dialogs: Record<CreateDialogName, ComponentType<CreateDialogProps>> = {
  'create-oidc': lazy(() => import('./create-oidc-dialog.tsx')),
  'create-saml': lazy(() => import('./create-saml-dialog.tsx')),
};

/** Draws the dialog that the address asks for, and keeps it until its exit animation ends. */
export function CreateDialogs({ dialog, onClose }: { dialog: CreateDialogName | null; onClose: () => void }) {
  const [last, setLast] = useState(dialog);
  if (dialog && dialog !== last) setLast(dialog);
  if (!last) return null;
  const Dialog = dialogs[last];
  return (
    <Suspense>
      <Dialog key={last} isOpen={dialog === last} onClose={onClose} onExitComplete={() => setLast(null)} />
    </Suspense>
  );
}
