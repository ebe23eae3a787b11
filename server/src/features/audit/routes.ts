import { setImmediate } from 'node:timers/promises';
import { auditRepo } from '@orchestrate/db';
import { type AuditEvent, type AuditFilters, CSV_START, contract, csvLine } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { shownChanges } from '#core/audit/shown-changes.ts';
import type { Deps } from '#deps.ts';
import { Download } from '#platform/http/answers/answer.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { implement } from '#platform/http/implement.ts';
import { readPageKey } from '#platform/http/requests/page-key.ts';
import { isoOf } from '#platform/times.ts';
import { pageOfSignIns } from './sign-ins.ts';

/** Events that the first portion searches: few, because most of what people look for is recent. */
const FIRST_REACH = 2_000;
const MOST_REACH = 20_000;

/**
 * Events of an organisation, newest first, at most `count`, in portions so that other requests get their turn: filters
 * that each match many events but together match none have to look through many.
 */
function* searchBack(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  filter: auditRepo.AuditFilter,
  { count, before }: { count: number; before?: number | undefined },
): Generator<auditRepo.AuditRow[]> {
  if (!auditRepo.needsFullScan(filter) || !isRecent(db, orgCode, filter)) {
    yield auditRepo.listEvents(db, orgCode, filter, { count, before });
    return;
  }
  let missing = count;
  let end = before;
  for (let reach = FIRST_REACH; missing > 0; reach = Math.min(2 * reach, MOST_REACH)) {
    const start = auditRepo.findEventBack(db, orgCode, filter, { before: end, reach });
    const rows = auditRepo.listEvents(db, orgCode, filter, { count: missing, before: end, start: start ?? 0 });
    yield rows;
    if (start === undefined) return;
    missing -= rows.length;
    end = start;
  }
}

/** Each portion searches for a text from the newest event on, so portions only help where it is soon found. */
function isRecent(db: Deps['db'], orgCode: string, { text }: auditRepo.AuditFilter): boolean {
  if (text === undefined) return true;
  const start = auditRepo.findEventBack(db, orgCode, {}, { reach: FIRST_REACH });
  return auditRepo.listEvents(db, orgCode, { text }, { count: 1, start: start ?? 0 }).length > 0;
}

/**
 * An event as the API returns it. The addresses that others act from are shown only to those who look after security.
 */
function eventOf(row: auditRepo.AuditRow, reader: Caller): AuditEvent {
  const seesAddress = row.actorSuid === reader.suid || reader.permissions.includes('SESSION_MANAGEMENT');
  return {
    id: String(row.id),
    at: isoOf(row.at),
    action: row.action,
    actor: {
      kind: row.actorKind,
      suid: row.actorSuid,
      name: row.actorName,
      mode: row.actorMode,
      ip: seesAddress ? row.ip : '',
    },
    object: { type: row.objectType, id: row.objectId, name: row.objectName },
    suid: row.suid,
    changes: shownChanges(row.changes),
  };
}

/** Events read, and sent, at a time: other requests get their turn in between. */
const PORTION = 500;

const COLUMNS = [
  ...['id', 'at', 'action', 'actorKind', 'actorSuid', 'actorName', 'signedInBy', 'address'],
  ...['objectType', 'objectId', 'objectName', 'suid', 'changes'],
];

type ExportFormat = 'csv' | 'ndjson';

/**
 * Events as the lines of a file, newest first, in portions: a million of them take no more memory than a few hundred.
 */
function* exportEvents(
  deps: Deps,
  caller: Caller,
  filter: auditRepo.AuditFilter,
  format: ExportFormat,
): Generator<string> {
  const lineOf = format === 'csv' ? csvLineOf : (event: AuditEvent) => `${JSON.stringify(event)}\n`;
  if (format === 'csv') yield `${CSV_START}${csvLine(COLUMNS)}`;
  let before: number | undefined;
  let missing: number;
  do {
    missing = PORTION;
    for (const rows of searchBack(deps, caller.orgCode, filter, { count: PORTION, before })) {
      missing -= rows.length;
      before = rows.at(-1)?.id ?? before;
      // '' if nothing was found: other requests still get their turn.
      yield rows.map((row) => lineOf(eventOf(row, caller))).join('');
    }
  } while (missing === 0);
}

function csvLineOf({ id, at, action, actor, object, suid, changes }: AuditEvent): string {
  const { kind, name, mode, ip } = actor;
  return csvLine([
    ...[id, at, action, kind, actor.suid ?? '', name, mode, ip],
    ...[object.type, object.id, object.name, suid ?? '', changes.length > 0 ? JSON.stringify(changes) : ''],
  ]);
}

const auditKey = z.object({ id: z.string().regex(/^\d{1,16}$/) });

/** One page of events. @throws Refusal INVALID_REQUEST for a key that none of our pages returned */
async function pageOfEvents(
  deps: Deps,
  caller: Caller,
  filter: auditRepo.AuditFilter,
  { pageSize, lastItem }: { pageSize: number; lastItem?: string | undefined },
): Promise<{ Items: AuditEvent[]; LastEvaluatedKey: { id: string } | null }> {
  const before = lastItem === undefined ? undefined : Number(readPageKey(auditKey, lastItem).id);
  const found: auditRepo.AuditRow[] = [];
  for (const portion of searchBack(deps, caller.orgCode, filter, { count: pageSize + 1, before })) {
    found.push(...portion);
    if (found.length <= pageSize) await setImmediate();
  }
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return { Items: page.map((row) => eventOf(row, caller)), LastEvaluatedKey: last ? { id: String(last.id) } : null };
}

/** What was changed, and who signed in. */
export function activity(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.listActivity, ({ caller, query: { pageSize, lastItem, ...filters } }) =>
    pageOfEvents(deps, caller, filterOf(filters), { pageSize, lastItem }),
  );

  implement(app, deps, contract.exportActivity, ({ caller, query: { format, ...filters } }) => {
    const chunks = exportEvents(deps, caller, filterOf(filters), format);
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    return new Download(chunks, { type, fileName: `activity-${caller.orgCode}.${format}` });
  });

  implement(app, deps, contract.listMemberActivity, ({ caller, target: { suid }, query }) =>
    pageOfEvents(deps, caller, { suid }, query),
  );
  implement(app, deps, contract.listRoleActivity, ({ caller, params: { roleCode }, query }) =>
    pageOfEvents(deps, caller, { objectType: 'role', objectId: roleCode }, query),
  );
  implement(app, deps, contract.listAppActivity, ({ caller, params: { appId }, query }) =>
    pageOfEvents(deps, caller, { objectType: 'application', objectId: appId }, query),
  );

  implement(app, deps, contract.listSignIns, ({ caller: { orgCode }, query }) => pageOfSignIns(deps, orgCode, query));
  implement(app, deps, contract.listAppSignIns, ({ caller: { orgCode }, params: { appId }, query }) =>
    pageOfSignIns(deps, orgCode, { ...query, appId }),
  );
}

function filterOf({ q, actor, from, to, ...filters }: AuditFilters): auditRepo.AuditFilter {
  return {
    ...filters,
    text: q,
    actorSuid: actor,
    from: millisecondsOf(from),
    to: millisecondsOf(to),
  };
}

const millisecondsOf = (iso: string | undefined): number | undefined =>
  iso === undefined ? undefined : Date.parse(iso);
