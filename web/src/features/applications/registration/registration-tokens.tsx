import { Box, Skeleton, Table } from '@chakra-ui/react';
import {
  createRegistrationToken,
  LIMITS,
  listRegistrationTokens,
  type RegistrationToken,
  revokeRegistrationToken,
} from '@orchestrate/shared';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { useRead } from '../../../lib/api/use-read.ts';
import { formatDateTime } from '../../../lib/format/dates.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { AddTokenDialog } from '../../../tokens/add-token-dialog.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { ObstructedButton } from '../../../ui/obstructed-button.tsx';
import { SecretField } from '../../../ui/secret-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { TableFrame } from '../../../ui/table-frame.tsx';
import { useKeptUntilFaded } from '../../../ui/use-kept-until-faded.ts';
import { ConfirmWrite } from '../confirm-write.tsx';

/** The tokens with which applications register themselves. */
export function RegistrationTokens() {
  const [isAdding, setIsAdding] = useState(false);
  const [revoked, setRevoked] = useState<RegistrationToken>();
  const { shown } = useKeptUntilFaded(revoked ?? null);
  const making = useWrite(createRegistrationToken);
  const { data, refusal, refetch } = useRead(listRegistrationTokens, {});
  if (refusal?.status === 403) return null;
  const isFull = (data?.tokens.length ?? 0) >= LIMITS.registrationTokens;
  return (
    <Section
      title="Registration"
      isFlush
      aside={
        <ObstructedButton
          size="sm"
          variant="outline"
          obstacle={isFull ? `At most ${LIMITS.registrationTokens} tokens; revoke one first` : undefined}
          onClick={() => setIsAdding(true)}
        >
          <Plus />
          Add token
        </ObstructedButton>
      }
    >
      {data ? (
        <List {...data} onRevoke={setRevoked} />
      ) : refusal ? (
        <ErrorState message={resultText(refusal)} requestId={refusal.requestId} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h="24" m="4" borderRadius="l2" role="status" aria-label="Loading the registration tokens" />
      )}
      <AddTokenDialog
        making={making}
        help="What registers with it, so that you can recognise it later."
        placeholder="MCP clients"
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        onMade={() => void refetch()}
      />
      <ConfirmWrite
        entry={revokeRegistrationToken}
        input={revoked && { params: { tokenId: revoked.tokenId } }}
        onClose={() => setRevoked(undefined)}
        onDone={() => void refetch()}
        done="Token revoked"
        title={`Revoke ${shown?.name ?? ''}?`}
        verb="Revoke token"
        isDestructive
        consequences={[
          'Nothing registers with it any more.',
          'Applications that have registered with it stay.',
          'This cannot be undone.',
        ]}
      />
    </Section>
  );
}

interface ListProps {
  endpoint: string;
  tokens: readonly RegistrationToken[];
  onRevoke: (token: RegistrationToken) => void;
}

function List({ endpoint, tokens, onRevoke }: ListProps) {
  if (tokens.length === 0)
    return (
      <EmptyState
        icon={KeyRound}
        title="No registration tokens"
        description="With one, an application adds itself (OpenID Connect Dynamic Client Registration)."
      />
    );
  return (
    <>
      <Box p="5" maxW="2xl">
        <SecretField label="Registration endpoint" value={endpoint} isSecret={false} />
      </Box>
      <TableFrame label="Registration tokens" headings={['Name', 'Made by', 'Created', 'Last used', 'State']}>
        {tokens.map((token) => (
          <Table.Row key={token.tokenId}>
            <Table.Cell fontWeight="medium" maxW="56" truncate>
              {token.name}
            </Table.Cell>
            <Table.Cell>{token.madeBy ?? '–'}</Table.Cell>
            <Table.Cell whiteSpace="nowrap">{formatDateTime(token.createdAt)}</Table.Cell>
            <Table.Cell whiteSpace="nowrap" color={token.lastUsedAt ? undefined : 'fg.muted'}>
              {token.lastUsedAt ? formatDateTime(token.lastUsedAt) : 'Never'}
            </Table.Cell>
            <Table.Cell>
              <StatusBadge status={token.isValid ? 'Active' : 'Expired'} />
            </Table.Cell>
            <Table.Cell textAlign="end">
              <ActionButton label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
                <Trash2 />
              </ActionButton>
            </Table.Cell>
          </Table.Row>
        ))}
      </TableFrame>
    </>
  );
}
