import { Skeleton, Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { TOKEN_LIFETIME_DAYS, type TokenForm } from '@orchestrate/shared';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useModalOf } from '#lib/address/use-modal.ts';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import type { useWrite } from '#lib/api/use-write.ts';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { portalNow } from '#lib/time/portal-time.ts';
import { RelativeTime } from '#ui/text/relative-time.tsx';
import { ConfirmDialog } from '../dialog/confirm-dialog.tsx';
import { useOpenIfInterrupted } from '../editing/interrupted.ts';
import { ActionButton } from '../feedback/action-button.tsx';
import { ExplainedButton } from '../feedback/explained-button.tsx';
import { RefusalState } from '../feedback/refusal-state.tsx';
import { StatusBadge } from '../feedback/status-badge.tsx';
import { EmptyState } from '../list/empty-state.tsx';
import { Section } from '../list/section.tsx';
import { TableFrame } from '../list/table-frame.tsx';
import { AddCredentialDialog } from './add-credential-dialog.tsx';

interface Token {
  tokenId: string;
  name: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  madeBy: string | null;
}

interface Making extends Pick<ReturnType<typeof useWrite>, 'isPending' | 'refusal' | 'reset'> {
  run: (input: { body: TokenForm }) => Promise<{ secret: string }>;
}

interface Revoking extends Pick<ReturnType<typeof useWrite>, 'isPending' | 'refusal' | 'reset'> {
  run: (input: { params: { tokenId: string } }) => Promise<unknown>;
}

interface TokensSectionProps<T extends Token> {
  title: string;
  /** Accessible name of the table. */
  label: string;
  limit: number;
  read: { tokens: readonly T[] | undefined; refusal: ApiRefusal | undefined; refetch: () => Promise<unknown> };
  making: Making;
  revoking: Revoking;
  /** Help and placeholder of the name field for a new token. */
  name: { help: string; placeholder: string };
  none: { title: string; description: string };
  /** Column that shows a token's permissions. */
  permissions: { heading: string; of: (token: T) => ReactNode };
  /** Effects of revoking a token. */
  consequences: string[];
  /** Content above the table. */
  children?: ReactNode;
}

/**
 * A list of bearer tokens for other programs. Several tokens can be valid at the same time, so one can be replaced
 * without an outage.
 */
export function TokensSection<T extends Token>({ read, making, revoking, name, ...section }: TokensSectionProps<T>) {
  const { tokens, refusal, refetch } = read;
  const draftName = `token ${section.title}`;
  const [isAdding, setIsAdding] = useOpenIfInterrupted(draftName);
  // The palette opens the dialog by its URL.
  const { modal, close } = useModalOf(['add-token']);
  const [revoked, setRevoked] = useState<T>();
  const isFull = (tokens?.length ?? 0) >= section.limit;
  return (
    <Section
      title={section.title}
      isFlush
      aside={
        <ExplainedButton
          size="sm"
          variant="outline"
          obstacle={isFull ? t`You've reached the limit of ${section.limit} tokens. Revoke one first.` : undefined}
          onClick={() => setIsAdding(true)}
        >
          <Plus />
          {t`Add token`}
        </ExplainedButton>
      }
    >
      {tokens ? (
        <List tokens={tokens} onRevoke={setRevoked} {...section} />
      ) : refusal ? (
        <RefusalState refusal={refusal} onRetry={refetch} />
      ) : (
        <Skeleton h="24" m="4" borderRadius="l2" role="status" aria-label={t`Loading tokens`} />
      )}
      <AddCredentialDialog
        noun={t`token`}
        draftName={draftName}
        verb={t`Add token`}
        nameHelp={name.help}
        placeholder={name.placeholder}
        lifetimes={TOKEN_LIFETIME_DAYS}
        usualLifetime={365}
        lifetimeHelp={t`Create the next token before this one expires. Several tokens can be valid at the same time.`}
        note={t`Copy it now. You won't see it again. The other tokens stay valid.`}
        making={making}
        onMake={async (chosen, lifetimeDays) => {
          const { secret } = await making.run({ body: { name: chosen, lifetimeDays } });
          void refetch();
          return secret;
        }}
        isOpen={isAdding || modal !== null}
        onClose={() => {
          setIsAdding(false);
          if (modal) close();
        }}
      />
      <RevokeDialog
        token={revoked}
        revoking={revoking}
        consequences={section.consequences}
        onClose={() => setRevoked(undefined)}
        onRevoked={() => void refetch()}
      />
    </Section>
  );
}

type ListProps<T extends Token> = Pick<TokensSectionProps<T>, 'label' | 'none' | 'permissions' | 'children'> & {
  tokens: readonly T[];
  onRevoke: (token: T) => void;
};

function List<T extends Token>({ tokens, onRevoke, label, none, permissions, children }: ListProps<T>) {
  if (tokens.length === 0) return <EmptyState isCompact icon={KeyRound} {...none} />;
  return (
    <>
      {children}
      <TableFrame
        label={label}
        headings={[t`Name`, t`Created by`, t`Created`, t`Expires`, t`Last used`, permissions.heading]}
        room={54}
      >
        {tokens.map((token) => (
          <Table.Row key={token.tokenId}>
            <Table.Cell fontWeight="medium" maxW="56" truncate>
              {token.name}
            </Table.Cell>
            <Table.Cell maxW="56" truncate>
              {token.madeBy ?? '–'}
            </Table.Cell>
            <Table.Cell whiteSpace="nowrap">
              <RelativeTime at={token.createdAt} />
            </Table.Cell>
            <Table.Cell whiteSpace="nowrap">
              <Expiry expiresAt={token.expiresAt} />
            </Table.Cell>
            <Table.Cell whiteSpace="nowrap" color={token.lastUsedAt ? undefined : 'fg.muted'}>
              {token.lastUsedAt ? <RelativeTime at={token.lastUsedAt} /> : t`Never`}
            </Table.Cell>
            <Table.Cell>{permissions.of(token)}</Table.Cell>
            <Table.Cell textAlign="end">
              <ActionButton label={t`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
                <Trash2 />
              </ActionButton>
            </Table.Cell>
          </Table.Row>
        ))}
      </TableFrame>
    </>
  );
}

function Expiry({ expiresAt }: Pick<Token, 'expiresAt'>) {
  if (!expiresAt) return <Text color="fg.muted">{t`Never`}</Text>;
  if (Date.parse(expiresAt) <= portalNow()) return <StatusBadge status={t`Expired`} tone="danger" />;
  return <RelativeTime at={expiresAt} />;
}

interface RevokeDialogProps {
  token: Token | undefined;
  revoking: Revoking;
  consequences: string[];
  onClose: () => void;
  onRevoked: () => void;
}

function RevokeDialog({ token, revoking, consequences, onClose, onRevoked }: RevokeDialogProps) {
  const { run, isPending, refusal, reset } = revoking;
  const { shown } = useValueDuringExit(token ?? null);
  const revoke = async () => {
    if (!token) return;
    try {
      await run({ params: { tokenId: token.tokenId } });
    } catch {
      // The dialog shows `refusal`.
      return;
    }
    onRevoked();
    toast.success(t`Token revoked`);
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={token !== undefined}
      onClose={onClose}
      onExitComplete={reset}
      onConfirm={() => void revoke()}
      title={t`Revoke ${shown?.name ?? ''}?`}
      verb={t`Revoke token`}
      consequences={[...consequences, t`This can't be undone.`]}
      isDestructive
      isPending={isPending}
      error={refusal && resultText(refusal)}
    />
  );
}
