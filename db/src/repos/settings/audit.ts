import { createHash } from 'node:crypto';
import type { AuditAction, AuditActorKind, AuditObjectType } from '@orchestrate/shared';
import { and, count, desc, eq, getTableColumns, gte, inArray, integer, lt, sql, sqliteTable, text } from '#drizzle';
import type { Tx } from '../../database.ts';
import { auditEvents, auditRetention } from '../../schema/audit.ts';
import { ftsPhrase } from '../../sql.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type AuditRow = Omit<typeof auditEvents.$inferSelect, 'marks'>;

/** Conditions that an event must all meet. The time range includes `from` and excludes `to`, both in milliseconds. */
export interface AuditFilter {
  /** Text of at least three characters: a trigram index can't find shorter text. */
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

const param = sql.placeholder;
const { marks: _marks, ...columns } = getTableColumns(auditEvents);

/** Number of IDs available per millisecond. When they run out, events get IDs from the following milliseconds. */
const IDS_PER_MS = 1_024;

const lastUpTo = drizzleStatement((db) =>
  db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(lt(auditEvents.id, param('before')))
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
      id: param('id'),
      orgCode: param('orgCode'),
      at: param('at'),
      action: param('action'),
      actorKind: param('actorKind'),
      actorSuid: param('actorSuid'),
      actorName: param('actorName'),
      actorMode: param('actorMode'),
      actorSid: param('actorSid'),
      ip: param('ip'),
      objectType: param('objectType'),
      objectId: param('objectId'),
      objectName: param('objectName'),
      suid: param('suid'),
      changes: param('changes'),
      marks: param('marks'),
    })
    .prepare(),
);

/**
 * Records an event. Call it in the transaction that makes the change.
 * @returns the event's ID
 */
export function insertEvent(tx: Tx, event: Omit<AuditRow, 'id'>): number {
  const id = nextId(tx, event.at);
  const { orgCode, actorKind, actorSuid, action, objectType, objectId, suid } = event;
  const marks = marksOf(orgCode, { actorKind, actorSuid, action, objectType, objectId, suid });
  insertion(tx).run({ ...event, id, marks: marks.join('') });
  return id;
}

/** Fields by which events can be filtered, most selective first. */
const TERMS = ['objectId', 'suid', 'actorSuid', 'action', 'objectType', 'actorKind'] as const;

/**
 * The full-text index, created by its own migration. An FTS5 table has a column with the table's name, which `MATCH`
 * uses.
 */
const auditSearch = sqliteTable('audit_search', {
  rowid: integer().notNull(),
  match: text('audit_search').notNull(),
});

/** Selects events by a query of the index, an ID range and the terms that have a value. */
const isFound = and(
  sql`${auditSearch.match} MATCH ${param('query')}`,
  gte(auditSearch.rowid, param('from')),
  lt(auditSearch.rowid, param('before')),
  // The unary plus keeps SQLite from using the index on the organisation.
  sql`+${auditEvents.orgCode} = ${param('orgCode')}`,
  ...TERMS.map((name) => sql`(${param(name)} IS NULL OR ${auditEvents[name]} = ${param(name)})`),
);

const search = drizzleStatement((db) =>
  db
    .select(columns)
    .from(auditSearch)
    .innerJoin(auditEvents, eq(auditEvents.id, auditSearch.rowid))
    .where(isFound)
    .orderBy(desc(auditSearch.rowid))
    .limit(param('count'))
    .prepare(),
);

const searchCount = drizzleStatement((db) =>
  db
    .select({ events: count() })
    .from(auditSearch)
    .innerJoin(auditEvents, eq(auditEvents.id, auditSearch.rowid))
    .where(isFound)
    .prepare(),
);

/** Selects an organisation's events in an ID range, excluding its end. */
const inRange = and(
  eq(auditEvents.orgCode, param('orgCode')),
  gte(auditEvents.id, param('from')),
  lt(auditEvents.id, param('before')),
);

const rangeCount = drizzleStatement((db) => db.select({ events: count() }).from(auditEvents).where(inRange).prepare());

const list = drizzleStatement((db) =>
  db.select(columns).from(auditEvents).where(inRange).orderBy(desc(auditEvents.id)).limit(param('count')).prepare(),
);

