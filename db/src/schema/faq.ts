import { index, integer, sqliteTable, text, uniqueIndex } from '#drizzle';
import { organisations } from './organisations.ts';

const orgCode = () =>
  text()
    .notNull()
    .references(() => organisations.orgCode);

export const faqCategories = sqliteTable(
  'faq_categories',
  {
    id: text().primaryKey(),
    orgCode: orgCode(),
    name: text().notNull(),
    /** Lowercase name. */
    nameKey: text().notNull(),
    position: integer().notNull(),
  },
  (table) => [uniqueIndex('faq_categories_name').on(table.orgCode, table.nameKey)],
);

export const faqSubcategories = sqliteTable(
  'faq_subcategories',
  {
    id: text().primaryKey(),
    orgCode: orgCode(),
    categoryId: text()
      .notNull()
      .references(() => faqCategories.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    nameKey: text().notNull(),
    position: integer().notNull(),
  },
  (table) => [
    uniqueIndex('faq_subcategories_name').on(table.categoryId, table.nameKey),
    index('faq_subcategories_organisation').on(table.orgCode),
  ],
);

export const faqRecords = sqliteTable(
  'faq_records',
  {
    id: text().primaryKey(),
    orgCode: orgCode(),
    subcategoryId: text()
      .notNull()
      .references(() => faqSubcategories.id, { onDelete: 'cascade' }),
    question: text().notNull(),
    /** Sanitised HTML. */
    answer: text().notNull(),
    position: integer().notNull(),
  },
  (table) => [
    index('faq_records_subcategory').on(table.subcategoryId),
    index('faq_records_organisation').on(table.orgCode),
  ],
);
