import { Box, Button, Flex, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  addGroupMember,
  type Group,
  LIMITS,
  listGroupMembers,
  type Member,
  removeGroupMember,
} from '@orchestrate/shared';
import { useRead } from '../../../lib/api/use-read.ts';
import { useWrite } from '../../../lib/api/use-write.ts';
import { formatNumber } from '../../../lib/format/number.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { useCan } from '../../../lib/session/session.ts';
import { MemberChoice } from '../../../members/member-choice.tsx';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { RefusalState } from '../../../ui/refusal-state.tsx';
import { useValueDuringExit } from '../../../ui/use-value-during-exit.ts';
import { Removable } from '../removable.tsx';

interface GroupMembersDialogProps {
  /** Closed where it is undefined. */
  group: Group | undefined;
  onClose: () => void;
  onChanged: () => void;
}

/** Who is in a group; each change applies at once. */
export function GroupMembersDialog({ group, onClose, onChanged }: GroupMembersDialogProps) {
  const { shown } = useValueDuringExit(group ?? null);
  return (
    <Modal
      isOpen={group !== undefined}
      onClose={onClose}
      title={t`People in ${shown?.displayName ?? ''}`}
      description={t`Each change applies immediately.`}
      footer={<Button onClick={onClose}>{t`Done`}</Button>}
    >
      {shown && <Members groupId={shown.groupId} onChanged={onChanged} />}
    </Modal>
  );
}

function Members({ groupId, onChanged }: { groupId: string; onChanged: () => void }) {
  const maySearch = useCan('SEARCH_USER');
  const { data, refusal, refetch } = useRead(listGroupMembers, { params: { groupId } });
  const adding = useWrite(addGroupMember, { invalidates: ['Member Profile'] });
  const removing = useWrite(removeGroupMember, { invalidates: ['Member Profile'] });
  const failed = adding.refusal ?? removing.refusal;
  const change = async (write: Promise<unknown>) => {
    try {
      await write;
    } catch {
      // `failed` shows why.
      return;
    }
    await refetch();
    onChanged();
  };
  const add = ({ suid }: Member) => void change(adding.run({ params: { groupId, suid }, body: {} }));
  const remove = (suid: string) => void change(removing.run({ params: { groupId, suid } }));
  if (!data && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!data) return <Skeleton h="24" borderRadius="l2" role="status" aria-label={t`Loading the people`} />;
  return (
    <Flex direction="column" gap="4">
      {maySearch && <MemberChoice label={t`Add a person`} onChoose={add} />}
      {failed && <AlertLine>{resultText(failed)}</AlertLine>}
      {data.Items.length === 0 ? (
        <Text color="fg.muted">{t`This group has no members yet.`}</Text>
      ) : (
        <Box
          as="ul"
          aria-label={t`People`}
          listStyleType="none"
          borderWidth="1px"
          borderRadius="l2"
          maxH="96"
          overflowY="auto"
          // Focusable, because it scrolls.
          tabIndex={0}
        >
          {data.Items.map(({ suid, name, email }) => (
            <Removable key={suid} name={name} onRemove={() => remove(suid)}>
              <Text fontWeight="medium">{name}</Text>
              <Text color="fg.muted" truncate>
                {email}
              </Text>
            </Removable>
          ))}
        </Box>
      )}
      {data.Items.length === LIMITS.groupMembersShown && (
        <Text color="fg.muted">{t`Only the first ${formatNumber(LIMITS.groupMembersShown)} are listed.`}</Text>
      )}
    </Flex>
  );
}
