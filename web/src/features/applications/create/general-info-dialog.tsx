import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { useForm } from 'react-hook-form';
import { resultText } from '#lib/notices/result-text.ts';
import { useTypedDraft } from '#ui/editing/use-typed-draft.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { type GeneralInfo, generalInfo, NAME_TAKEN_MESSAGE } from '../editor/app-schemas.ts';
import { GeneralFields } from '../editor/general-fields.tsx';

interface GeneralInfoDialogProps extends CreateDialogProps {
  /** Protocol name for the dialog title, e.g. 'SAML'. */
  kind: string;
  /** Continues with the entered values, or reports that the name is taken. Failures are displayed above the buttons. */
  onInfo: (info: GeneralInfo) => Promise<'taken' | 'done'>;
}

/**
 * Asks for name and description, the only fields required before an application can be opened in the editor (spec 2
 * §2).
 */
export function GeneralInfoDialog({ kind, onInfo, isOpen, onClose, onExitComplete }: GeneralInfoDialogProps) {
  const form = useForm<GeneralInfo>({
    resolver: zodResolver(generalInfo),
    mode: 'onTouched',
    defaultValues: { name: '', description: '' },
  });
  const restored = useTypedDraft({ form, name: `application ${kind}`, isOpen });
  const { errors, isDirty, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (info) => {
    try {
      if ((await onInfo(info)) === 'taken')
        form.setError('name', { message: NAME_TAKEN_MESSAGE }, { shouldFocus: true });
    } catch (failure) {
      form.setError('root', { message: resultText(failure) });
    }
  });

  return (
    <FormModal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={onExitComplete}
      title={t`Create ${kind} application`}
      description={t`General info`}
      size="md"
      verb={t`Submit`}
      onSubmit={submit}
      isDirty={isDirty}
      isPending={isSubmitting}
      canSubmit={isDirty}
      error={errors.root?.message}
    >
      {restored}
      <GeneralFields
        name={form.register('name')}
        description={form.register('description')}
        errors={{ name: errors.name?.message, description: errors.description?.message }}
      />
    </FormModal>
  );
}

export interface CreateDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called after the exit animation, to discard the form's values. */
  onExitComplete: () => void;
}
