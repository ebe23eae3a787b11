import { Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { createGroup, type Group, groupForm, LIMITS, renameGroup } from '@orchestrate/shared';
import { useForm } from 'react-hook-form';
import { useTypedDraft } from '../../../editing/use-typed-draft.tsx';
import { ApiRefusal } from '../../../lib/api/api-refusal.ts';
import { useWrite } from '../../../lib/api/use-write.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { FormField } from '../../../ui/form-field.tsx';
import { FormModal } from '../../../ui/form-modal.tsx';

interface GroupDialogProps {
  /** Closed where it is undefined. */
  edited: Group | 'new' | undefined;
  onClose: () => void;
  onSaved: () => void;
}

/** Makes a group, or gives one another name. */
export function GroupDialog({ edited, onClose, onSaved }: GroupDialogProps) {
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
      // The refusal is shown in the form.
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
