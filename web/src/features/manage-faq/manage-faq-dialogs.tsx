import type { FaqCategory } from '@orchestrate/shared';
import { toast } from '../../lib/toaster.ts';
import { DeleteItemDialog } from './delete-item-dialog.tsx';
import { type FaqItem, nameOf } from './faq-tree.ts';
import { NameDialog } from './name-dialog.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { useFaqWrites } from './use-faq-writes.ts';

/** What is asked for. */
export type FaqTask =
  | { do: 'add-category' }
  | { do: 'add-subcategory'; categoryId: string }
  | { do: 'add-record'; subcategoryId: string }
  | { do: 'edit'; item: FaqItem }
  | { do: 'delete'; item: FaqItem };

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
  const add = { name: '', ...frame };
  const addCategory = async (name: string) => {
    await saveCategory({ body: { name } });
    toast.success('Category added successfully');
  };
  const addSubcategory = async (categoryId: string, name: string) => {
    await saveSubcategory({ body: { categoryId, name } });
    toast.success('Subcategory added successfully');
  };
  switch (task.do) {
    case 'add-category':
      return <NameDialog {...add} title="Add category" verb="Add category" onSave={addCategory} />;
    case 'add-subcategory':
      return (
        <NameDialog
          {...add}
          title="Add subcategory"
          verb="Add subcategory"
          onSave={(name) => addSubcategory(task.categoryId, name)}
        />
      );
    case 'add-record':
      return <RecordDialog {...frame} categories={categories} subcategoryId={task.subcategoryId} />;
    case 'delete':
      return <DeleteItemDialog {...frame} item={task.item} />;
    case 'edit':
      return <EditItemDialog {...frame} item={task.item} categories={categories} />;
  }
}

function EditItemDialog({ item, categories, ...frame }: Omit<ManageFaqDialogsProps, 'task'> & { item: FaqItem }) {
  const { saveCategory, saveSubcategory } = useFaqWrites();
  if (item.kind === 'record') {
    return <RecordDialog {...frame} categories={categories} subcategoryId={item.subcategoryId} record={item.record} />;
  }
  const rename = (name: string) =>
    item.kind === 'category'
      ? saveCategory({ body: { categoryId: item.category.categoryId, name } })
      : saveSubcategory({
          body: { subcategoryId: item.subcategory.subcategoryId, categoryId: item.categoryId, name },
        });
  return (
    <NameDialog
      {...frame}
      title={item.kind === 'category' ? 'Rename category' : 'Rename subcategory'}
      verb="Rename"
      name={nameOf(item)}
      onSave={rename}
    />
  );
}
