import { faqRepo, type Tx } from '@orchestrate/db';
import { type contract, LIMITS, linkObstacle, listStart, type RequestOf, RICH_TEXT_TAGS } from '@orchestrate/shared';
import type { IOptions, Transformer } from 'sanitize-html';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Version } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';
import { editableCategoryFields, editableRecordFields, editableSubcategoryFields, withMovedId } from './faq-tree.ts';

/**
 * Elements removed together with their contents, because the contents aren't text or aren't parsed by HTML's usual
 * rules.
 */
const REMOVED_WITH_CONTENT = [
  'script',
  'style',
  'noscript',
  'template',
  'title',
  'textarea',
  'xmp',
  'plaintext',
  'noembed',
  'noframes',
  'iframe',
  'object',
  'embed',
  'applet',
  'svg',
  'math',
  'audio',
  'video',
  'canvas',
  'select',
  'option',
];

/** Maximum nesting depth of an answer. Deeper content is removed. */
const MAX_DEPTH = 20;

/**
 * Makes a link open separately from the portal, without sending a referrer. A link with a forbidden target loses its
 * address.
 */
const link: Transformer = (tagName, { href = '' }) => {
  if (linkObstacle(href) !== undefined) return { tagName, attribs: {} };
  const attribs = { href: new URL(href.trim()).href, target: '_blank', rel: 'noopener noreferrer nofollow' };
  return { tagName, attribs };
};

const numbered: Transformer = (tagName, attributes) => {
  const start = listStart(attributes.start);
  const attribs: Record<string, string> = start ? { start } : {};
  return { tagName, attribs };
};

const OPTIONS: IOptions = {
  allowedTags: [...RICH_TEXT_TAGS],
  allowedAttributes: { a: ['href', 'target', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https'],
  allowProtocolRelative: false,
  nonTextTags: REMOVED_WITH_CONTENT,
  nestingLimit: MAX_DEPTH,
  parseStyleAttributes: false,
  // Keeps only the text of a link without an address. Transforming it into a disallowed tag would also close the
  // neighbouring element (sanitize-html 2.18).
  exclusiveFilter: ({ tag, attribs }) => tag === 'a' && !attribs.href && 'excludeTag',
  transformTags: { a: link, ol: numbered, b: 'strong', i: 'em', h1: 'h2', h4: 'h3' },
};

/**
 * Reduces rich text to the elements that an answer may contain (`RICH_TEXT_TAGS`), with safe links only. Sanitising
 * the result again has no effect.
 */
export async function sanitiseRichText(html: string): Promise<string> {
  const { default: sanitise } = await import('sanitize-html');
  return sanitise(html.toWellFormed(), OPTIONS).trim();
}

/** Returns true if sanitised rich text has no visible content. */
export function isBlank(html: string): boolean {
  return /^[\s\p{Cf}]*$/u.test(html.replace(/<[^>]*>/g, ''));
}

/**
 * Creates, renames or moves a category, and returns its ID.
 * @throws StaleVersion; Refusal FAQ_CATEGORY_NAME_MISSING, FAQ_CATEGORY_EXISTS, FAQ_CATEGORY_NOT_FOUND;
 * INVALID_REQUEST if there are too many
 */
export function saveCategory(
  deps: Deps,
  actor: AuditActor,
  { categoryId, name, position }: RequestOf<typeof contract.saveFaqCategory>['body'],
  version: Version,
): string {
  if (name === '') throw new Refusal('FAQ_CATEGORY_NAME_MISSING');
  const id = categoryId ?? deps.random.id();
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    const before = categoryId === undefined ? undefined : requireCategory(tx, orgCode, categoryId);
    version.require(tx, before && { orgCode, id, editable: editableCategoryFields(before) });
    const ids = withMovedId(faqRepo.listCategoryIds(tx, orgCode), id, position);
    requireWithinLimit(ids.length, LIMITS.faqCategories, 'categories');
    if (!faqRepo.saveCategory(tx, { id, orgCode, name })) throw new Refusal('FAQ_CATEGORY_EXISTS');
    faqRepo.orderCategories(tx, orgCode, ids);
    const object = { type: 'faq-category', id, name: name } as const;
    const after = factsOf(editableCategoryFields({ name }));
    if (before)
      record(deps, tx, actor, {
        action: 'faq-category.updated',
        object,
        before: factsOf(editableCategoryFields(before)),
        after,
      });
    else record(deps, tx, actor, { action: 'faq-category.created', object, after });
    version.answer(editableCategoryFields({ name }));
  });
  return id;
}

