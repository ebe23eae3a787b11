import { Button, Flex, Menu, Portal, Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { createSigningKey, deleteSigningKey, type IdpConfiguration } from '@orchestrate/shared';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatDateTime } from '#lib/format/dates.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { Section } from '#ui/list/section.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { ConfirmWrite } from '../confirm-write.tsx';

type SigningKey = IdpConfiguration['signingKeys'][number];

const ALGORITHMS = ['RS256', 'ES256'] as const;

/** Lists the keys that sign ID tokens, newest first. Keys are renewed automatically and can be rotated manually. */
export function SigningKeys({ keys }: { keys: readonly SigningKey[] }) {
  const [rotated, setRotated] = useState<SigningKey['alg']>();
  const [withdrawn, setWithdrawn] = useState<SigningKey>();
  return (
    <Section
      title={t`OpenID Connect signing keys`}
      isFlush
      aside={
        <Menu.Root positioning={{ placement: 'bottom-end' }}>
          <Menu.Trigger asChild>
            <Button size="sm" variant="outline">
              <Plus />
              {t`New key`}
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
      <ConfirmWrite
        entry={createSigningKey}
        input={rotated && { body: { alg: rotated } }}
        onClose={() => setRotated(undefined)}
        done={t`New key created`}
        title={t`Create a new signing key?`}
        verb={t`Create key`}
        consequences={[
          t`The portal immediately starts signing ID tokens for this algorithm with the new key.`,
          t`The old key stays published for 30 days, so tokens signed with it can still be verified.`,
          t`Applications that fetch the published keys only once must fetch them again.`,
        ]}
      />
      <ConfirmWrite
        entry={deleteSigningKey}
        input={withdrawn && { params: { kid: withdrawn.kid } }}
        onClose={() => setWithdrawn(undefined)}
        done={t`Key withdrawn`}
        title={t`Withdraw this key?`}
        verb={t`Withdraw key`}
        isDestructive
        consequences={[t`Tokens signed with this key can no longer be verified.`, t`This can't be undone.`]}
      />
    </Section>
  );
}

interface KeysTableProps {
  keys: readonly SigningKey[];
  onWithdraw: (key: SigningKey) => void;
}

function KeysTable({ keys, onWithdraw }: KeysTableProps) {
  return (
    <TableFrame label={t`Signing keys`} headings={[t`Key ID`, t`Algorithm`, t`Created`, t`Usage`]} room={46}>
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
                status={key.isSigning ? t`In use` : t`Still published`}
                tone={key.isSigning ? 'success' : 'neutral'}
              />
              {key.publishedUntil !== null && (
                <Text as="span" textStyle="sm" color="fg.muted" whiteSpace="nowrap">
                  {t`until ${formatDateTime(key.publishedUntil)}`}
                </Text>
              )}
            </Flex>
          </Table.Cell>
          <Table.Cell textAlign="end" whiteSpace="nowrap">
            <CopyButton text={key.kid} label={t`Copy key ID`} />
            <ActionButton
              label={t`Withdraw key`}
              disabledReason={key.isSigning ? t`The key in use can't be withdrawn` : undefined}
              onClick={() => onWithdraw(key)}
            >
              <Trash2 />
            </ActionButton>
          </Table.Cell>
        </Table.Row>
      ))}
    </TableFrame>
  );
}
