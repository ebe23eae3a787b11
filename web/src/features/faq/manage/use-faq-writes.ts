import {
  deleteFaqCategory,
  deleteFaqRecord,
  deleteFaqSubcategory,
  saveFaqCategory,
  saveFaqRecord,
  saveFaqSubcategory,
} from '@orchestrate/shared';
import { useWrite } from '#lib/api/use-write.ts';
import { type FaqItem, versionOf } from './faq-tree.ts';

const invalidates = { invalidates: ['FAQ'] } as const;

/** Returns functions that change the tree. Each throws ApiRefusal if the server rejects the change. */
export function useFaqWrites() {
  const category = useWrite(saveFaqCategory, invalidates);
  const subcategory = useWrite(saveFaqSubcategory, invalidates);
  const record = useWrite(saveFaqRecord, invalidates);
  const noCategory = useWrite(deleteFaqCategory, invalidates);
  const noSubcategory = useWrite(deleteFaqSubcategory, invalidates);
  const noRecord = useWrite(deleteFaqRecord, invalidates);

  /** Moves an item to another position among its siblings, starting at 0. */
  const move = async (item: FaqItem, position: number): Promise<void> => {
    // A move sends the whole item, so check its version to avoid undoing someone else's later change.
    const options = { ifMatch: versionOf(item) };
    if (item.kind === 'category') {
      const { categoryId, name } = item.category;
      await category.run({ body: { categoryId, name, position } }, options);
    } else if (item.kind === 'subcategory') {
      const { subcategoryId, name } = item.subcategory;
      await subcategory.run({ body: { subcategoryId, name, position, categoryId: item.categoryId } }, options);
    } else {
      const { recordId, question, answer } = item.record;
      const body = { recordId, question, answer, position, subcategoryId: item.subcategoryId };
      await record.run({ body }, options);
    }
  };

  const remove = async (item: FaqItem): Promise<void> => {
    if (item.kind === 'category') await noCategory.run({ body: { categoryId: item.category.categoryId } });
    else if (item.kind === 'subcategory')
      await noSubcategory.run({ body: { subcategoryId: item.subcategory.subcategoryId } });
    else await noRecord.run({ body: { recordId: item.record.recordId } });
  };

  return { saveCategory: category.run, saveSubcategory: subcategory.run, saveRecord: record.run, move, remove };
}
