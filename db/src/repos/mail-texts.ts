import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { prepared } from '../prepared.ts';
import { type MessageTemplate, mailTexts } from '../schema/outbox.ts';

export type MailTextRow = typeof mailTexts.$inferSelect;

const given = sql.placeholder;

const found = prepared((db) =>
  db
    .select()
    .from(mailTexts)
    .where(and(eq(mailTexts.orgCode, given('orgCode')), eq(mailTexts.template, given('template'))))
    .prepare(),
);

/** The organisation's own words for a mail; undefined where it has the portal's. */
export const findMailText = (tx: Tx, orgCode: string, template: MessageTemplate): MailTextRow | undefined =>
  found(tx).get({ orgCode, template });

/** All of an organisation. */
export const listMailTexts = (tx: Tx, orgCode: string): MailTextRow[] =>
  tx.select().from(mailTexts).where(eq(mailTexts.orgCode, orgCode)).all();

/** Replaces the words of a mail. */
export function saveMailText(tx: Tx, { orgCode, template, ...words }: MailTextRow): void {
  tx.insert(mailTexts)
    .values({ orgCode, template, ...words })
    .onConflictDoUpdate({ target: [mailTexts.orgCode, mailTexts.template], set: words })
    .run();
}

/** Gives a mail the portal's words again. */
export function deleteMailText(tx: Tx, orgCode: string, template: MessageTemplate): void {
  tx.delete(mailTexts)
    .where(and(eq(mailTexts.orgCode, orgCode), eq(mailTexts.template, template)))
    .run();
}
