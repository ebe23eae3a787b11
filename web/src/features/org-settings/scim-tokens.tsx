import { Skeleton, Table, Text } from '@chakra-ui/react';
import { createScimToken, LIMITS, listScimTokens, revokeScimToken, type ScimToken } from '@orchestrate/shared';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { useRead } from '../../lib/api/use-read.ts';
import { formatDateTime } from '../../lib/format/dates.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { portalNow } from '../../lib/time/portal-time.ts';
import { AddTokenDialog } from '../../tokens/add-token-dialog.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ObstructedButton } from '../../ui/obstructed-button.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TableFrame } from '../../ui/table-frame.tsx';
import { useKeptUntilFaded } from '../../ui/use-kept-until-faded.ts';

/** Bearer tokens of directories: several at a time, so that one can be replaced by another without an outage. */
export function ScimTokens() {
  const { data, refusal, refetch } = useRead(listScimTokens, {});
  const making = useWrite(createScimToken);
  const [isAdding, setIsAdding] = useState(false);
  const [revoked, setRevoked] = useState<ScimToken>();
  const isFull = (data?.tokens.length ?? 0) >= LIMITS.scimTokens;
  return (
    <Section
      title="Tokens"
      isFlush
      aside={
        <ObstructedButton
          size="sm"
          variant="outline"
          obstacle={isFull ? `At most ${LIMITS.scimTokens} tokens; revoke one first` : undefined}
          onClick={() => setIsAdding(true)}
        >
          <Plus />
          Add token
        </ObstructedButton>
      }
    >
      {data ? (
        <List tokens={data.tokens} onRevoke={setRevoked} />
      ) : refusal ? (
        <ErrorState message={resultText(refusal)} requestId={refusal.requestId} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h="24" m="4" borderRadius="l2" role="status" aria-label="Loading the tokens" />
      )}
      <AddTokenDialog
        making={making}
        help="Which directory uses it, so that you can recognise it later."
        placeholder="Microsoft Entra ID"
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        onMade={() => void refetch()}
      />
      <RevokeDialog token={revoked} onClose={() => setRevoked(undefined)} onRevoked={() => void refetch()} />
    </Section>
  );
}

interface ListProps {
  tokens: readonly ScimToken[];
  onRevoke: (token: ScimToken) => void;
}

function List({ tokens, onRevoke }: ListProps) {
  if (tokens.length === 0)
    return (
      <EmptyState
        icon={KeyRound}
        title="No tokens"
        description="Some directories, such as Microsoft Entra ID, ask for a secret token instead of a username and password."
      />
    );
  return (
    <TableFrame label="Tokens" headings={['Name', 'Made by', 'Created', 'Expires', 'Last used', 'Can give']}>
      {tokens.map((token) => (
        <Table.Row key={token.tokenId}>
          <Table.Cell fontWeight="medium" maxW="56" truncate>
            {token.name}
          </Table.Cell>
          <Table.Cell>{token.madeBy ?? '–'}</Table.Cell>
          <Table.Cell whiteSpace="nowrap">{formatDateTime(token.createdAt)}</Table.Cell>
          <Table.Cell whiteSpace="nowrap">
            <Expiry expiresAt={token.expiresAt} />
          </Table.Cell>
          <Table.Cell whiteSpace="nowrap" color={token.lastUsedAt ? undefined : 'fg.muted'}>
            {token.lastUsedAt ? formatDateTime(token.lastUsedAt) : 'Never'}
          </Table.Cell>
          <Table.Cell>{token.roles.join(', ')}</Table.Cell>
          <Table.Cell textAlign="end">
            <ActionButton label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
              <Trash2 />
            </ActionButton>
          </Table.Cell>
        </Table.Row>
      ))}
    </TableFrame>
  );
}

function Expiry({ expiresAt }: Pick<ScimToken, 'expiresAt'>) {
  if (!expiresAt) return <Text color="fg.muted">Never</Text>;
  if (Date.parse(expiresAt) <= portalNow()) return <StatusBadge status="Expired" />;
  return <>{formatDateTime(expiresAt)}</>;
}

interface RevokeDialogProps {
  token: ScimToken | undefined;
  onClose: () => void;
  onRevoked: () => void;
}

function RevokeDialog({ token, onClose, onRevoked }: RevokeDialogProps) {
  const { run, isPending, refusal, reset } = useWrite(revokeScimToken);
  const { shown } = useKeptUntilFaded(token ?? null);
  const revoke = async () => {
    if (!token) return;
    try {
      await run({ params: { tokenId: token.tokenId } });
    } catch {
      // `refusal` shows why.
      return;
    }
    onRevoked();
    toast.success('Token revoked');
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={token !== undefined}
      onClose={onClose}
      onExitComplete={reset}
      onConfirm={() => void revoke()}
      title={`Revoke ${shown?.name ?? ''}?`}
      verb="Revoke token"
      consequences={['A directory that uses this token is refused immediately.', 'This cannot be undone.']}
      isDestructive
      isPending={isPending}
      error={refusal && resultText(refusal)}
    />
  );
}
