import { plural, t } from '@lingui/core/macro';
import type { FaqCategory, FaqRecord, FaqSubcategory } from '@orchestrate/shared';

/** A tree item with its parent, its position and the number of items at its level. */
export type FaqItem = { position: number; count: number } & (
  | { kind: 'category'; category: FaqCategory }
  | { kind: 'subcategory'; subcategory: FaqSubcategory; categoryId: string }
  | { kind: 'record'; record: FaqRecord; subcategoryId: string }
);

export type FaqKind = FaqItem['kind'];

export function idOf(item: FaqItem): string {
  if (item.kind === 'category') return item.category.categoryId;
  if (item.kind === 'subcategory') return item.subcategory.subcategoryId;
  return item.record.recordId;
}

/** Lists all items of the tree. */
export function itemsOf(categories: readonly FaqCategory[]): FaqItem[] {
  return categories.flatMap((category, position) => [
    { kind: 'category' as const, category, position, count: categories.length },
    ...category.subcategories.flatMap((subcategory, at, { length: count }) => [
      { kind: 'subcategory' as const, subcategory, categoryId: category.categoryId, position: at, count },
      ...subcategory.records.map((record, row, records) => ({
        kind: 'record' as const,
        record,
        subcategoryId: subcategory.subcategoryId,
        position: row,
        count: records.length,
      })),
    ]),
  ]);
}

export function versionOf(item: FaqItem): string {
  if (item.kind === 'category') return item.category.version;
  if (item.kind === 'subcategory') return item.subcategory.version;
  return item.record.version;
}

/** Returns the item's name, or the question text. */
export function nameOf(item: FaqItem): string {
  if (item.kind === 'category') return item.category.name;
  if (item.kind === 'subcategory') return item.subcategory.name;
  return item.record.question;
}

export const questionsText = (count: number): string => plural(count, { one: '# question', other: '# questions' });

export const questionCount = ({ subcategories }: FaqCategory): number =>
  subcategories.reduce((sum, { records }) => sum + records.length, 0);

/** Returns sentences that describe what is deleted with the item. */
export function consequencesOf(item: FaqItem): string[] {
  const end = t`This can't be undone.`;
  if (item.kind === 'record') return [t`This deletes the question and its answer for everyone.`, end];
  if (item.kind === 'subcategory') {
    const { length } = item.subcategory.records;
    return length > 0 ? [t`Its ${questionsText(length)} will be deleted too.`, end] : [end];
  }
  const { length } = item.category.subcategories;
  if (length === 0) return [end];
  const subcategories = plural(length, { one: '# subcategory', other: '# subcategories' });
  return [t`Its ${subcategories} with ${questionsText(questionCount(item.category))} will be deleted too.`, end];
}
