import { t } from '@lingui/core/macro';
import { createClientSecret, DAY } from '@orchestrate/shared';
import { toDate } from 'date-fns';
import { useWrite } from '../../../lib/api/use-write.ts';
import { portalNow } from '../../../lib/time/portal-time.ts';
import { AddCredentialDialog } from '../../../tokens/add-credential-dialog.tsx';
import { useOrgCode } from '../use-applications.ts';

interface AddSecretDialogProps {
  appId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** The name under which what was typed into it is kept. */
export const secretDraftOf = (appId: string) => `secret ${appId}`;

/** Makes another client secret. */
export function AddSecretDialog({ appId, ...dialog }: AddSecretDialogProps) {
  const orgCode = useOrgCode();
  const making = useWrite(createClientSecret, { invalidates: ['Applications'] });
  return (
    <AddCredentialDialog
      {...dialog}
      noun={t`client secret`}
      draftName={secretDraftOf(appId)}
      verb={t`Add secret`}
      nameHelp={t`Where the secret is used, so that you can recognise it later.`}
      placeholder={t`Production server`}
      lifetimes={[null, 30, 90, 180, 365]}
      usualLifetime={90}
      note={t`The other secrets stay valid until they are revoked or expire.`}
      making={making}
      onMake={async (name, days) => {
        const expiresAt = days === null ? null : toDate(portalNow() + days * DAY).toISOString();
        const { secret } = await making.run({ params: { orgCode, appId }, body: { name, expiresAt } });
        return secret.client_secret;
      }}
    />
  );
}
