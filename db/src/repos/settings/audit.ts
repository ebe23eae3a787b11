import { createHash } from 'node:crypto';
import type { AuditAction, AuditActorKind, AuditObjectType } from '@orchestrate/shared';
import { and, desc, eq, getTableColumns, gte, inArray, lt, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { auditEvents, auditRetention } from '../../schema/audit.ts';
import { ftsPhrase } from '../../sql.ts';

export type AuditRow = Omit<typeof auditEvents.$inferSelect, 'marks'>;

/** Conditions that must all hold. Times in milliseconds: not before `from`, and before `to`. */
export interface AuditFilter {
  /** At least three characters: a trigram index has nothing shorter, so a shorter text finds nothing. */
  text?: string | undefined;
  actorSuid?: string | undefined;
  actorKind?: AuditActorKind | undefined;
  action?: AuditAction | undefined;
  objectType?: AuditObjectType | undefined;
  objectId?: string | undefined;
  suid?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

const given = sql.placeholder;
const { marks: _marks, ...columns } = getTableColumns(auditEvents);

/** Ids per millisecond; events beyond that take ids of the following milliseconds. */
const IDS_PER_MS = 1_024;

const lastUpTo = drizzleStatement((db) =>
  db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(lt(auditEvents.id, given('before')))
    .orderBy(desc(auditEvents.id))
    .limit(1)
    .prepare(),
);

function nextId(tx: Tx, at: number): number {
  const first = at * IDS_PER_MS;
  const last = lastUpTo(tx).get({ before: first + IDS_PER_MS })?.id ?? -1;
  if (last < first) return first;
  if (last + 1 < first + IDS_PER_MS) return last + 1;
  return (lastUpTo(tx).get({ before: Number.MAX_SAFE_INTEGER })?.id ?? last) + 1;
}

const insertion = drizzleStatement((db) =>
  db
    .insert(auditEvents)
    .values({
      id: given('id'),
      orgCode: given('orgCode'),
      at: given('at'),
      action: given('action'),
      actorKind: given('actorKind'),
      actorSuid: given('actorSuid'),
      actorName: given('actorName'),
      actorMode: given('actorMode'),
      actorSid: given('actorSid'),
      ip: given('ip'),
      objectType: given('objectType'),
      objectId: given('objectId'),
      objectName: given('objectName'),
      suid: given('suid'),
      changes: given('changes'),
      marks: given('marks'),
    })
    .prepare(),
);

/** Records an event, in the transaction of the change. @returns its id */
export function insertEvent(tx: Tx, event: Omit<AuditRow, 'id'>): number {
  const id = nextId(tx, event.at);
  const { orgCode, actorKind, actorSuid, action, objectType, objectId, suid } = event;
  const marks = marksOf(orgCode, { actorKind, actorSuid, action, objectType, objectId, suid });
  insertion(tx).run({ ...event, id, marks: marks.join('') });
  return id;
}

/** The fields by which events are found, the most selective first. */
const TERMS = ['objectId', 'suid', 'actorSuid', 'action', 'objectType', 'actorKind'] as const;

/** Created by its own migration. An FTS5 table has a column with the table's name, which is what is matched. */
const auditSearch = sqliteTable('audit_search', {
  rowid: integer().notNull(),
  match: text('audit_search').notNull(),
});

const search = drizzleStatement((db) =>
  db
    .select(columns)
    .from(auditSearch)
    .innerJoin(auditEvents, eq(auditEvents.id, auditSearch.rowid))
    .where(
      and(
        sql`${auditSearch.match} MATCH ${given('query')}`,
        gte(auditSearch.rowid, given('from')),
        lt(auditSearch.rowid, given('before')),
        // The plus keeps SQLite from beginning with the organisation's index.
        sql`+${auditEvents.orgCode} = ${given('orgCode')}`,
        ...TERMS.map((name) => sql`(${given(name)} IS NULL OR ${auditEvents[name]} = ${given(name)})`),
      ),
    )
    .orderBy(desc(auditSearch.rowid))
    .limit(given('count'))
    .prepare(),
);

/** An organisation's events from one id up to, but not including, another. */
const inRange = and(
  eq(auditEvents.orgCode, given('orgCode')),
  gte(auditEvents.id, given('from')),
  lt(auditEvents.id, given('before')),
);

const list = drizzleStatement((db) =>
  db.select(columns).from(auditEvents).where(inRange).orderBy(desc(auditEvents.id)).limit(given('count')).prepare(),
);

/** The ids in a filter's time range, up to but not including `before`. */
const rangeOf = ({ from, to }: AuditFilter, before: number | undefined) => ({
  // BigInt: a number beyond 32 bits would be bound as REAL, which the search index cannot use.
  from: BigInt((from ?? 0) * IDS_PER_MS),
  before: BigInt(Math.min(before ?? Number.MAX_SAFE_INTEGER, (to ?? Number.MAX_SAFE_INTEGER) * IDS_PER_MS)),
});

const back = drizzleStatement((db) =>
  db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(inRange)
    .orderBy(desc(auditEvents.id))
    .limit(1)
    .offset(given('offset'))
    .prepare(),
);

/**
 * Goes back `reach` events from the event `before`, counting all events in a filter's time range.
 * @returns the id found there; undefined where there are fewer
 */
export function findEventBack(
  tx: Tx,
  orgCode: string,
  filter: AuditFilter,
  { before, reach }: { before?: number | undefined; reach: number },
): number | undefined {
  return back(tx).get({ orgCode, ...rangeOf(filter, before), offset: reach - 1 })?.id;
}

/** Whether finding a page may scan every event with one term, because the other terms seldom occur together with it. */
export function mayLookThroughAll(filter: AuditFilter): boolean {
  const given = TERMS.filter((name) => filter[name] !== undefined);
  // Few objects share an id.
  const counting = filter.objectId === undefined ? given : given.filter((name) => name !== 'objectType');
  return counting.length + (filter.text === undefined ? 0 : 1) > 1;
}

/**
 * Events of an organisation, newest first: at most `count`, older than the event `before`, and from the event `start`
 * on. Every filter is a term of the search index, so a filtered page takes as long among a million events as among a
 * thousand.
 */
export function listEvents(
  tx: Tx,
  orgCode: string,
  filter: AuditFilter,
  { count, before, start }: { count: number; before?: number | undefined; start?: number | undefined },
): AuditRow[] {
  const { text: wanted } = filter;
  // No name has a NUL, and one would end the query.
  if (wanted !== undefined && /\p{Cc}/u.test(wanted)) return [];
  const { from, ...end } = rangeOf(filter, before);
  const range = { ...end, from: start === undefined || from > start ? from : BigInt(start) };
  const given = TERMS.filter((name) => filter[name] !== undefined);
  if (wanted === undefined && given.length === 0) return list(tx).all({ orgCode, ...range, count });
  // With two terms the search index starts at the newest event, wherever the page begins. So it is asked for the most
  // selective term only, and the rows it finds are checked for the others. Marks include the organisation.
  const names = wanted === undefined ? given.slice(0, 1) : start === undefined ? given : [];
  const marks = names.map((name) => markOf(orgCode, name, String(filter[name])));
  const texts = wanted === undefined ? [] : [`text : ${ftsPhrase(wanted)}`];
  if (marks.length === 0) marks.push(markOf(orgCode, 'orgCode', orgCode));
  const query = [...texts, ...marks.map((mark) => `marks : ${ftsPhrase(mark)}`)].join(' AND ');
  const wishes = Object.fromEntries(TERMS.map((name) => [name, filter[name] ?? null]));
  return search(tx).all({ query, ...range, orgCode, ...wishes, count });
}

type Terms = {
  [Name in 'actorSuid' | 'actorKind' | 'action' | 'objectType' | 'objectId' | 'suid']?: string | null | undefined;
};

/** One mark for the organisation, and one for each term that is given. */
function marksOf(orgCode: string, terms: Terms): string[] {
  const present = Object.entries(terms).filter(([, value]) => value !== undefined && value !== null);
  return [markOf(orgCode, 'orgCode', orgCode), ...present.map(([name, value]) => markOf(orgCode, name, String(value)))];
}

const PRIVATE_USE = { first: 0xe000, count: 6_400 };

/** One trigram of private-use characters, which no text has: 38 bits of a hash. */
function markOf(orgCode: string, name: string, value: string): string {
  let bits = createHash('sha256').update(`${orgCode}\n${name}\n${value}`).digest().readUIntBE(0, 6);
  let mark = '';
  while (mark.length < 3) {
    mark += String.fromCharCode(PRIVATE_USE.first + (bits % PRIVATE_USE.count));
    bits = Math.floor(bits / PRIVATE_USE.count);
  }
  return mark;
}

/**
 * Deletes at most `count` events, of every organisation, that happened before `before`, in milliseconds.
 * @returns how many, by organisation
 */
export function pruneEvents(tx: Tx, before: number, count: number): Map<string, number> {
  const end = before * IDS_PER_MS;
  const old = tx
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(lt(auditEvents.id, end))
    .orderBy(auditEvents.id)
    .limit(count);
  tx.insert(auditRetention).values({ id: 1, before: end }).run();
  const forgotten = tx
    .delete(auditEvents)
    .where(inArray(auditEvents.id, old))
    .returning({ orgCode: auditEvents.orgCode })
    .all();
  tx.delete(auditRetention).run();
  return new Map(
    [...Map.groupBy(forgotten, ({ orgCode }) => orgCode)].map(([orgCode, rows]) => [orgCode, rows.length]),
  );
}
