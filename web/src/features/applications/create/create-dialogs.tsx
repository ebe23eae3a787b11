import { type ComponentType, lazy, Suspense } from 'react';
import { useKeptUntilFaded } from '../../../ui/use-kept-until-faded.ts';
import type { CreateDialogProps } from './create-dialog-props.ts';

export const CREATE_DIALOGS = ['create-oidc', 'create-saml', 'create-radius', 'create-ldap'] as const;
export type CreateDialogName = (typeof CREATE_DIALOGS)[number];

const dialogs: Record<CreateDialogName, ComponentType<CreateDialogProps>> = {
  'create-oidc': lazy(() => import('./create-oidc-dialog.tsx')),
  'create-saml': lazy(() => import('./create-saml-dialog.tsx')),
  'create-radius': lazy(() => import('./create-radius-dialog.tsx')),
  'create-ldap': lazy(() => import('./create-ldap-dialog.tsx')),
};

/** Draws the dialog that the address asks for, and keeps it until its exit animation ends. */
export function CreateDialogs({ dialog, onClose }: { dialog: CreateDialogName | null; onClose: () => void }) {
  const { shown, isOpen, forget } = useKeptUntilFaded(dialog);
  if (!shown) return null;
  const Dialog = dialogs[shown];
  return (
    <Suspense>
      <Dialog key={shown} isOpen={isOpen} onClose={onClose} onExitComplete={forget} />
    </Suspense>
  );
}