/**
 * Creates, renames or moves a subcategory, possibly to another category, and returns its ID.
 * @throws StaleVersion; Refusal FAQ_CATEGORY_NOT_FOUND, FAQ_SUBCATEGORY_NAME_MISSING, FAQ_SUBCATEGORY_EXISTS,
 * FAQ_SUBCATEGORY_NOT_FOUND; INVALID_REQUEST if there are too many
 */
export function saveSubcategory(
  deps: Deps,
  actor: AuditActor,
  { subcategoryId, categoryId, name, position }: RequestOf<typeof contract.saveFaqSubcategory>['body'],
  version: Version,
): string {
  if (name === '') throw new Refusal('FAQ_SUBCATEGORY_NAME_MISSING');
  const id = subcategoryId ?? deps.random.id();
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    requireCategory(tx, orgCode, categoryId);
    const before = subcategoryId === undefined ? undefined : requireSubcategory(tx, orgCode, subcategoryId);
    version.require(tx, before && { orgCode, id, editable: editableSubcategoryFields(before) });
    const ids = withMovedId(faqRepo.listSubcategoryIds(tx, orgCode, categoryId), id, position);
    requireWithinLimit(ids.length, LIMITS.faqSubcategoriesPerCategory, 'subcategories in a category');
    if (!faqRepo.saveSubcategory(tx, { id, orgCode, categoryId, name })) throw new Refusal('FAQ_SUBCATEGORY_EXISTS');
    faqRepo.orderSubcategories(tx, orgCode, ids);
    const object = { type: 'faq-subcategory', id, name: name } as const;
    const after = factsOf(editableSubcategoryFields({ categoryId, name }));
    if (before)
      record(deps, tx, actor, {
        action: 'faq-subcategory.updated',
        object,
        before: factsOf(editableSubcategoryFields(before)),
        after,
      });
    else record(deps, tx, actor, { action: 'faq-subcategory.created', object, after });
    version.answer(editableSubcategoryFields({ categoryId, name }));
  });
  return id;
}

type GivenRecord = RequestOf<typeof contract.saveFaqRecord>['body'];

/**
 * Cleans an answer and writes it with `writeRecord`.
 * @throws as in `writeRecord` and `cleanAnswer`
 */
export const saveRecord = async (deps: Deps, actor: AuditActor, given: GivenRecord, version: Version) =>
  writeRecord(deps, actor, { ...given, answer: await cleanAnswer(given.answer) }, version);

/**
 * Returns an answer in the form in which it is stored.
 * @throws Refusal FAQ_RECORD_INCOMPLETE if it has no readable content; INVALID_REQUEST if it is too long
 */
export async function cleanAnswer(given: string): Promise<string> {
  const answer = await sanitiseRichText(given);
  if (isBlank(answer)) throw new Refusal('FAQ_RECORD_INCOMPLETE');
  requireLength(answer);
  return answer;
}

/**
 * Creates, changes or moves a question with its answer, possibly to another subcategory, and returns the stored
 * question.
 * @param given the question; its answer must already be clean
 * @throws StaleVersion; Refusal FAQ_SUBCATEGORY_NOT_FOUND, FAQ_RECORD_INCOMPLETE, FAQ_RECORD_NOT_FOUND;
 * INVALID_REQUEST if there are too many
 */
