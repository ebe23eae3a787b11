import { and, eq, sql } from 'drizzle-orm';
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

/** Key of the texts of one email in one language. */
export type MailTextKey = Pick<MailTextRow, 'orgCode' | 'template' | 'language'>;

/** Finds an organisation's own texts of an email in one language; undefined if the default texts apply. */
export const findMailText = (tx: Tx, { orgCode, template, language }: MailTextKey): MailTextRow | undefined =>
  found(tx).get({ orgCode, template, language });

/** Lists all email texts of an organisation. */
export const listMailTexts = (tx: Tx, orgCode: string): MailTextRow[] =>
  tx.select().from(mailTexts).where(eq(mailTexts.orgCode, orgCode)).all();

/** Saves the texts of an email. */
export function saveMailText(tx: Tx, { orgCode, template, language, ...words }: MailTextRow): void {
  tx.insert(mailTexts)
    .values({ orgCode, template, language, ...words })
    .onConflictDoUpdate({ target: [mailTexts.orgCode, mailTexts.template, mailTexts.language], set: words })
    .run();
}

/** Restores the default texts of an email. */
export function deleteMailText(tx: Tx, { orgCode, template, language }: MailTextKey): void {
  tx.delete(mailTexts)
    .where(and(eq(mailTexts.orgCode, orgCode), eq(mailTexts.template, template), eq(mailTexts.language, language)))
    .run();
}
