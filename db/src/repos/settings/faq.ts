import { nameKey } from '@orchestrate/shared';
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Tx } from '../../database.ts';
import { faqCategories, faqRecords, faqSubcategories } from '../../schema/faq.ts';
import { isTaken } from '../../sql.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type FaqCategoryRow = typeof faqCategories.$inferSelect;
export type FaqSubcategoryRow = typeof faqSubcategories.$inferSelect;
export type FaqRecordRow = typeof faqRecords.$inferSelect;

/** Siblings' names must differ in more than case, width and white space. */
const keyOf = (name: string): string => nameKey(name.normalize('NFKC'));
/** Returns whether two names are equal, ignoring case and the width of characters. */
export const isSameName = (a: string, b: string): boolean => keyOf(a) === keyOf(b);

type Table = { orgCode: SQLiteColumn; id: SQLiteColumn };
const named = ({ orgCode, id }: Table, [org, wanted]: [orgCode: string, id: string]) =>
  and(eq(orgCode, org), eq(id, wanted));

const inOrder = <T extends { position: SQLiteColumn; id: SQLiteColumn }>({ position, id }: T) => [
  asc(position),
  asc(id),
];

const param = sql.placeholder;

const categories = drizzleStatement((db) =>
  db
    .select()
    .from(faqCategories)
    .where(eq(faqCategories.orgCode, param('orgCode')))
    .orderBy(...inOrder(faqCategories))
    .prepare(),
);
const subcategories = drizzleStatement((db) =>
  db
    .select()
    .from(faqSubcategories)
    .where(eq(faqSubcategories.orgCode, param('orgCode')))
    .orderBy(...inOrder(faqSubcategories))
    .prepare(),
);
const records = drizzleStatement((db) =>
  db
    .select()
    .from(faqRecords)
    .where(eq(faqRecords.orgCode, param('orgCode')))
    .orderBy(...inOrder(faqRecords))
    .prepare(),
);

export interface FaqRows {
  categories: FaqCategoryRow[];
  subcategories: FaqSubcategoryRow[];
  records: FaqRecordRow[];
}

/** Lists all questions and answers of an organisation, in display order. */
export function listFaq(tx: Tx, orgCode: string): FaqRows {
  return {
    categories: categories(tx).all({ orgCode }),
    subcategories: subcategories(tx).all({ orgCode }),
    records: records(tx).all({ orgCode }),
  };
}

/** Counts the questions of an organisation. */
export function countRecords(tx: Tx, orgCode: string): number {
  return tx.select({ records: count() }).from(faqRecords).where(eq(faqRecords.orgCode, orgCode)).get()?.records ?? 0;
}

/** Finds a category of the organisation. */
export function findCategory(tx: Tx, orgCode: string, id: string): FaqCategoryRow | undefined {
  return tx
    .select()
    .from(faqCategories)
    .where(named(faqCategories, [orgCode, id]))
    .get();
}

/** Finds a subcategory of the organisation. */
export function findSubcategory(tx: Tx, orgCode: string, id: string): FaqSubcategoryRow | undefined {
  return tx
    .select()
    .from(faqSubcategories)
    .where(named(faqSubcategories, [orgCode, id]))
    .get();
}

/** Finds a question of the organisation. */
export function findRecord(tx: Tx, orgCode: string, id: string): FaqRecordRow | undefined {
  return tx
    .select()
    .from(faqRecords)
    .where(named(faqRecords, [orgCode, id]))
    .get();
}

/** Finds the category with this name (see `isSameName`). */
export function findCategoryByName(tx: Tx, orgCode: string, name: string): FaqCategoryRow | undefined {
  return tx
    .select()
    .from(faqCategories)
    .where(and(eq(faqCategories.orgCode, orgCode), eq(faqCategories.nameKey, keyOf(name))))
    .get();
}

/** Finds the subcategory of a category with this name (see `isSameName`). */
export function findSubcategoryByName(
  tx: Tx,
  { orgCode, id }: Pick<FaqCategoryRow, 'orgCode' | 'id'>,
  name: string,
): FaqSubcategoryRow | undefined {
  const within = and(eq(faqSubcategories.categoryId, id), eq(faqSubcategories.orgCode, orgCode));
  return tx
    .select()
    .from(faqSubcategories)
    .where(and(within, eq(faqSubcategories.nameKey, keyOf(name))))
    .get();
}

/** Lists the records of a subcategory with this question, in order: a question can occur more than once. */
export function listAnswersTo(
  tx: Tx,
  { orgCode, id }: Pick<FaqSubcategoryRow, 'orgCode' | 'id'>,
  question: string,
): FaqRecordRow[] {
  const within = and(eq(faqRecords.subcategoryId, id), eq(faqRecords.orgCode, orgCode));
  return tx
    .select()
    .from(faqRecords)
    .where(and(within, eq(faqRecords.question, question)))
    .orderBy(...inOrder(faqRecords))
    .all();
}

