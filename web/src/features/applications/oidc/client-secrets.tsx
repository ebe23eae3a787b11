import { Box, Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type ClientSecret, createClientSecret, DAY, deleteClientSecret, LIMITS } from '@orchestrate/shared';
import { toDate } from 'date-fns';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '#lib/api/use-write.ts';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { portalNow } from '#lib/time/portal-time.ts';
import { useOpenIfInterrupted } from '#ui/editing/interrupted.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { ExplainedButton } from '#ui/feedback/explained-button.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { AddCredentialDialog } from '#ui/tokens/add-credential-dialog.tsx';
import { ConfirmWrite } from '../confirm-write.tsx';
import { useOrgCode } from '../use-applications.ts';

interface AddSecretDialogProps {
  appId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Returns the storage key of the dialog's unsaved values. */
const secretDraftOf = (appId: string) => `secret ${appId}`;

/** A dialog to create another client secret. */
function AddSecretDialog({ appId, ...dialog }: AddSecretDialogProps) {
  const orgCode = useOrgCode();
  const making = useWrite(createClientSecret, { invalidates: ['Applications'] });
  return (
    <AddCredentialDialog
      {...dialog}
      noun={t`client secret`}
      draftName={secretDraftOf(appId)}
      verb={t`Add secret`}
      nameHelp={t`A label that says where this secret is used.`}
      placeholder={t`Production server`}
      lifetimes={[null, 30, 90, 180, 365]}
      usualLifetime={90}
      note={t`Other secrets stay valid until they expire or you revoke them.`}
      making={making}
      onMake={async (name, days) => {
        const expiresAt = days === null ? null : toDate(portalNow() + days * DAY).toISOString();
        const { secret } = await making.run({ params: { orgCode, appId }, body: { name, expiresAt } });
        return secret.client_secret;
      }}
    />
  );
}

interface ClientSecretsProps {
  appId: string;
  secrets: readonly ClientSecret[];
  /** True if the application authenticates with keys, so its secrets are ignored. */
  isIgnored: boolean;
}

/** Lists the client secrets. An application can have several, which allows replacing a secret without an outage. */
export function ClientSecrets({ appId, secrets, isIgnored }: ClientSecretsProps) {
  const [isAdding, setIsAdding] = useOpenIfInterrupted(secretDraftOf(appId));
  const orgCode = useOrgCode();
  const [revoked, setRevoked] = useState<ClientSecret>();
  const { shown } = useValueDuringExit(revoked ?? null);
  const isFull = secrets.length >= LIMITS.clientSecrets;
  return (
    <Section
      title={t`Client secrets`}
      description={t`Add a second secret to replace one without downtime.`}
      isFlush
      aside={
        <ExplainedButton
          size="sm"
          variant="outline"
          obstacle={
            isFull ? t`You've reached the limit of ${LIMITS.clientSecrets} secrets. Revoke one first` : undefined
          }
          onClick={() => setIsAdding(true)}
        >
          <Plus />
          {t`Add secret`}
        </ExplainedButton>
      }
    >
      {isIgnored && (
        <Box p="4">
          <AlertLine tone="info">
            {t`These secrets aren't accepted while the application has keys. Remove the keys to use them again.`}
          </AlertLine>
        </Box>
      )}
      {secrets.length > 0 ? (
        <SecretsTable secrets={secrets} onRevoke={setRevoked} />
      ) : (
        <EmptyState
          icon={KeyRound}
          title={t`No client secrets yet`}
          description={t`Add a secret. Without one, this application can't be used.`}
        />
      )}
      <AddSecretDialog appId={appId} isOpen={isAdding} onClose={() => setIsAdding(false)} />
      <ConfirmWrite
        entry={deleteClientSecret}
        input={revoked && { params: { orgCode, appId, secretId: revoked.secretId } }}
        onClose={() => setRevoked(undefined)}
        done={t`Client secret revoked`}
        title={t`Revoke ${shown?.name ?? ''}?`}
        verb={t`Revoke secret`}
        isDestructive
        consequences={[
          t`Applications can no longer authenticate with this secret.`,
          ...(secrets.length === 1 && !isIgnored
            ? [t`This is the only secret. Without it, the application stops working and no one can sign in.`]
            : []),
          t`This can't be undone.`,
        ]}
      />
    </Section>
  );
}

function Expiry({ expiresAt }: { expiresAt: string | null }) {
  if (!expiresAt) return <Text color="fg.muted">{t`Never`}</Text>;
  if (Date.parse(expiresAt) <= portalNow()) return <StatusBadge status={t`Expired`} tone="danger" />;
  return <>{formatDateTime(expiresAt)}</>;
}

interface SecretsTableProps {
  secrets: readonly ClientSecret[];
  onRevoke: (secret: ClientSecret) => void;
}

function SecretsTable({ secrets, onRevoke }: SecretsTableProps) {
  return (
    <TableFrame label={t`Client secrets`} headings={[t`Name`, t`Created`, t`Expires`, t`Last used`]}>
      {secrets.map((secret) => (
        <Table.Row key={secret.secretId}>
          <Table.Cell fontWeight="medium" maxW="56" truncate>
            {secret.name}
          </Table.Cell>
          <Table.Cell whiteSpace="nowrap">{formatDateTime(secret.createdAt)}</Table.Cell>
          <Table.Cell whiteSpace="nowrap">
            <Expiry expiresAt={secret.expiresAt} />
          </Table.Cell>
          <Table.Cell whiteSpace="nowrap" color={secret.lastUsedAt ? undefined : 'fg.muted'}>
            {secret.lastUsedAt ? formatDateTime(secret.lastUsedAt) : t`Never`}
          </Table.Cell>
          <Table.Cell textAlign="end">
            <ActionButton label={t`Revoke ${secret.name}`} onClick={() => onRevoke(secret)}>
              <Trash2 />
            </ActionButton>
          </Table.Cell>
        </Table.Row>
      ))}
    </TableFrame>
  );
}
