import { Button, Skeleton, Table, Text } from '@chakra-ui/react';
import { deleteGroup, type Group, listGroups } from '@orchestrate/shared';
import { Pencil, Plus, Trash2, Users, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useEdited } from '../../../editing/interrupted.ts';
import { useRead } from '../../../lib/api/use-read.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Section } from '../../../ui/section.tsx';
import { TableFrame } from '../../../ui/table-frame.tsx';
import { useKeptUntilFaded } from '../../../ui/use-kept-until-faded.ts';
import { ConfirmWrite } from '../confirm-write.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { GroupMembersDialog } from './group-members-dialog.tsx';

/** The groups of the organisation beside its roles, for which applications may be. */
export function Groups() {
  const [filled, setFilled] = useState<Group>();
  const [deleted, setDeleted] = useState<Group>();
  const { shown } = useKeptUntilFaded(deleted ?? null);
  const { data, refusal, refetch } = useRead(listGroups, {});
  const { edited, edit, close } = useEdited('group ', data?.Items, ({ groupId }) => groupId);
  if (refusal?.status === 403) return null;
  return (
    <Section
      title="Groups"
      isFlush
      aside={
        <Button size="sm" variant="outline" onClick={() => edit('new')}>
          <Plus />
          Add group
        </Button>
      }
    >
      {data && data.Items.length > 0 ? (
        <TableFrame label="Groups" headings={['Group', 'People']}>
          {data.Items.map((group) => (
            <Table.Row key={group.groupId}>
              <Table.Cell fontWeight="medium" overflowWrap="anywhere">
                {group.displayName}
              </Table.Cell>
              <Table.Cell>
                <Text as="span">{group.members.toLocaleString()}</Text>
              </Table.Cell>
              <Table.Cell textAlign="end" whiteSpace="nowrap">
                <ActionButton label={`People in ${group.displayName}`} onClick={() => setFilled(group)}>
                  <Users />
                </ActionButton>
                <ActionButton label={`Rename ${group.displayName}`} onClick={() => edit(group)}>
                  <Pencil />
                </ActionButton>
                <ActionButton label={`Delete ${group.displayName}`} onClick={() => setDeleted(group)}>
                  <Trash2 />
                </ActionButton>
              </Table.Cell>
            </Table.Row>
          ))}
        </TableFrame>
      ) : data ? (
        <EmptyState
          icon={UsersRound}
          title="No groups yet"
          description="Your directory makes them, or you do. Applications can be for the people of a group."
        />
      ) : refusal ? (
        <ErrorState message={resultText(refusal)} requestId={refusal.requestId} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h="24" m="4" borderRadius="l2" role="status" aria-label="Loading the groups" />
      )}
      <GroupDialog edited={edited} onClose={close} onSaved={() => void refetch()} />
      <GroupMembersDialog group={filled} onClose={() => setFilled(undefined)} onChanged={() => void refetch()} />
      <ConfirmWrite
        entry={deleteGroup}
        input={deleted && { params: { groupId: deleted.groupId } }}
        onClose={() => setDeleted(undefined)}
        onDone={() => void refetch()}
        done="Group deleted"
        title={`Delete ${shown?.displayName ?? ''}?`}
        verb="Delete group"
        isDestructive
        consequences={[
          'Its people stay, and lose the applications that they had by it.',
          'A directory that knows the group may make it again.',
          'This cannot be undone.',
        ]}
      />
    </Section>
  );
}
