import { faqRepo, type Tx } from '@orchestrate/db';
import {
  LIMITS,
  type RequestOf,
  type saveFaqCategory,
  type saveFaqRecord,
  type saveFaqSubcategory,
} from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../http/refusal.ts';
import { placed } from './domain.ts';
import { isBlank, sanitiseRichText } from './rich-text.ts';

const IMMEDIATE = { behavior: 'immediate' } as const;

/**
 * Makes, renames or moves a category, and answers with its id.
 * @throws Refusal FAQ_CATEGORY_NAME_MISSING, FAQ_CATEGORY_EXISTS, FAQ_CATEGORY_NOT_FOUND; INVALID_REQUEST for one too many
 */
export function saveCategory(
  { db, random }: Deps,
  orgCode: string,
  { categoryId, name, position }: RequestOf<typeof saveFaqCategory>['body'],
): string {
  if (name === '') throw new Refusal('FAQ_CATEGORY_NAME_MISSING');
  const id = categoryId ?? random.id();
  db.transaction((tx) => {
    if (categoryId) requireCategory(tx, orgCode, categoryId);
    const ids = placed(faqRepo.listCategoryIds(tx, orgCode), id, position);
    requireRoom(ids.length, LIMITS.faqCategories, 'categories');
    if (!faqRepo.saveCategory(tx, { id, orgCode, name })) throw new Refusal('FAQ_CATEGORY_EXISTS');
    faqRepo.placeCategories(tx, orgCode, ids);
  }, IMMEDIATE);
  return id;
}

/**
 * Makes a subcategory, renames it or moves it, also to another category, and answers with its id.
 * @throws Refusal FAQ_CATEGORY_NOT_FOUND, FAQ_SUBCATEGORY_NAME_MISSING, FAQ_SUBCATEGORY_EXISTS, FAQ_SUBCATEGORY_NOT_FOUND;
 * INVALID_REQUEST for one too many
 */
export function saveSubcategory(
  { db, random }: Deps,
  orgCode: string,
  { subcategoryId, categoryId, name, position }: RequestOf<typeof saveFaqSubcategory>['body'],
): string {
  if (name === '') throw new Refusal('FAQ_SUBCATEGORY_NAME_MISSING');
  const id = subcategoryId ?? random.id();
  db.transaction((tx) => {
    requireCategory(tx, orgCode, categoryId);
    if (subcategoryId) requireSubcategory(tx, orgCode, subcategoryId);
    const ids = placed(faqRepo.listSubcategoryIds(tx, orgCode, categoryId), id, position);
    requireRoom(ids.length, LIMITS.faqSubcategoriesPerCategory, 'subcategories in a category');
    if (!faqRepo.saveSubcategory(tx, { id, orgCode, categoryId, name })) throw new Refusal('FAQ_SUBCATEGORY_EXISTS');
    faqRepo.placeSubcategories(tx, orgCode, ids);
  }, IMMEDIATE);
  return id;
}

/**
 * Makes a question with its answer, changes it or moves it, also to another subcategory; answers with what was kept.
 * @throws Refusal FAQ_SUBCATEGORY_NOT_FOUND, FAQ_RECORD_INCOMPLETE, FAQ_RECORD_NOT_FOUND; INVALID_REQUEST for one too many,
 * and for an answer that is too long
 */
export async function saveRecord(
  { db, random }: Deps,
  orgCode: string,
  { recordId, subcategoryId, question, answer: given, position }: RequestOf<typeof saveFaqRecord>['body'],
): Promise<{ recordId: string; answer: string }> {
  const answer = await sanitiseRichText(given);
  if (question === '' || isBlank(answer)) throw new Refusal('FAQ_RECORD_INCOMPLETE');
  requireLength(answer);
  const id = recordId ?? random.id();
  db.transaction((tx) => {
    requireSubcategory(tx, orgCode, subcategoryId);
    if (recordId) requireRecord(tx, orgCode, recordId);
    else requireRoom(faqRepo.countRecords(tx, orgCode) + 1, LIMITS.faqRecords, 'questions');
    const ids = placed(faqRepo.listRecordIds(tx, orgCode, subcategoryId), id, position);
    requireRoom(ids.length, LIMITS.faqRecordsPerSubcategory, 'questions in a subcategory');
    faqRepo.saveRecord(tx, { id, orgCode, subcategoryId, question, answer });
    faqRepo.placeRecords(tx, orgCode, ids);
  }, IMMEDIATE);
  return { recordId: id, answer };
}

/** @throws Refusal FAQ_CATEGORY_NOT_FOUND */
export function deleteCategory({ db }: Deps, orgCode: string, categoryId: string): void {
  if (!faqRepo.deleteCategory(db, orgCode, categoryId)) throw new Refusal('FAQ_CATEGORY_NOT_FOUND');
}

/** @throws Refusal FAQ_SUBCATEGORY_NOT_FOUND */
export function deleteSubcategory({ db }: Deps, orgCode: string, subcategoryId: string): void {
  if (!faqRepo.deleteSubcategory(db, orgCode, subcategoryId)) throw new Refusal('FAQ_SUBCATEGORY_NOT_FOUND');
}

/** @throws Refusal FAQ_RECORD_NOT_FOUND */
export function deleteRecord({ db }: Deps, orgCode: string, recordId: string): void {
  if (!faqRepo.deleteRecord(db, orgCode, recordId)) throw new Refusal('FAQ_RECORD_NOT_FOUND');
}

function requireCategory(tx: Tx, orgCode: string, id: string): void {
  if (!faqRepo.findCategory(tx, orgCode, id)) throw new Refusal('FAQ_CATEGORY_NOT_FOUND');
}

function requireSubcategory(tx: Tx, orgCode: string, id: string): void {
  if (!faqRepo.findSubcategory(tx, orgCode, id)) throw new Refusal('FAQ_SUBCATEGORY_NOT_FOUND');
}

function requireRecord(tx: Tx, orgCode: string, id: string): void {
  if (!faqRepo.findRecord(tx, orgCode, id)) throw new Refusal('FAQ_RECORD_NOT_FOUND');
}

function requireRoom(wanted: number, most: number, what: string): void {
  if (wanted <= most) return;
  throw new Refusal('INVALID_REQUEST', { message: `There can be at most ${most} ${what}.` });
}

/** What the sanitiser adds to links counts too, so that whatever was kept can be saved again. */
function requireLength(answer: string): void {
  if (answer.length <= LIMITS.richTextMaxLength) return;
  const message = `At most ${LIMITS.richTextMaxLength} characters`;
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'answer', message }] });
}
