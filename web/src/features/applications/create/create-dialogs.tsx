import { type ComponentType, Suspense } from 'react';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import type { CreateDialogProps } from './general-info-dialog.tsx';

export const CREATE_DIALOGS = ['create-oidc', 'create-saml', 'create-radius', 'create-ldap'] as const;
export type CreateDialogName = (typeof CREATE_DIALOGS)[number];

const loadRadiusOrLdap = () => import('./create-radius-or-ldap-dialog.tsx');

const dialogs: Record<CreateDialogName, ComponentType<CreateDialogProps>> = {
  'create-oidc': lazyPart(() => import('./create-oidc-dialog.tsx')),
  'create-saml': lazyPart(() => import('./create-saml-dialog.tsx')),
  'create-radius': lazyPart(async () => ({ default: (await loadRadiusOrLdap()).CreateRadiusDialog })),
  'create-ldap': lazyPart(async () => ({ default: (await loadRadiusOrLdap()).CreateLdapDialog })),
};

/** Displays the dialog named in the URL, and keeps it mounted until its exit animation ends. */
export function CreateDialogs({ dialog, onClose }: { dialog: CreateDialogName | null; onClose: () => void }) {
  const { shown, isOpen, forget } = useValueDuringExit(dialog);
  if (!shown) return null;
  const Dialog = dialogs[shown];
  return (
    <Suspense>
      <Dialog key={shown} isOpen={isOpen} onClose={onClose} onExitComplete={forget} />
    </Suspense>
  );
}
