import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { mailTexts } from '../../schema/outbox.ts';

export type MailTextRow = typeof mailTexts.$inferSelect;

const given = sql.placeholder;

const found = drizzleStatement((db) =>
  db
    .select()
    .from(mailTexts)
    .where(
      and(
        eq(mailTexts.orgCode, given('orgCode')),
        eq(mailTexts.template, given('template')),
        eq(mailTexts.language, given('language')),
      ),
    )
    .prepare(),
);

/** Identifies the words of one mail in one language. */
export type MailTextKey = Pick<MailTextRow, 'orgCode' | 'template' | 'language'>;

/** An organisation's own words for a mail in one language; undefined where the portal's words apply. */
export const findMailText = (tx: Tx, { orgCode, template, language }: MailTextKey): MailTextRow | undefined =>
  found(tx).get({ orgCode, template, language });

/** All of an organisation. */
export const listMailTexts = (tx: Tx, orgCode: string): MailTextRow[] =>
  tx.select().from(mailTexts).where(eq(mailTexts.orgCode, orgCode)).all();

/** Replaces the words of a mail. */
export function saveMailText(tx: Tx, { orgCode, template, language, ...words }: MailTextRow): void {
  tx.insert(mailTexts)
    .values({ orgCode, template, language, ...words })
    .onConflictDoUpdate({ target: [mailTexts.orgCode, mailTexts.template, mailTexts.language], set: words })
    .run();
}

/** Gives a mail the portal's words again. */
export function deleteMailText(tx: Tx, { orgCode, template, language }: MailTextKey): void {
  tx.delete(mailTexts)
    .where(and(eq(mailTexts.orgCode, orgCode), eq(mailTexts.template, template), eq(mailTexts.language, language)))
    .run();
}
