import { Button, chakra, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { createGroup, type Group, groupForm, LIMITS, renameGroup } from '@orchestrate/shared';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { ApiRefusal } from '../../../lib/api/api-refusal.ts';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { FormField } from '../../../ui/form-field.tsx';
import { Modal } from '../../../ui/modal.tsx';

interface GroupDialogProps {
  /** Closed where it is undefined. */
  edited: Group | 'new' | undefined;
  onClose: () => void;
  onSaved: () => void;
}

/** Makes a group, or gives one another name. */
export function GroupDialog({ edited, onClose, onSaved }: GroupDialogProps) {
  const formId = useId();
  const isNew = edited === 'new';
  const creating = useWrite(createGroup);
  const renaming = useWrite(renameGroup);
  const { refusal, isPending } = isNew ? creating : renaming;
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(groupForm),
    mode: 'onTouched',
    values: { displayName: edited === undefined || isNew ? '' : edited.displayName },
  });
  const taken = refusal?.issues.find(({ path }) => path === 'displayName')?.message;
  const verb = isNew ? 'Add group' : 'Save';

  const submit = handleSubmit(async (body) => {
    try {
      if (isNew) await creating.run({ body });
      else if (edited) await renaming.run({ params: { groupId: edited.groupId }, body });
    } catch (failure) {
      // The refusal is shown in the form.
      if (failure instanceof ApiRefusal) return;
      throw failure;
    }
    toast.success(isNew ? 'Group added' : 'Group saved');
    onSaved();
    onClose();
  });
  const forget = () => {
    reset();
    creating.reset();
    renaming.reset();
  };

  return (
    <Modal
      isOpen={edited !== undefined}
      onClose={onClose}
      onExitComplete={forget}
      title={isNew ? 'Add group' : 'Rename group'}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} loading={isPending} loadingText={verb}>
            {verb}
          </Button>
        </>
      }
    >
      <chakra.form
        id={formId}
        noValidate
        onSubmit={(event) => void submit(event)}
        display="flex"
        flexDirection="column"
        gap="5"
      >
        <FormField label="Name" isRequired error={formState.errors.displayName?.message ?? taken}>
          <Input {...register('displayName')} maxLength={LIMITS.groupNameMaxLength} autoComplete="off" />
        </FormField>
        {refusal && !taken && <AlertLine>{resultText(refusal)}</AlertLine>}
      </chakra.form>
    </Modal>
  );
}
