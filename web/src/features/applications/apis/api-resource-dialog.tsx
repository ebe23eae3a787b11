import { Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  type ApiResource,
  apiResourceForm,
  createApiResource,
  resourceIdentifier,
  updateApiResource,
} from '@orchestrate/shared';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { useTypedDraft } from '../../../editing/use-typed-draft.tsx';
import { ApiRefusal } from '../../../lib/api/api-refusal.ts';
import { useWrite } from '../../../lib/api/use-write.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { FormField } from '../../../ui/form-field.tsx';
import { FormModal } from '../../../ui/form-modal.tsx';
import { TextArea } from '../../../ui/text-area.tsx';

const scopesOf = (typed: string): string[] => typed.split(/\s+/).filter(Boolean);

const fields = z.object({
  name: apiResourceForm.shape.name,
  identifier: resourceIdentifier,
  /** One in each line. */
  scopes: z.string().superRefine((typed, context) => {
    const { error } = apiResourceForm.shape.scopes.safeParse(scopesOf(typed));
    if (error) context.addIssue({ code: 'custom', message: error.issues[0]?.message ?? '' });
  }),
});
type Form = z.output<typeof fields>;

interface ApiResourceDialogProps {
  /** Closed where it is undefined. */
  edited: ApiResource | 'new' | undefined;
  onClose: () => void;
  onSaved: () => void;
}

/** Adds an API, or changes its name and scopes. */
export function ApiResourceDialog({ edited, onClose, onSaved }: ApiResourceDialogProps) {
  const isNew = edited === 'new';
  const creating = useWrite(createApiResource);
  const updating = useWrite(updateApiResource);
  const { refusal, isPending } = isNew ? creating : updating;
  const form = useForm<Form>({
    resolver: zodResolver(fields),
    mode: 'onTouched',
    values:
      edited === undefined || isNew
        ? { name: '', identifier: '', scopes: '' }
        : { name: edited.name, identifier: edited.identifier, scopes: edited.scopes.join('\n') },
  });
  const { register, handleSubmit, formState, reset } = form;
  const restored = useTypedDraft({
    form,
    name: `api ${isNew ? 'new' : edited?.resourceId}`,
    isOpen: edited !== undefined,
  });
  const { errors, isDirty } = formState;
  const taken = refusal?.issues.find(({ path }) => path === 'identifier')?.message;

  const submit = handleSubmit(async ({ name, identifier, scopes: typed }) => {
    const scopes = scopesOf(typed);
    try {
      if (isNew) await creating.run({ body: { name, identifier, scopes } });
      else if (edited) {
        const params = { resourceId: edited.resourceId };
        await updating.run({ params, body: { name, scopes } }, { ifMatch: edited.version });
      }
    } catch (failure) {
      // The refusal is shown in the form.
      if (failure instanceof ApiRefusal) return;
      throw failure;
    }
    toast.success(isNew ? t`API added` : t`API saved`);
    onSaved();
    onClose();
  });
  const forget = () => {
    reset();
    creating.reset();
    updating.reset();
  };

  return (
    <FormModal
      isOpen={edited !== undefined}
      onClose={onClose}
      onExitComplete={forget}
      title={isNew ? t`Add API` : t`Edit API`}
      verb={isNew ? t`Add API` : t`Save`}
      onSubmit={submit}
      isDirty={isDirty}
      isPending={isPending}
      error={refusal && taken === undefined && resultText(refusal)}
    >
      {restored}
      <FormField label={t`Name`} isRequired error={errors.name?.message}>
        <Input {...register('name')} maxLength={100} autoComplete="off" placeholder={t`Orders`} />
      </FormField>
      <FormField
        label={t`Identifier`}
        isRequired
        help={t`The audience of its tokens, which applications name as resource. It cannot be changed later.`}
        error={errors.identifier?.message ?? taken}
      >
        <Input
          {...register('identifier')}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          fontFamily="mono"
          readOnly={!isNew}
          placeholder={t`https://orders.example.com`}
        />
      </FormField>
      <FormField label={t`Scopes`} help={t`One in each line, such as orders:read.`} error={errors.scopes?.message}>
        <TextArea {...register('scopes')} rows={4} spellCheck={false} fontFamily="mono" />
      </FormField>
    </FormModal>
  );
}
