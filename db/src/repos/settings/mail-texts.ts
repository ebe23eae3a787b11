import { and, eq, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { mailTexts } from '../../schema/outbox.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type MailTextRow = typeof mailTexts.$inferSelect;

const param = sql.placeholder;

const found = drizzleStatement((db) =>
  db
    .select()
    .from(mailTexts)
    .where(
      and(
        eq(mailTexts.orgCode, param('orgCode')),
        eq(mailTexts.template, param('template')),
        eq(mailTexts.language, param('language')),
      ),
    )
    .prepare(),
);

/** Identifies an email template's customised wording in one language. */
export type MailTextKey = Pick<MailTextRow, 'orgCode' | 'template' | 'language'>;

/**
 * Finds an organisation's customised wording for an email in one language. Returns undefined if the default wording
 * applies.
 */
export const findMailText = (tx: Tx, { orgCode, template, language }: MailTextKey): MailTextRow | undefined =>
  found(tx).get({ orgCode, template, language });

/** Lists an organisation's customised email wording. */
export const listMailTexts = (tx: Tx, orgCode: string): MailTextRow[] =>
  tx.select().from(mailTexts).where(eq(mailTexts.orgCode, orgCode)).all();

/** Saves customised wording for an email. */
export function saveMailText(tx: Tx, { orgCode, template, language, ...words }: MailTextRow): void {
  tx.insert(mailTexts)
    .values({ orgCode, template, language, ...words })
    .onConflictDoUpdate({ target: [mailTexts.orgCode, mailTexts.template, mailTexts.language], set: words })
    .run();
}

/** Restores an email's default wording. */
export function deleteMailText(tx: Tx, { orgCode, template, language }: MailTextKey): void {
  tx.delete(mailTexts)
    .where(and(eq(mailTexts.orgCode, orgCode), eq(mailTexts.template, template), eq(mailTexts.language, language)))
    .run();
}
