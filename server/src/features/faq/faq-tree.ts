import type { faqRepo } from '@orchestrate/db';
import type { FaqCategory } from '@orchestrate/shared';
import { versionOf } from '#platform/http/versions.ts';

/** Returns sibling ids after moving or adding one; without a position it stays, or is added last. */
export function withMovedId(ids: readonly string[], id: string, position: number | undefined): string[] {
  const isNew = !ids.includes(id);
  if (position === undefined) return isNew ? [...ids, id] : [...ids];
  return ids.filter((other) => other !== id).toSpliced(position, 0, id);
}

/** Returns the editable fields. Positions are excluded: moving one item moves others too. */
export const editableCategory = ({ name }: Pick<faqRepo.FaqCategoryRow, 'name'>) => ({ name });
export const editableSubcategory = ({ categoryId, name }: Pick<faqRepo.FaqSubcategoryRow, 'categoryId' | 'name'>) => ({
  categoryId,
  name,
});
export const editableRecord = ({
  subcategoryId,
  question,
  answer,
}: Pick<faqRepo.FaqRecordRow, 'subcategoryId' | 'question' | 'answer'>) => ({ subcategoryId, question, answer });

/** Converts rows to a tree, each level in order. */
export function treeOf({ categories, subcategories, records }: faqRepo.FaqRows): FaqCategory[] {
  const recordsOf = Map.groupBy(records, ({ subcategoryId }) => subcategoryId);
  const subcategoriesOf = Map.groupBy(subcategories, ({ categoryId }) => categoryId);
  return categories.map(({ id: categoryId, name }) => ({
    categoryId,
    name,
    version: versionOf(editableCategory({ name })),
    subcategories: (subcategoriesOf.get(categoryId) ?? []).map((subcategory) => ({
      subcategoryId: subcategory.id,
      name: subcategory.name,
      version: versionOf(editableSubcategory(subcategory)),
      records: (recordsOf.get(subcategory.id) ?? []).map((record) => ({
        recordId: record.id,
        question: record.question,
        answer: record.answer,
        version: versionOf(editableRecord(record)),
      })),
    })),
  }));
}
