import { Button, Skeleton, Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { deleteGroup, type Group, listGroups } from '@orchestrate/shared';
import { Pencil, Plus, Trash2, Users, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useEdited } from '../../../editing/interrupted.ts';
import { useRead } from '../../../lib/api/use-read.ts';
import { formatNumber } from '../../../lib/format/number.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { RefusalState } from '../../../ui/refusal-state.tsx';
import { Section } from '../../../ui/section.tsx';
import { TableFrame } from '../../../ui/table-frame.tsx';
import { useValueDuringExit } from '../../../ui/use-value-during-exit.ts';
import { ConfirmWrite } from '../confirm-write.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { GroupMembersDialog } from './group-members-dialog.tsx';

/** The groups of the organisation beside its roles, for which applications may be. */
export function Groups() {
  const [filled, setFilled] = useState<Group>();
  const [deleted, setDeleted] = useState<Group>();
  const { shown } = useValueDuringExit(deleted ?? null);
  const { data, refusal, refetch } = useRead(listGroups, {});
  const { edited, edit, close } = useEdited('group ', data?.Items, ({ groupId }) => groupId);
  if (refusal?.status === 403) return null;
  return (
    <Section
      title={t`Groups`}
      isFlush
      aside={
        <Button size="sm" variant="outline" onClick={() => edit('new')}>
          <Plus />
          {t`Add group`}
        </Button>
      }
    >
      {data && data.Items.length > 0 ? (
        <TableFrame label={t`Groups`} headings={[t`Group`, t`People`]}>
          {data.Items.map((group) => (
            <Table.Row key={group.groupId}>
              <Table.Cell fontWeight="medium" overflowWrap="anywhere">
                {group.displayName}
              </Table.Cell>
              <Table.Cell>
                <Text as="span">{formatNumber(group.members)}</Text>
              </Table.Cell>
              <Table.Cell textAlign="end" whiteSpace="nowrap">
                <ActionButton label={t`People in ${group.displayName}`} onClick={() => setFilled(group)}>
                  <Users />
                </ActionButton>
                <ActionButton label={t`Rename ${group.displayName}`} onClick={() => edit(group)}>
                  <Pencil />
                </ActionButton>
                <ActionButton label={t`Delete ${group.displayName}`} onClick={() => setDeleted(group)}>
                  <Trash2 />
                </ActionButton>
              </Table.Cell>
            </Table.Row>
          ))}
        </TableFrame>
      ) : data ? (
        <EmptyState
          icon={UsersRound}
          title={t`No groups yet`}
          description={t`Your directory makes them, or you do. Applications can be for the people of a group.`}
        />
      ) : refusal ? (
        <RefusalState refusal={refusal} onRetry={refetch} />
      ) : (
        <Skeleton h="24" m="4" borderRadius="l2" role="status" aria-label={t`Loading the groups`} />
      )}
      <GroupDialog edited={edited} onClose={close} onSaved={() => void refetch()} />
      <GroupMembersDialog group={filled} onClose={() => setFilled(undefined)} onChanged={() => void refetch()} />
      <ConfirmWrite
        entry={deleteGroup}
        input={deleted && { params: { groupId: deleted.groupId } }}
        onClose={() => setDeleted(undefined)}
        onDone={() => void refetch()}
        done={t`Group deleted`}
        title={t`Delete ${shown?.displayName ?? ''}?`}
        verb={t`Delete group`}
        isDestructive
        consequences={[
          t`Its people stay, but lose the applications they could use through it.`,
          t`A directory that has this group can create it again.`,
          t`This cannot be undone.`,
        ]}
      />
    </Section>
  );
}
