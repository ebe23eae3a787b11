import { Box, Button, Input, Skeleton, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { type FaqCategory, type FaqRecord, type FaqRecordForm, faqRecordForm } from '@orchestrate/shared';
import { Suspense, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { type EditedField, textField } from '#ui/editing/three-way.ts';
import { useVersionedForm } from '#ui/editing/use-versioned-form.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { Select } from '#ui/form/select.tsx';
import { RichText } from '#ui/text/rich-text/rich-text.tsx';
import { answerText } from '#ui/text/rich-text/text-in-html.ts';
import { useFaqWrites } from './use-faq-writes.ts';

/** Previews the sanitised answer, as readers will see it. */
function AnswerPreview({ html }: { html: string }) {
  return (
    <Box
      role="region"
      aria-label={t`Preview`}
      tabIndex={0}
      minH="40"
      maxH="96"
      overflowY="auto"
      p="4"
      borderWidth="1px"
      borderRadius="l2"
      outline="0"
      focusVisibleRing="outside"
    >
      {html === '' ? <Text color="fg.muted">{t`Nothing to preview yet.`}</Text> : <RichText html={html} />}
    </Box>
  );
}

const RichTextEditor = lazyPart(() => import('#ui/text/rich-text/rich-text-editor.tsx'));

interface RecordDialogProps {
  categories: readonly FaqCategory[];
  subcategoryId: string;
  /** Storage key for the draft. */
  draftName: string;
  /** Absent for a new question. */
  record?: FaqRecord | undefined;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Edits a question and its answer, with a preview. */
export function RecordDialog({ draftName, categories, subcategoryId, record, ...modal }: RecordDialogProps) {
  const { saveRecord } = useFaqWrites();
  const [isPreview, setIsPreview] = useState(false);
  const saved = {
    values: { subcategoryId, question: record?.question ?? '', answer: record?.answer ?? '' },
    version: record?.version,
  };
  const form = useForm<FaqRecordForm>({
    resolver: zodResolver(faqRecordForm),
    mode: 'onTouched',
    defaultValues: saved.values,
  });
  const { errors, isDirty, isSubmitting } = form.formState;
  const answer = useWatch({ control: form.control, name: 'answer' });
  const fields: EditedField<FaqRecordForm>[] = [
    {
      label: t`Subcategory`,
      paths: ['subcategoryId'],
      show: (values) =>
        categories
          .flatMap(({ subcategories }) => subcategories)
          .find((each) => each.subcategoryId === values.subcategoryId)?.name ?? '',
    },
    textField(t`Question`, 'question'),
    { label: t`Answer`, paths: ['answer'], show: (values) => answerText(values.answer) },
  ];
  const versioned = useVersionedForm<FaqRecordForm>({
    form,
    name: draftName,
    saved,
    fields,
    formOf: (current: FaqRecordForm) => current,
    save: async (values, { version: ifMatch }) => {
      const body = { ...values, ...(record && { recordId: record.recordId }) };
      const { answer: stored, etag } = await saveRecord({ body }, { ifMatch });
      return { values: { ...values, answer: stored }, version: etag };
    },
  });
  const verb = record ? t`Save` : t`Add question`;

  const submit = form.handleSubmit(async (values) => {
    try {
      if (!(await versioned.save(values))) return;
      toast.success(record ? t`Question updated successfully` : t`Question added successfully`);
      modal.onClose();
    } catch (failure) {
      form.setError(fieldOf(failure), { message: resultText(failure) }, { shouldFocus: true });
    }
  });

  return (
    <FormModal
      {...modal}
      size="lg"
      title={record ? t`Edit question` : t`Add question`}
      verb={verb}
      onSubmit={submit}
      isDirty={isDirty}
      isPending={isSubmitting}
      canSubmit={isDirty}
      error={errors.root?.message}
      aside={
        <Button variant="outline" aria-pressed={isPreview} onClick={() => setIsPreview(!isPreview)}>
          {isPreview ? t`Write` : t`Preview`}
        </Button>
      }
    >
      {versioned.note}
      <FormField label={t`Subcategory`} isRequired error={errors.subcategoryId?.message}>
        <Select {...form.register('subcategoryId')}>
          {categories.map(({ categoryId, name, subcategories }) => (
            <optgroup key={categoryId} label={name}>
              {subcategories.map((subcategory) => (
                <option key={subcategory.subcategoryId} value={subcategory.subcategoryId}>
                  {subcategory.name}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </FormField>
      <FormField label={t`Question`} isRequired error={errors.question?.message}>
        <Input {...form.register('question')} maxLength={500} autoComplete="off" />
      </FormField>
      <FormField label={t`Answer`} isRequired error={errors.answer?.message}>
        <Box hidden={isPreview}>
          <Suspense fallback={<Skeleton h="64" borderRadius="l2" />}>
            <Controller
              control={form.control}
              name="answer"
              render={({ field: { value, onChange, onBlur } }) => (
                <RichTextEditor label={t`Answer`} value={value} onChange={onChange} onBlur={onBlur} />
              )}
            />
          </Suspense>
        </Box>
        {isPreview && <AnswerPreview html={answer} />}
      </FormField>
      {versioned.conflict}
    </FormModal>
  );
}

/** Returns the form field to display a refusal on. */
function fieldOf(failure: unknown): keyof FaqRecordForm | 'root' {
  if (!(failure instanceof ApiRefusal)) return 'root';
  if (failure.resultName === 'FAQ_RECORD_INCOMPLETE') return 'answer';
  if (failure.resultName === 'FAQ_SUBCATEGORY_NOT_FOUND') return 'subcategoryId';
  return failure.issues.some(({ path }) => path === 'answer') ? 'answer' : 'root';
}