/** Lists the ids of an organisation's categories, in order. */
export function listCategoryIds(tx: Tx, orgCode: string): string[] {
  return categories(tx)
    .all({ orgCode })
    .map(({ id }) => id);
}

/** Lists the ids of a category's subcategories, in order. */
export function listSubcategoryIds(tx: Tx, orgCode: string, categoryId: string): string[] {
  const within: SQL | undefined = and(
    eq(faqSubcategories.categoryId, categoryId),
    eq(faqSubcategories.orgCode, orgCode),
  );
  return tx
    .select({ id: faqSubcategories.id })
    .from(faqSubcategories)
    .where(within)
    .orderBy(...inOrder(faqSubcategories))
    .all()
    .map(({ id }) => id);
}

/** Lists the ids of a subcategory's questions, in order. */
export function listRecordIds(tx: Tx, orgCode: string, subcategoryId: string): string[] {
  const within = and(eq(faqRecords.subcategoryId, subcategoryId), eq(faqRecords.orgCode, orgCode));
  return tx
    .select({ id: faqRecords.id })
    .from(faqRecords)
    .where(within)
    .orderBy(...inOrder(faqRecords))
    .all()
    .map(({ id }) => id);
}

/**
 * Adds or renames a category. Returns false if the organisation already has the name. `orderCategories` sets its
 * position.
 */
export function saveCategory(tx: Tx, { id, orgCode, name }: Pick<FaqCategoryRow, 'id' | 'orgCode' | 'name'>): boolean {
  const nameKey = keyOf(name);
  return unlessTaken('faq_categories.nameKey', () =>
    tx
      .insert(faqCategories)
      .values({ id, orgCode, name, nameKey, position: 0 })
      .onConflictDoUpdate({ target: faqCategories.id, set: { name, nameKey } })
      .run(),
  );
}

/** Adds, renames or moves a subcategory. Returns false if its category already has the name. */
export function saveSubcategory(
  tx: Tx,
  { id, orgCode, categoryId, name }: Pick<FaqSubcategoryRow, 'id' | 'orgCode' | 'categoryId' | 'name'>,
): boolean {
  const nameKey = keyOf(name);
  return unlessTaken('faq_subcategories.nameKey', () =>
    tx
      .insert(faqSubcategories)
      .values({ id, orgCode, categoryId, name, nameKey, position: 0 })
      .onConflictDoUpdate({ target: faqSubcategories.id, set: { categoryId, name, nameKey } })
      .run(),
  );
}

/**
 * Adds or updates a question.
 * @param record its `answer` is sanitised HTML
 */
export function saveRecord(tx: Tx, record: Omit<FaqRecordRow, 'position'>): void {
  const { subcategoryId, question, answer } = record;
  tx.insert(faqRecords)
    .values({ ...record, position: 0 })
    .onConflictDoUpdate({ target: faqRecords.id, set: { subcategoryId, question, answer } })
    .run();
}

function unlessTaken(column: `${string}.${string}`, write: () => unknown): boolean {
  try {
    write();
    return true;
  } catch (reason) {
    if (isTaken(reason, column)) return false;
    throw reason;
  }
}

/** Sets the order of categories to that of their ids. */
export function orderCategories(tx: Tx, orgCode: string, ids: readonly string[]): void {
  for (const [position, id] of ids.entries()) {
    tx.update(faqCategories)
      .set({ position })
      .where(named(faqCategories, [orgCode, id]))
      .run();
  }
}

/** Sets the order of subcategories to that of their ids. */
export function orderSubcategories(tx: Tx, orgCode: string, ids: readonly string[]): void {
  for (const [position, id] of ids.entries()) {
    tx.update(faqSubcategories)
      .set({ position })
      .where(named(faqSubcategories, [orgCode, id]))
      .run();
  }
}

/** Sets the order of questions to that of their ids. */
export function orderRecords(tx: Tx, orgCode: string, ids: readonly string[]): void {
  for (const [position, id] of ids.entries()) {
    tx.update(faqRecords)
      .set({ position })
      .where(named(faqRecords, [orgCode, id]))
      .run();
  }
}

/** Deletes a category with its contents. Returns false if it doesn't exist. */
export function deleteCategory(tx: Tx, orgCode: string, id: string): boolean {
  return (
    tx
      .delete(faqCategories)
      .where(named(faqCategories, [orgCode, id]))
      .run().changes > 0
  );
}

/** Deletes a subcategory with its questions. Returns false if it doesn't exist. */
export function deleteSubcategory(tx: Tx, orgCode: string, id: string): boolean {
  return (
    tx
      .delete(faqSubcategories)
      .where(named(faqSubcategories, [orgCode, id]))
      .run().changes > 0
  );
}

/** Deletes a question. Returns false if it doesn't exist. */
export function deleteRecord(tx: Tx, orgCode: string, id: string): boolean {
  return (
    tx
      .delete(faqRecords)
      .where(named(faqRecords, [orgCode, id]))
      .run().changes > 0
  );
}
