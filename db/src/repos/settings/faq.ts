import { nameKey } from '@orchestrate/shared';
import { and, asc, count, eq, type SQL, type SQLiteColumn, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { faqCategories, faqRecords, faqSubcategories } from '../../schema/faq.ts';
import { isUniqueViolation } from '../../sql.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type FaqCategoryRow = typeof faqCategories.$inferSelect;
export type FaqSubcategoryRow = typeof faqSubcategories.$inferSelect;
export type FaqRecordRow = typeof faqRecords.$inferSelect;

/**
 * Returns the comparison key of a name. Names of siblings must differ in more than case, character width and white
 * space.
 */
const keyOf = (name: string): string => nameKey(name.normalize('NFKC'));
/** Returns true if two names are equal, ignoring case, character width and extra white space. */
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

/** Lists an organisation's FAQ in display order. */
export function listFaq(tx: Tx, orgCode: string): FaqRows {
  return {
    categories: categories(tx).all({ orgCode }),
    subcategories: subcategories(tx).all({ orgCode }),
    records: records(tx).all({ orgCode }),
  };
}

/** Counts an organisation's FAQ questions. */
export function countFaqRecords(tx: Tx, orgCode: string): number {
  return tx.select({ records: count() }).from(faqRecords).where(eq(faqRecords.orgCode, orgCode)).get()?.records ?? 0;
}

export function findCategory(tx: Tx, orgCode: string, id: string): FaqCategoryRow | undefined {
  return tx
    .select()
    .from(faqCategories)
    .where(named(faqCategories, [orgCode, id]))
    .get();
}

export function findSubcategory(tx: Tx, orgCode: string, id: string): FaqSubcategoryRow | undefined {
  return tx
    .select()
    .from(faqSubcategories)
    .where(named(faqSubcategories, [orgCode, id]))
    .get();
}

/** Finds a question and its answer. */
export function findRecord(tx: Tx, orgCode: string, id: string): FaqRecordRow | undefined {
  return tx
    .select()
    .from(faqRecords)
    .where(named(faqRecords, [orgCode, id]))
    .get();
}

/** Finds the category with this name, compared with `isSameName`. */
export function findCategoryByName(tx: Tx, orgCode: string, name: string): FaqCategoryRow | undefined {
  return tx
    .select()
    .from(faqCategories)
    .where(and(eq(faqCategories.orgCode, orgCode), eq(faqCategories.nameKey, keyOf(name))))
    .get();
}

/** Finds a category's subcategory with this name, compared with `isSameName`. */
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

/** Lists a subcategory's records with this question, in display order. A question can occur more than once. */
export function listRecordsByQuestion(
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

/** Lists the IDs of an organisation's categories, in display order. */
export function listCategoryIds(tx: Tx, orgCode: string): string[] {
  return categories(tx)
    .all({ orgCode })
    .map(({ id }) => id);
}

/** Lists the IDs of a category's subcategories, in display order. */
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

/** Lists the IDs of a subcategory's questions, in display order. */
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
 * Adds or renames a category. Returns false if the name is already taken in the organisation. `orderCategories` sets
 * the position.
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

/** Adds, renames or moves a subcategory. Returns false if the name is already taken in its category. */
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
 * Adds or updates a question and its answer.
 * @param record its `answer` must be sanitised HTML
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
    if (isUniqueViolation(reason, column)) return false;
    throw reason;
  }
}

/** Sorts the categories in the order of these IDs. */
export function orderCategories(tx: Tx, orgCode: string, ids: readonly string[]): void {
  for (const [position, id] of ids.entries()) {
    tx.update(faqCategories)
      .set({ position })
      .where(named(faqCategories, [orgCode, id]))
      .run();
  }
}

/** Sorts the subcategories in the order of these IDs. */
export function orderSubcategories(tx: Tx, orgCode: string, ids: readonly string[]): void {
  for (const [position, id] of ids.entries()) {
    tx.update(faqSubcategories)
      .set({ position })
      .where(named(faqSubcategories, [orgCode, id]))
      .run();
  }
}

/** Sorts the questions in the order of these IDs. */
export function orderRecords(tx: Tx, orgCode: string, ids: readonly string[]): void {
  for (const [position, id] of ids.entries()) {
    tx.update(faqRecords)
      .set({ position })
      .where(named(faqRecords, [orgCode, id]))
      .run();
  }
}

/** Deletes a category and its contents. Returns false if the category doesn't exist. */
export function deleteCategory(tx: Tx, orgCode: string, id: string): boolean {
  return (
    tx
      .delete(faqCategories)
      .where(named(faqCategories, [orgCode, id]))
      .run().changes > 0
  );
}

/** Deletes a subcategory and its questions. Returns false if the subcategory doesn't exist. */
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
