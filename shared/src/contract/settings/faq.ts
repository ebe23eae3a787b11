import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, id, nameText, optionalDisplayText, orgCode } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';

/** Questions and answers, grouped into categories and subcategories. `answer` is sanitised rich text. */
export const faqRecord = z.object({
  recordId: z.string(),
  question: z.string(),
  answer: z.string(),
  version: z.string(),
});
export const faqSubcategory = z.object({
  subcategoryId: z.string(),
  name: z.string(),
  version: z.string(),
  records: z.array(faqRecord),
});
export const faqCategory = z.object({
  categoryId: z.string(),
  name: z.string(),
  version: z.string(),
  subcategories: z.array(faqSubcategory),
});
export type FaqCategory = z.output<typeof faqCategory>;
export type FaqSubcategory = z.output<typeof faqSubcategory>;
export type FaqRecord = z.output<typeof faqRecord>;

const tree = z.object({ categories: z.array(faqCategory) });
const area = 'FAQ' as const;
const write = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;

/**
 * Name of a category, subcategory or question. Not required here, because an absent or empty name is refused with its
 * own result code.
 */
const name = optionalDisplayText(100).default('');
/** Position among its siblings, starting at 0. Default: unchanged, or last for a new record. */
const position = z.int().min(0).max(10_000).optional();

const richText = z.string().trim().max(LIMITS.richTextMaxLength, `At most ${LIMITS.richTextMaxLength} characters`);

/** Name form used by the client, which reports missing values under their fields before anything is sent. */
export const faqNameForm = z.object({ name: nameText(100) });
export const faqRecordForm = z.object({
  subcategoryId: id,
  question: displayText(500),
  answer: richText.min(1, 'This field is required'),
});
export type FaqRecordForm = z.output<typeof faqRecordForm>;

export const getFaq = endpoint({
  method: 'GET',
  path: '/faq',
  area,
  summary: "Get your organisation's FAQ",
  access: { who: 'signed-in' },
  reply: tree,
});

export const getPublicFaq = endpoint({
  method: 'GET',
  path: '/faq/public',
  area,
  summary: "Get an organisation's FAQ for its sign-in page",
  access: { who: 'public' },
  query: z.object({ code: orgCode }),
  reply: tree,
  refuses: ['ORG_CODE_NOT_FOUND'],
});

export const saveFaqCategory = endpoint({
  method: 'POST',
  path: '/faq/category',
  area,
  access: write,
  summary: 'Create, rename or move a category',
  versioned: 'faq-category',
  current: z.object({ name: z.string() }),
  body: z.object({ categoryId: id.optional(), name, position }),
  reply: z.object({ categoryId: z.string() }),
  refuses: ['FAQ_CATEGORY_NAME_MISSING', 'FAQ_CATEGORY_EXISTS', 'FAQ_CATEGORY_NOT_FOUND'],
  events: ['faq-category.created', 'faq-category.updated'],
});

export const deleteFaqCategory = endpoint({
  method: 'POST',
  path: '/faq/category/delete',
  area,
  access: write,
  summary: 'Delete a category and its contents',
  unversioned: 'deletes',
  body: z.object({ categoryId: id }),
  reply: z.object({}),
  refuses: ['FAQ_CATEGORY_NOT_FOUND'],
  events: ['faq-category.deleted'],
});

export const saveFaqSubcategory = endpoint({
  method: 'POST',
  path: '/faq/subcategory',
  area,
  access: write,
  summary: 'Create, rename or move a subcategory, even to another category',
  versioned: 'faq-subcategory',
  current: z.object({ categoryId: z.string(), name: z.string() }),
  body: z.object({ subcategoryId: id.optional(), categoryId: id, name, position }),
  reply: z.object({ subcategoryId: z.string() }),
  refuses: [
    'FAQ_CATEGORY_NOT_FOUND',
    'FAQ_SUBCATEGORY_NAME_MISSING',
    'FAQ_SUBCATEGORY_EXISTS',
    'FAQ_SUBCATEGORY_NOT_FOUND',
  ],
  events: ['faq-subcategory.created', 'faq-subcategory.updated'],
});

export const deleteFaqSubcategory = endpoint({
  method: 'POST',
  path: '/faq/subcategory/delete',
  area,
  access: write,
  summary: 'Delete a subcategory and its questions',
  unversioned: 'deletes',
  body: z.object({ subcategoryId: id }),
  reply: z.object({}),
  refuses: ['FAQ_SUBCATEGORY_NOT_FOUND'],
  events: ['faq-subcategory.deleted'],
});

export const saveFaqRecord = endpoint({
  method: 'POST',
  path: '/faq/record',
  area,
  access: write,
  summary: 'Create, change or move a question with its answer, even to another subcategory',
  versioned: 'faq-record',
  current: z.object({ subcategoryId: z.string(), question: z.string(), answer: z.string() }),
  body: z.object({
    recordId: id.optional(),
    subcategoryId: id,
    question: optionalDisplayText(500).default(''),
    /** Answer as HTML. Markup that rich text doesn't allow is removed. */
    answer: richText.default(''),
    position,
  }),
  /** `answer`: the answer as saved. */
  reply: z.object({ recordId: z.string(), answer: z.string() }),
  refuses: ['FAQ_SUBCATEGORY_NOT_FOUND', 'FAQ_RECORD_INCOMPLETE', 'FAQ_RECORD_NOT_FOUND'],
  events: ['faq-record.created', 'faq-record.updated'],
});

export const deleteFaqRecord = endpoint({
  method: 'POST',
  path: '/faq/record/delete',
  area,
  access: write,
  summary: 'Delete a question',
  unversioned: 'deletes',
  body: z.object({ recordId: id }),
  reply: z.object({}),
  refuses: ['FAQ_RECORD_NOT_FOUND'],
  events: ['faq-record.deleted'],
});
