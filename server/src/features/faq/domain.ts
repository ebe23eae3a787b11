import type { faqRepo } from '@orchestrate/db';
import type { FaqCategory } from '@orchestrate/shared';

/** Siblings after one of them, or a new one, has gone to a place; without a place it stays, or comes last. */
export function placed(ids: readonly string[], id: string, position: number | undefined): string[] {
  const isNew = !ids.includes(id);
  if (position === undefined) return isNew ? [...ids, id] : [...ids];
  return ids.filter((other) => other !== id).toSpliced(position, 0, id);
}

/** Rows as a tree, each level in its order. */
export function treeOf({ categories, subcategories, records }: faqRepo.FaqRows): FaqCategory[] {
  const recordsOf = Map.groupBy(records, ({ subcategoryId }) => subcategoryId);
  const subcategoriesOf = Map.groupBy(subcategories, ({ categoryId }) => categoryId);
  return categories.map(({ id: categoryId, name }) => ({
    categoryId,
    name,
    subcategories: (subcategoriesOf.get(categoryId) ?? []).map((subcategory) => ({
      subcategoryId: subcategory.id,
      name: subcategory.name,
      records: (recordsOf.get(subcategory.id) ?? []).map(({ id, question, answer }) => ({
        recordId: id,
        question,
        answer,
      })),
    })),
  }));
}
