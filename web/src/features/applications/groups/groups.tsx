import { Box, Button, Flex, Input, Skeleton, Table, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  addGroupMember,
  createGroup,
  deleteGroup,
  type Group,
  groupForm,
  LIMITS,
  listGroupMembers,
  listGroups,
  type Member,
  removeGroupMember,
  renameGroup,
} from '@orchestrate/shared';
import { Pencil, Plus, Trash2, Users, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { MemberPicker } from '#features/members/shared/member-choice.tsx';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useCan } from '#lib/session/session.ts';
import { Modal } from '#ui/dialog/modal.tsx';
import { useEditedItem } from '#ui/editing/interrupted.ts';
import { useTypedDraft } from '#ui/editing/use-typed-draft.tsx';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { ConfirmWrite } from '../confirm-write.tsx';
import { RemovableRow } from '../removable.tsx';

interface GroupMembersDialogProps {
  /** The group whose members are edited. Undefined closes the dialog. */
  group: Group | undefined;
  onClose: () => void;
  onChanged: () => void;
}

/** Edits a group's members. Each change is saved immediately. */
function GroupMembersDialog({ group, onClose, onChanged }: GroupMembersDialogProps) {
  const { shown } = useValueDuringExit(group ?? null);
  return (
    <Modal
      isOpen={group !== undefined}
      onClose={onClose}
      title={t`People in ${shown?.displayName ?? ''}`}
      description={t`Changes are saved immediately.`}
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
      // The dialog already displays the reason from `failed`.
      return;
    }
    await refetch();
    onChanged();
  };
  const add = ({ suid }: Member) => void change(adding.run({ params: { groupId, suid }, body: {} }));
  const remove = (suid: string) => void change(removing.run({ params: { groupId, suid } }));
  if (!data && refusal) return <RefusalState refusal={refusal} onRetry={refetch} />;
  if (!data) return <Skeleton h="24" borderRadius="l2" role="status" aria-label={t`Loading people`} />;
  return (
    <Flex direction="column" gap="4">
      {maySearch && <MemberPicker label={t`Add a person`} onChoose={add} />}
      {failed && <AlertLine>{resultText(failed)}</AlertLine>}
      {data.Items.length === 0 ? (
        <Text color="fg.muted">{t`This group has no members yet. Add a person to give them the group's access.`}</Text>
      ) : (
        <Box
          as="ul"
          aria-label={t`People`}
          listStyleType="none"
          borderWidth="1px"
          borderRadius="l2"
          maxH="96"
          overflowY="auto"
          // Focusable, to let keyboard users scroll the list.
          tabIndex={0}
        >
          {data.Items.map(({ suid, name, email }) => (
            <RemovableRow key={suid} name={name} onRemove={() => remove(suid)}>
              <Text fontWeight="medium">{name}</Text>
              <Text color="fg.muted" truncate>
                {email}
              </Text>
            </RemovableRow>
          ))}
        </Box>
      )}
      {data.Items.length === LIMITS.groupMembersShown && (
        <Text color="fg.muted">{t`Only the first ${formatNumber(LIMITS.groupMembersShown)} people are listed.`}</Text>
      )}
    </Flex>
  );
}

interface GroupDialogProps {
  /** The group to rename, or 'new' to create one. Undefined closes the dialog. */
  edited: Group | 'new' | undefined;
  onClose: () => void;
  onSaved: () => void;
}

/** A dialog to create or rename a group. */
function GroupDialog({ edited, onClose, onSaved }: GroupDialogProps) {
  const isNew = edited === 'new';
  const creating = useWrite(createGroup);
  const renaming = useWrite(renameGroup);
  const { refusal, isPending } = isNew ? creating : renaming;
  const form = useForm({
    resolver: zodResolver(groupForm),
    mode: 'onTouched',
    values: { displayName: edited === undefined || isNew ? '' : edited.displayName },
  });
  const { register, handleSubmit, formState, reset } = form;
  const restored = useTypedDraft({
    form,
    name: `group ${isNew ? 'new' : edited?.groupId}`,
    isOpen: edited !== undefined,
  });
  const taken = refusal?.issues.find(({ path }) => path === 'displayName')?.message;

  const submit = handleSubmit(async (body) => {
    try {
      if (isNew) await creating.run({ body });
      else if (edited) await renaming.run({ params: { groupId: edited.groupId }, body });
    } catch (failure) {
      // The form already displays refusals, so handle only other errors here.
      if (failure instanceof ApiRefusal) return;
      throw failure;
    }
    toast.success(isNew ? t`Group added` : t`Group saved`);
    onSaved();
    onClose();
  });
  const forget = () => {
    reset();
    creating.reset();
    renaming.reset();
  };

  return (
    <FormModal
      isOpen={edited !== undefined}
      onClose={onClose}
      onExitComplete={forget}
      title={isNew ? t`Add group` : t`Rename group`}
      verb={isNew ? t`Add group` : t`Save`}
      onSubmit={submit}
      isDirty={formState.isDirty}
      isPending={isPending}
      error={refusal && !taken && resultText(refusal)}
    >
      {restored}
      <FormField label={t`Name`} isRequired error={formState.errors.displayName?.message ?? taken}>
        <Input {...register('displayName')} maxLength={LIMITS.groupNameMaxLength} autoComplete="off" />
      </FormField>
    </FormModal>
  );
}

/** Lists the organisation's groups, which can be given access to applications. */
export function Groups() {
  const [filled, setFilled] = useState<Group>();
  const [deleted, setDeleted] = useState<Group>();
  const { shown } = useValueDuringExit(deleted ?? null);
  const { data, refusal, refetch } = useRead(listGroups, {});
  const { edited, edit, close } = useEditedItem('group ', data?.Items, ({ groupId }) => groupId);
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
          description={t`Groups come from your directory, or create them here. Give a whole group access to an application.`}
        />
      ) : refusal ? (
        <RefusalState refusal={refusal} onRetry={refetch} />
      ) : (
        <Skeleton h="24" m="4" borderRadius="l2" role="status" aria-label={t`Loading groups`} />
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
          t`Its members stay in your organisation, but lose access to the group's applications.`,
          t`If a directory still has this group, it may create the group again.`,
          t`This can't be undone.`,
        ]}
      />
    </Section>
  );
}
