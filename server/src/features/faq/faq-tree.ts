import type { faqRepo } from '@orchestrate/db';
import type { FaqCategory } from '@orchestrate/shared';
import { versionOf } from '#platform/http/versions.ts';

/**
 * Returns the sibling IDs after moving or adding `id`. Without a position, an existing ID stays where it is and a new
 * ID is added last.
 */
export function withMovedId(ids: readonly string[], id: string, position: number | undefined): string[] {
  const isNew = !ids.includes(id);
  if (position === undefined) return isNew ? [...ids, id] : [...ids];
  return ids.filter((other) => other !== id).toSpliced(position, 0, id);
}

/** Returns the editable fields, without the position, because moving one item also moves others. */
export const editableCategoryFields = ({ name }: Pick<faqRepo.FaqCategoryRow, 'name'>) => ({ name });
export const editableSubcategoryFields = ({
  categoryId,
  name,
}: Pick<faqRepo.FaqSubcategoryRow, 'categoryId' | 'name'>) => ({
  categoryId,
  name,
});
export const editableRecordFields = ({
  subcategoryId,
  question,
  answer,
}: Pick<faqRepo.FaqRecordRow, 'subcategoryId' | 'question' | 'answer'>) => ({ subcategoryId, question, answer });

/** Converts ordered rows to a tree. */
export function treeOf({ categories, subcategories, records }: faqRepo.FaqRows): FaqCategory[] {
  const recordsOf = Map.groupBy(records, ({ subcategoryId }) => subcategoryId);
  const subcategoriesOf = Map.groupBy(subcategories, ({ categoryId }) => categoryId);
  return categories.map(({ id: categoryId, name }) => ({
    categoryId,
    name,
    version: versionOf(editableCategoryFields({ name })),
    subcategories: (subcategoriesOf.get(categoryId) ?? []).map((subcategory) => ({
      subcategoryId: subcategory.id,
      name: subcategory.name,
      version: versionOf(editableSubcategoryFields(subcategory)),
      records: (recordsOf.get(subcategory.id) ?? []).map((record) => ({
        recordId: record.id,
        question: record.question,
        answer: record.answer,
        version: versionOf(editableRecordFields(record)),
      })),
    })),
  }));
}
