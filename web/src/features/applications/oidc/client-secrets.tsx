import { Table, Text } from '@chakra-ui/react';
import { type ClientSecret, deleteClientSecret, LIMITS } from '@orchestrate/shared';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { formatDateTime } from '../../../lib/format/dates.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { portalNow } from '../../../lib/time/portal-time.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ObstructedButton } from '../../../ui/obstructed-button.tsx';
import { Section } from '../../../ui/section.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { useOrgCode } from '../use-applications.ts';
import { AddSecretDialog } from './add-secret-dialog.tsx';

interface ClientSecretsProps {
  appId: string;
  secrets: readonly ClientSecret[];
}

/** Several secrets at a time, so that one can be replaced by another without an outage. */
export function ClientSecrets({ appId, secrets }: ClientSecretsProps) {
  const [isAdding, setIsAdding] = useState(false);
  const [revoked, setRevoked] = useState<ClientSecret>();
  const isFull = secrets.length >= LIMITS.clientSecrets;
  return (
    <Section
      title="Client secrets"
      isFlush
      aside={
        <ObstructedButton
          size="sm"
          variant="outline"
          obstacle={isFull ? `At most ${LIMITS.clientSecrets} secrets; revoke one first` : undefined}
          onClick={() => setIsAdding(true)}
        >
          <Plus />
          Add secret
        </ObstructedButton>
      }
    >
      {secrets.length > 0 ? (
        <SecretsTable secrets={secrets} onRevoke={setRevoked} />
      ) : (
        <EmptyState
          icon={KeyRound}
          title="No client secrets"
          description="Without one this application is closed: add a secret."
        />
      )}
      <AddSecretDialog appId={appId} isOpen={isAdding} onClose={() => setIsAdding(false)} />
      <RevokeDialog
        appId={appId}
        isLast={secrets.length === 1}
        secret={revoked}
        onClose={() => setRevoked(undefined)}
      />
    </Section>
  );
}

function Expiry({ expiresAt }: { expiresAt: string | null }) {
  if (!expiresAt) return <Text color="fg.muted">Never</Text>;
  if (Date.parse(expiresAt) <= portalNow()) return <StatusBadge status="Expired" />;
  return <>{formatDateTime(expiresAt)}</>;
}

interface SecretsTableProps {
  secrets: readonly ClientSecret[];
  onRevoke: (secret: ClientSecret) => void;
}

function SecretsTable({ secrets, onRevoke }: SecretsTableProps) {
  return (
    <Table.ScrollArea>
      <Table.Root aria-label="Client secrets">
        <Table.Header>
          <Table.Row>
            {['Name', 'Created', 'Expires', 'Last used'].map((heading) => (
              <Table.ColumnHeader key={heading} scope="col">
                {heading}
              </Table.ColumnHeader>
            ))}
            <Table.ColumnHeader scope="col" textAlign="end">
              Actions
            </Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>
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
                {secret.lastUsedAt ? formatDateTime(secret.lastUsedAt) : 'Never'}
              </Table.Cell>
              <Table.Cell textAlign="end">
                <ActionButton label={`Revoke ${secret.name}`} onClick={() => onRevoke(secret)}>
                  <Trash2 />
                </ActionButton>
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  );
}

interface RevokeDialogProps {
  appId: string;
  /** Whether no other secret is left. */
  isLast: boolean;
  secret: ClientSecret | undefined;
  onClose: () => void;
}

function RevokeDialog({ appId, isLast, secret, onClose }: RevokeDialogProps) {
  const orgCode = useOrgCode();
  // The dialog still shows it while it fades out.
  const [shown, setShown] = useState(secret);
  if (secret && secret !== shown) setShown(secret);
  const { run, isPending, refusal, reset } = useWrite(deleteClientSecret, { invalidates: ['Applications'] });
  const confirm = async () => {
    if (!secret) return;
    try {
      await run({ params: { orgCode, appId, secretId: secret.secretId } });
    } catch {
      return;
    }
    toast.success('Client secret revoked');
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={secret !== undefined}
      onClose={onClose}
      onExitComplete={reset}
      onConfirm={() => void confirm()}
      title={`Revoke ${shown?.name ?? ''}?`}
      verb="Revoke secret"
      isDestructive
      isPending={isPending}
      consequences={[
        'Applications that use this secret are refused immediately.',
        ...(isLast ? ['It is the last one: without a secret the application is closed, and nobody can sign in.'] : []),
        'This cannot be undone.',
      ]}
      error={refusal && resultText(refusal)}
    />
  );
}
