import { Button, chakra, Flex, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { type FaqNameForm, faqNameForm, type ResultName } from '@orchestrate/shared';
import { useForm } from 'react-hook-form';
import { ApiRefusal } from '../../lib/api-refusal.ts';
import { resultText } from '../../lib/result-text.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { Modal } from '../../ui/modal.tsx';

/** Codes 43, 44, 46 and 47: they are about the name. */
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
  /** What it is called now; '' for a new one. */
  name: string;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
  /** Throws the refusal. */
  onSave: (name: string) => Promise<unknown>;
}

/** The name of a category or a subcategory. */
export function NameDialog({ title, verb, name, onSave, ...modal }: NameDialogProps) {
  const form = useForm<FaqNameForm>({
    resolver: zodResolver(faqNameForm),
    mode: 'onTouched',
    defaultValues: { name },
  });
  const { errors, isDirty, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      await onSave(values.name);
      modal.onClose();
    } catch (failure) {
      const isOfName = failure instanceof ApiRefusal && ofTheName.has(failure.resultName);
      form.setError(isOfName ? 'name' : 'root', { message: resultText(failure) }, { shouldFocus: true });
    }
  });
  return (
    <Modal {...modal} title={title}>
      <chakra.form noValidate display="flex" flexDirection="column" gap="5" onSubmit={(event) => void submit(event)}>
        <FormField label="Name" isRequired error={errors.name?.message}>
          <Input {...form.register('name')} maxLength={100} autoComplete="off" />
        </FormField>
        {errors.root && <AlertLine>{errors.root.message}</AlertLine>}
        <Flex gap="2.5" justify="flex-end">
          <Button type="button" variant="outline" onClick={modal.onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isDirty} loading={isSubmitting} loadingText={verb}>
            {verb}
          </Button>
        </Flex>
      </chakra.form>
    </Modal>
  );
}
