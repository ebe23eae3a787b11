import { Button, chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { resultText } from '../../../lib/notices/result-text.ts';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { type GeneralInfo, generalInfo, NAME_TAKEN } from '../editor/app-schemas.ts';
import { GeneralFields } from '../editor/general-fields.tsx';
import type { CreateDialogProps } from './create-dialog-props.ts';

interface GeneralInfoDialogProps extends CreateDialogProps {
  /** e.g. 'SAML'. */
  kind: string;
  /** Goes on with the name, or says that it is taken. Errors are shown above the buttons. */
  onInfo: (info: GeneralInfo) => Promise<'taken' | 'done'>;
}

/** Asks for name and description: all that is asked before an application has an editor (spec 2 §2). */
export function GeneralInfoDialog({ kind, onInfo, isOpen, onClose, onExitComplete }: GeneralInfoDialogProps) {
  const formId = useId();
  const form = useForm<GeneralInfo>({
    resolver: zodResolver(generalInfo),
    mode: 'onTouched',
    defaultValues: { name: '', description: '' },
  });
  const { errors, isDirty, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (info) => {
    try {
      if ((await onInfo(info)) === 'taken') form.setError('name', { message: NAME_TAKEN }, { shouldFocus: true });
    } catch (failure) {
      form.setError('root', { message: resultText(failure) });
    }
  });

  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={onExitComplete}
      title={`Create ${kind} application`}
      description="General Info"
      size="md"
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={!isDirty} loading={isSubmitting} loadingText="Submit">
            Submit
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
        <GeneralFields
          name={form.register('name')}
          description={form.register('description')}
          errors={{ name: errors.name?.message, description: errors.description?.message }}
        />
        {errors.root && <AlertLine>{errors.root.message}</AlertLine>}
      </chakra.form>
    </Modal>
  );
}
