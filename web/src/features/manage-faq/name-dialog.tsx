import { Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { type FaqCategory, faqNameForm, type ResultName } from '@orchestrate/shared';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import type { Versioned } from '../../editing/drafts.ts';
import { type EditedField, textField } from '../../editing/three-way.ts';
import { useVersionedForm } from '../../editing/use-versioned-form.tsx';
import { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormModal } from '../../ui/form-modal.tsx';

/** The refusals that are about the name. */
const ofTheName: ReadonlySet<ResultName | undefined> = new Set([
  'FAQ_CATEGORY_NAME_MISSING',
  'FAQ_CATEGORY_EXISTS',
  'FAQ_SUBCATEGORY_NAME_MISSING',
  'FAQ_SUBCATEGORY_EXISTS',
]);

interface NameDialogProps {
  /** The action, e.g. 'Add category'. */
  title: string;
  verb: string;
  /** The name under which its drafts are kept. */
  draftName: string;
  /** Its present name; '' for a new one. */
  name: string;
  /** Absent for a new one. */
  version?: string;
  /** The category of a subcategory; '' for a category. */
  categoryId?: string;
  categories: readonly FaqCategory[];
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
  /** Returns its new version. Throws the refusal. */
  onSave: (values: NamedItem, ifMatch: string | undefined) => Promise<string | undefined>;
}

const nameForm = faqNameForm.extend({ categoryId: z.string() });
export type NamedItem = z.output<typeof nameForm>;

/** The name of a category or a subcategory. */
export function NameDialog({ title, verb, draftName, onSave, categories, ...props }: NameDialogProps) {
  const { name, version, categoryId = '', ...modal } = props;
  const saved: Versioned<NamedItem> = { values: { name, categoryId }, version };
  const form = useForm<NamedItem>({ resolver: zodResolver(nameForm), mode: 'onTouched', defaultValues: saved.values });
  const fields: EditedField<NamedItem>[] = [
    textField(t`Name`, 'name'),
    {
      label: t`Category`,
      paths: ['categoryId'],
      show: (values) => categories.find((category) => category.categoryId === values.categoryId)?.name ?? '',
    },
  ];
  const versioned = useVersionedForm<NamedItem>({
    form,
    name: draftName,
    saved,
    fields,
    formOf: (current: Partial<NamedItem>) => ({ name: '', categoryId: '', ...current }),
    save: async (values, base) => ({ values, version: await onSave(values, base.version) }),
  });
  const { errors, isDirty, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      if (await versioned.save(values)) modal.onClose();
    } catch (failure) {
      const isOfName = failure instanceof ApiRefusal && ofTheName.has(failure.resultName);
      form.setError(isOfName ? 'name' : 'root', { message: resultText(failure) }, { shouldFocus: true });
    }
  });
  return (
    <FormModal
      {...modal}
      title={title}
      verb={verb}
      onSubmit={submit}
      isDirty={isDirty}
      isPending={isSubmitting}
      canSubmit={isDirty}
      error={errors.root?.message}
    >
      {versioned.note}
      <FormField label={t`Name`} isRequired error={errors.name?.message}>
        <Input {...form.register('name')} maxLength={100} autoComplete="off" />
      </FormField>
      {versioned.conflict}
    </FormModal>
  );
}
