import { Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { type FaqCategory, faqNameForm, type ResultName } from '@orchestrate/shared';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import type { Versioned } from '#ui/editing/drafts.ts';
import { type EditedField, textField } from '#ui/editing/three-way.ts';
import { useVersionedForm } from '#ui/editing/use-versioned-form.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { consequencesOf, type FaqItem, type FaqKind, idOf, itemsOf, nameOf, versionOf } from './faq-tree.ts';
import { RecordDialog } from './record-dialog.tsx';
import { useFaqWrites } from './use-faq-writes.ts';

/** Refusals to display on the name field. */
const NAME_REFUSALS: ReadonlySet<ResultName | undefined> = new Set([
  'FAQ_CATEGORY_NAME_MISSING',
  'FAQ_CATEGORY_EXISTS',
  'FAQ_SUBCATEGORY_NAME_MISSING',
  'FAQ_SUBCATEGORY_EXISTS',
]);

interface NameDialogProps {
  /** Dialog title, e.g. 'Add category'. */
  title: string;
  verb: string;
  /** Storage key for the draft. */
  draftName: string;
  /** Current name; '' for a new item. */
  name: string;
  /** Absent for a new item. */
  version?: string;
  /** A subcategory's category; '' for a category. */
  categoryId?: string;
  categories: readonly FaqCategory[];
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
  /**
   * Saves the item and returns its new version.
   * @throws ApiRefusal
   */
  onSave: (values: NamedItem, ifMatch: string | undefined) => Promise<string | undefined>;
}

const nameForm = faqNameForm.extend({ categoryId: z.string() });
type NamedItem = z.output<typeof nameForm>;

/** Edits the name of a category or subcategory. */
function NameDialog({ title, verb, draftName, onSave, categories, ...props }: NameDialogProps) {
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
      const isOfName = failure instanceof ApiRefusal && NAME_REFUSALS.has(failure.resultName);
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

const words: Record<FaqKind, { verb: string; done: string }> = {
  category: { verb: t`Delete category`, done: t`Category deleted successfully` },
  subcategory: { verb: t`Delete subcategory`, done: t`Subcategory deleted successfully` },
  record: { verb: t`Delete question`, done: t`Question deleted successfully` },
};

interface DeleteItemDialogProps {
  item: FaqItem;
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Asks the user to confirm the deletion, and lists what is deleted with the item. */
function DeleteItemDialog({ item, onClose, ...dialog }: DeleteItemDialogProps) {
  const { remove } = useFaqWrites();
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<string>();
  const { verb, done } = words[item.kind];
  const confirm = async () => {
    setIsPending(true);
    try {
      await remove(item);
      toast.success(done);
      onClose();
    } catch (failure) {
      setError(resultText(failure));
    } finally {
      setIsPending(false);
    }
  };
  return (
    <ConfirmDialog
      {...dialog}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={item.kind === 'record' ? t`Delete this question?` : t`Delete ${nameOf(item)}?`}
      verb={verb}
      isDestructive
      isPending={isPending}
      consequences={consequencesOf(item)}
      error={error}
    />
  );
}

/** Action performed by an open dialog. */
export type FaqTask =
  | { do: 'add-category' }
  | { do: 'add-subcategory'; categoryId: string }
  | { do: 'add-record'; subcategoryId: string }
  | { do: 'edit'; item: FaqItem }
  | { do: 'delete'; item: FaqItem };

export const FAQ_DRAFT_PREFIX = 'FAQ ';

/** Returns the storage key for a task's draft, which is kept when the session ends. */
function draftNameOf(task: FaqTask): string {
  if (task.do === 'add-subcategory') return `${FAQ_DRAFT_PREFIX}${task.do} ${task.categoryId}`;
  if (task.do === 'add-record') return `${FAQ_DRAFT_PREFIX}${task.do} ${task.subcategoryId}`;
  return `${FAQ_DRAFT_PREFIX}${task.do}${'item' in task ? ` ${idOf(task.item)}` : ''}`;
}

/**
 * Restores the task from a draft's key without the `FAQ_DRAFT_PREFIX` prefix, or returns undefined if its item no
 * longer exists.
 */
export function taskOfDraft(name: string, categories: readonly FaqCategory[]): FaqTask | undefined {
  const [what, id = ''] = name.split(' ');
  if (what === 'add-category') return { do: what };
  if (what === 'add-subcategory') return { do: what, categoryId: id };
  if (what === 'add-record') return { do: what, subcategoryId: id };
  const item = itemsOf(categories).find((each) => idOf(each) === id);
  return item && { do: 'edit', item };
}

interface ManageFaqDialogsProps {
  task: FaqTask;
  categories: readonly FaqCategory[];
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Renders the dialog for a task. */
export function ManageFaqDialogs({ task, categories, ...frame }: ManageFaqDialogsProps) {
  const { saveCategory, saveSubcategory } = useFaqWrites();
  const add = { name: '', draftName: draftNameOf(task), categories, ...frame };
  const addCategory = async ({ name }: NamedItem) => {
    const { etag } = await saveCategory({ body: { name } });
    toast.success(t`Category added successfully`);
    return etag;
  };
  const addSubcategory = async (categoryId: string, { name }: NamedItem) => {
    const { etag } = await saveSubcategory({ body: { categoryId, name } });
    toast.success(t`Subcategory added successfully`);
    return etag;
  };
  switch (task.do) {
    case 'add-category':
      return <NameDialog {...add} title={t`Add category`} verb={t`Add category`} onSave={addCategory} />;
    case 'add-subcategory':
      return (
        <NameDialog
          {...add}
          title={t`Add subcategory`}
          verb={t`Add subcategory`}
          onSave={(values) => addSubcategory(task.categoryId, values)}
        />
      );
    case 'add-record':
      return (
        <RecordDialog
          {...frame}
          draftName={draftNameOf(task)}
          categories={categories}
          subcategoryId={task.subcategoryId}
        />
      );
    case 'delete':
      return <DeleteItemDialog {...frame} item={task.item} />;
    case 'edit':
      return <EditItemDialog {...frame} item={task.item} categories={categories} />;
  }
}

function EditItemDialog({ item, categories, ...frame }: Omit<ManageFaqDialogsProps, 'task'> & { item: FaqItem }) {
  const { saveCategory, saveSubcategory } = useFaqWrites();
  const draftName = draftNameOf({ do: 'edit', item });
  if (item.kind === 'record') {
    return (
      <RecordDialog
        {...frame}
        draftName={draftName}
        categories={categories}
        subcategoryId={item.subcategoryId}
        record={item.record}
      />
    );
  }
  const rename = async ({ name, categoryId }: NamedItem, ifMatch: string | undefined) => {
    const { etag } =
      item.kind === 'category'
        ? await saveCategory({ body: { categoryId: item.category.categoryId, name } }, { ifMatch })
        : await saveSubcategory(
            { body: { subcategoryId: item.subcategory.subcategoryId, categoryId, name } },
            { ifMatch },
          );
    return etag;
  };
  return (
    <NameDialog
      {...frame}
      title={item.kind === 'category' ? t`Rename category` : t`Rename subcategory`}
      verb={t`Rename`}
      draftName={draftName}
      name={nameOf(item)}
      version={versionOf(item)}
      categories={categories}
      categoryId={item.kind === 'subcategory' ? item.categoryId : ''}
      onSave={rename}
    />
  );
}
