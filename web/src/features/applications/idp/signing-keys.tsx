import { Button, Flex, Menu, Portal, Table, Text } from '@chakra-ui/react';
import { createSigningKey, deleteSigningKey, type IdpConfiguration, type ReplyOf } from '@orchestrate/shared';
import { RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { formatDateTime } from '../../../lib/format/dates.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Section } from '../../../ui/section.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';

type SigningKey = IdpConfiguration['signingKeys'][number];
type Reply = ReplyOf<typeof createSigningKey>;

interface SigningKeysProps {
  /** Newest first. */
  keys: readonly SigningKey[];
  onChange: (configuration: Reply) => void;
}

const ALGORITHMS = ['RS256', 'ES256'] as const;

/** The keys that sign ID tokens: they are renewed by themselves, and can be rotated by hand. */
export function SigningKeys({ keys, onChange }: SigningKeysProps) {
  const [rotated, setRotated] = useState<SigningKey['alg']>();
  const [withdrawn, setWithdrawn] = useState<SigningKey>();
  return (
    <Section
      title="OpenID Connect signing keys"
      isFlush
      aside={
        <Menu.Root positioning={{ placement: 'bottom-end' }}>
          <Menu.Trigger asChild>
            <Button size="sm" variant="outline">
              <RotateCw />
              New key
            </Button>
          </Menu.Trigger>
          <Portal>
            <Menu.Positioner>
              <Menu.Content>
                {ALGORITHMS.map((alg) => (
                  <Menu.Item key={alg} value={alg} onClick={() => setRotated(alg)}>
                    {alg}
                  </Menu.Item>
                ))}
              </Menu.Content>
            </Menu.Positioner>
          </Portal>
        </Menu.Root>
      }
    >
      <KeysTable keys={keys} onWithdraw={setWithdrawn} />
      <RotateDialog alg={rotated} onClose={() => setRotated(undefined)} onChange={onChange} />
      <WithdrawDialog signingKey={withdrawn} onClose={() => setWithdrawn(undefined)} onChange={onChange} />
    </Section>
  );
}

interface KeysTableProps {
  keys: readonly SigningKey[];
  onWithdraw: (key: SigningKey) => void;
}

function KeysTable({ keys, onWithdraw }: KeysTableProps) {
  return (
    <Table.ScrollArea>
      <Table.Root aria-label="Signing keys">
        <Table.Header>
          <Table.Row>
            {['Key id', 'Algorithm', 'Created', 'Use'].map((heading) => (
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
          {keys.map((key) => (
            <Table.Row key={key.kid}>
              <Table.Cell textStyle="code" fontSize="xs" maxW="40" truncate>
                {key.kid}
              </Table.Cell>
              <Table.Cell>{key.alg}</Table.Cell>
              <Table.Cell whiteSpace="nowrap">{formatDateTime(key.createdAt)}</Table.Cell>
              <Table.Cell>
                <Flex align="center" gap="2" wrap="wrap">
                  <StatusBadge
                    status={key.isSigning ? 'Signs' : 'Still published'}
                    tone={key.isSigning ? 'success' : 'neutral'}
                  />
                  {key.publishedUntil !== null && (
                    <Text as="span" textStyle="sm" color="fg.muted" whiteSpace="nowrap">
                      until {formatDateTime(key.publishedUntil)}
                    </Text>
                  )}
                </Flex>
              </Table.Cell>
              <Table.Cell textAlign="end" whiteSpace="nowrap">
                <CopyButton text={key.kid} label="Copy key id" />
                <ActionButton
                  label="Withdraw key"
                  disabledReason={key.isSigning ? 'A key that signs cannot be withdrawn' : undefined}
                  onClick={() => onWithdraw(key)}
                >
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

interface RotateDialogProps {
  alg: SigningKey['alg'] | undefined;
  onClose: () => void;
  onChange: (configuration: Reply) => void;
}

function RotateDialog({ alg, onClose, onChange }: RotateDialogProps) {
  const { run, isPending, refusal, reset } = useWrite(createSigningKey, { invalidates: ['Applications'] });
  const confirm = async () => {
    if (!alg) return;
    try {
      onChange(await run({ body: { alg } }));
    } catch {
      return;
    }
    toast.success(`New ${alg} key created`);
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={alg !== undefined}
      onClose={onClose}
      onExitComplete={reset}
      onConfirm={() => void confirm()}
      title={alg ? `Create a new ${alg} key?` : 'Create a new key?'}
      verb="Create key"
      isPending={isPending}
      consequences={[
        'ID tokens are signed with the new key from now on.',
        'The old key stays published for thirty days, so that what it has signed can be verified.',
        'Applications that read the published keys only once must read them again.',
      ]}
      error={refusal && resultText(refusal)}
    />
  );
}

interface WithdrawDialogProps {
  signingKey: SigningKey | undefined;
  onClose: () => void;
  onChange: (configuration: Reply) => void;
}

function WithdrawDialog({ signingKey, onClose, onChange }: WithdrawDialogProps) {
  const { run, isPending, refusal, reset } = useWrite(deleteSigningKey, { invalidates: ['Applications'] });
  const confirm = async () => {
    if (!signingKey) return;
    try {
      onChange(await run({ params: { kid: signingKey.kid } }));
    } catch {
      return;
    }
    toast.success('Key withdrawn');
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={signingKey !== undefined}
      onClose={onClose}
      onExitComplete={reset}
      onConfirm={() => void confirm()}
      title="Withdraw this key?"
      verb="Withdraw key"
      isDestructive
      isPending={isPending}
      consequences={['Nothing that it has signed can be verified any more.', 'This cannot be undone.']}
      error={refusal && resultText(refusal)}
    />
  );
}