export function writeRecord(
  deps: Deps,
  actor: AuditActor,
  { recordId, subcategoryId, question, answer, position }: GivenRecord,
  version: Version,
): { recordId: string; answer: string } {
  if (question === '') throw new Refusal('FAQ_RECORD_INCOMPLETE');
  const id = recordId ?? deps.random.id();
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    requireSubcategory(tx, orgCode, subcategoryId);
    const before = recordId === undefined ? undefined : requireRecord(tx, orgCode, recordId);
    version.require(tx, before && { orgCode, id, editable: editableRecordFields(before) });
    if (!before) requireWithinLimit(faqRepo.countFaqRecords(tx, orgCode) + 1, LIMITS.faqRecords, 'questions');
    const ids = withMovedId(faqRepo.listRecordIds(tx, orgCode, subcategoryId), id, position);
    requireWithinLimit(ids.length, LIMITS.faqRecordsPerSubcategory, 'questions in a subcategory');
    faqRepo.saveRecord(tx, { id, orgCode, subcategoryId, question, answer });
    faqRepo.orderRecords(tx, orgCode, ids);
    const object = { type: 'faq-record', id, name: question } as const;
    const after = factsOf(editableRecordFields({ subcategoryId, question, answer }));
    if (before)
      record(deps, tx, actor, {
        action: 'faq-record.updated',
        object,
        before: factsOf(editableRecordFields(before)),
        after,
      });
    else record(deps, tx, actor, { action: 'faq-record.created', object, after });
    version.answer(editableRecordFields({ subcategoryId, question, answer }));
  });
  return { recordId: id, answer };
}

/**
 * Deletes a category with its subcategories and questions.
 * @throws Refusal FAQ_CATEGORY_NOT_FOUND
 */
export function deleteCategory(deps: Deps, actor: AuditActor, categoryId: string): void {
  deps.db.transaction((tx) => {
    const { orgCode } = actor;
    const found = requireCategory(tx, orgCode, categoryId);
    faqRepo.deleteCategory(tx, orgCode, categoryId);
    const object = { type: 'faq-category', id: categoryId, name: found.name } as const;
    record(deps, tx, actor, { action: 'faq-category.deleted', object, before: factsOf(editableCategoryFields(found)) });
  });
}

/**
 * Deletes a subcategory with its questions.
 * @throws Refusal FAQ_SUBCATEGORY_NOT_FOUND
 */
export function deleteSubcategory(deps: Deps, actor: AuditActor, subcategoryId: string): void {
  deps.db.transaction((tx) => {
    const { orgCode } = actor;
    const found = requireSubcategory(tx, orgCode, subcategoryId);
    faqRepo.deleteSubcategory(tx, orgCode, subcategoryId);
    const object = { type: 'faq-subcategory', id: subcategoryId, name: found.name } as const;
    record(deps, tx, actor, {
      action: 'faq-subcategory.deleted',
      object,
      before: factsOf(editableSubcategoryFields(found)),
    });
  });
}

/**
 * Deletes a question.
 * @throws Refusal FAQ_RECORD_NOT_FOUND
 */
export function deleteRecord(deps: Deps, actor: AuditActor, recordId: string): void {
  deps.db.transaction((tx) => {
    const { orgCode } = actor;
    const found = requireRecord(tx, orgCode, recordId);
    faqRepo.deleteRecord(tx, orgCode, recordId);
    const object = { type: 'faq-record', id: recordId, name: found.question } as const;
    record(deps, tx, actor, { action: 'faq-record.deleted', object, before: factsOf(editableRecordFields(found)) });
  });
}

function requireCategory(tx: Tx, orgCode: string, id: string): faqRepo.FaqCategoryRow {
  const found = faqRepo.findCategory(tx, orgCode, id);
  if (!found) throw new Refusal('FAQ_CATEGORY_NOT_FOUND');
  return found;
}

function requireSubcategory(tx: Tx, orgCode: string, id: string): faqRepo.FaqSubcategoryRow {
  const found = faqRepo.findSubcategory(tx, orgCode, id);
  if (!found) throw new Refusal('FAQ_SUBCATEGORY_NOT_FOUND');
  return found;
}

function requireRecord(tx: Tx, orgCode: string, id: string): faqRepo.FaqRecordRow {
  const found = faqRepo.findRecord(tx, orgCode, id);
  if (!found) throw new Refusal('FAQ_RECORD_NOT_FOUND');
  return found;
}

function requireWithinLimit(wanted: number, most: number, what: string): void {
  if (wanted <= most) return;
  throw new Refusal('INVALID_REQUEST', { message: `There can be at most ${most} ${what}.` });
}

/**
 * Rejects an answer that is too long once stored. Counts the attributes that the sanitiser adds to links, because
 * saving a stored answer again must never fail.
 */
function requireLength(answer: string): void {
  if (answer.length <= LIMITS.richTextMaxLength) return;
  const message = `At most ${LIMITS.richTextMaxLength} characters`;
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'answer', message }] });
}