/** Converts a filter's time range to an ID range that ends before the event `before`. */
const rangeOf = ({ from, to }: AuditFilter, before: number | undefined) => ({
  // Use BigInt: a number beyond 32 bits would be bound as REAL, which the search index cannot use.
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
    .offset(param('offset'))
    .prepare(),
);

/**
 * Counts back `reach` events from the event `before`, including non-matching events in the filter's time range.
 * @returns the ID of the event reached, or undefined if there are fewer events
 */
export function findStartOfReach(
  tx: Tx,
  orgCode: string,
  filter: AuditFilter,
  { before, reach }: { before?: number | undefined; reach: number },
): number | undefined {
  return back(tx).get({ orgCode, ...rangeOf(filter, before), offset: reach - 1 })?.id;
}

/**
 * Returns true if finding a page can require scanning every event with one of the terms, because the other terms
 * rarely occur together with it.
 */
export function needsFullScan(filter: AuditFilter): boolean {
  const used = TERMS.filter((name) => filter[name] !== undefined);
  // Few objects share an ID, so the object type hardly narrows the search.
  const counting = filter.objectId === undefined ? used : used.filter((name) => name !== 'objectType');
  return counting.length + (filter.text === undefined ? 0 : 1) > 1;
}

/**
 * Lists up to `count` of an organisation's events, newest first, from the event `start` up to but not including the
 * event `before`. Every filter is a term in the search index, so a page with a single filter takes no longer with a
 * million events than with a thousand (see also `needsFullScan`).
 */
export function listEvents(
  tx: Tx,
  orgCode: string,
  filter: AuditFilter,
  { count, before, start }: { count: number; before?: number | undefined; start?: number | undefined },
): AuditRow[] {
  const { text: wanted } = filter;
  // Events contain no control characters, so text with control characters finds no events. A NUL would end the query.
  if (wanted !== undefined && /\p{Cc}/u.test(wanted)) return [];
  const { from, ...end } = rangeOf(filter, before);
  const range = { ...end, from: start === undefined || from > start ? from : BigInt(start) };
  const used = TERMS.filter((name) => filter[name] !== undefined);
  if (wanted === undefined && used.length === 0) return list(tx).all({ orgCode, ...range, count });
  // With two terms, the search index starts at the newest event even on later pages. The query therefore uses only
  // the most selective term, and the other terms are checked on the rows. Each mark already includes the
  // organisation.
  const names = wanted === undefined ? used.slice(0, 1) : start === undefined ? used : [];
  const marks = names.map((name) => markOf(orgCode, name, String(filter[name])));
  const texts = wanted === undefined ? [] : [`text : ${ftsPhrase(wanted)}`];
  if (marks.length === 0) marks.push(markOf(orgCode, 'orgCode', orgCode));
  const query = [...texts, ...marks.map((mark) => `marks : ${ftsPhrase(mark)}`)].join(' AND ');
  const terms = Object.fromEntries(TERMS.map((name) => [name, filter[name] ?? null]));
  return search(tx).all({ query, ...range, orgCode, ...terms, count });
}

/** Counts an organisation's events that match a filter without a text. */
export function countEvents(tx: Tx, orgCode: string, filter: Omit<AuditFilter, 'text'>): number {
  const range = rangeOf(filter, undefined);
  const [name] = TERMS.filter((term) => filter[term] !== undefined);
  if (name === undefined) return rangeCount(tx).get({ orgCode, ...range })?.events ?? 0;
  const query = `marks : ${ftsPhrase(markOf(orgCode, name, String(filter[name])))}`;
  const terms = Object.fromEntries(TERMS.map((term) => [term, filter[term] ?? null]));
  return searchCount(tx).get({ query, ...range, orgCode, ...terms })?.events ?? 0;
}

type Terms = {
  [Name in 'actorSuid' | 'actorKind' | 'action' | 'objectType' | 'objectId' | 'suid']?: string | null | undefined;
};

/** Returns a mark for the organisation and a mark for each term that has a value. */
function marksOf(orgCode: string, terms: Terms): string[] {
  const present = Object.entries(terms).filter(([, value]) => value !== undefined && value !== null);
  return [markOf(orgCode, 'orgCode', orgCode), ...present.map(([name, value]) => markOf(orgCode, name, String(value)))];
}

const PRIVATE_USE = { first: 0xe000, count: 6_400 };

/**
 * Returns a trigram of private-use characters that encodes 38 bits of a hash. Ordinary text never contains these
 * characters.
 */
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
 * Deletes at most `count` events older than `before` (in milliseconds), across all organisations.
 * @returns how many events were deleted per organisation
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
