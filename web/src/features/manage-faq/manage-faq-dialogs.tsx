import { t } from '@lingui/core/macro';
import type { FaqCategory } from '@orchestrate/shared';
import { toast } from '../../lib/notices/toaster.ts';
import { DeleteItemDialog } from './delete-item-dialog.tsx';
import { type FaqItem, idOf, itemsOf, nameOf, versionOf } from './faq-tree.ts';
import { NameDialog, type NamedItem } from './name-dialog.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { useFaqWrites } from './use-faq-writes.ts';

/** The action to do. */
export type FaqTask =
  | { do: 'add-category' }
  | { do: 'add-subcategory'; categoryId: string }
  | { do: 'add-record'; subcategoryId: string }
  | { do: 'edit'; item: FaqItem }
  | { do: 'delete'; item: FaqItem };

export const FAQ_DRAFTS = 'FAQ ';

/** The name under which a task's draft is kept when the session ends. */
function draftNameOf(task: FaqTask): string {
  if (task.do === 'add-subcategory') return `${FAQ_DRAFTS}${task.do} ${task.categoryId}`;
  if (task.do === 'add-record') return `${FAQ_DRAFTS}${task.do} ${task.subcategoryId}`;
  return `${FAQ_DRAFTS}${task.do}${'item' in task ? ` ${idOf(task.item)}` : ''}`;
}

/** The task for such a name, without `FAQ_DRAFTS`; undefined where its item is gone. */
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

/** The dialog in which a task is done. */
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
