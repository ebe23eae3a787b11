import { setImmediate } from 'node:timers/promises';
import { applicationRepo, auditRepo, loginHistoryRepo, oidcApplicationRepo } from '@orchestrate/db';
import {
  type AuditEvent,
  type AuditFilters,
  CSV_START,
  contract,
  csvLine,
  id,
  LIMITS,
  type SignInRecord,
  time,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { eventChangesOf } from '#core/audit/event-changes.ts';
import { signInRecordOf } from '#core/sign-in/login-record-of.ts';
import { refusedRedirectsOf } from '#core/sign-in/refused-redirects.ts';
import { countSignInDays } from '#core/sign-in/sign-in-days.ts';
import type { Deps } from '#deps.ts';
import { Download } from '#platform/http/answers/answer.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { implement } from '#platform/http/implement.ts';
import { readPageKey } from '#platform/http/requests/page-key.ts';
import { isoOf, localDays } from '#platform/times.ts';

/** Number of events in the first batch. Small, because most searches are for recent events. */
const FIRST_REACH = 2_000;
const MOST_REACH = 20_000;

/**
 * Yields at most `count` of the organisation's events, newest first. Searches whose filters each match many events
 * but rarely the same ones run in batches, because scanning everything in one query would block other requests.
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
    const start = auditRepo.findStartOfReach(db, orgCode, filter, { before: end, reach });
    const rows = auditRepo.listEvents(db, orgCode, filter, { count: missing, before: end, start: start ?? 0 });
    yield rows;
    if (start === undefined) return;
    missing -= rows.length;
    end = start;
  }
}

/**
 * Returns true if a search has no text or has a recent match. A text search starts at the newest event in every
 * batch, so batching only helps if there is a recent match.
 */
function isRecent(db: Deps['db'], orgCode: string, { text }: auditRepo.AuditFilter): boolean {
  if (text === undefined) return true;
  const start = auditRepo.findStartOfReach(db, orgCode, {}, { reach: FIRST_REACH });
  return auditRepo.listEvents(db, orgCode, { text }, { count: 1, start: start ?? 0 }).length > 0;
}

/**
 * Returns an event for the API. Other actors' IP addresses are visible only to readers with the security permission.
 */
function eventOf(row: auditRepo.AuditRow, reader: Caller): AuditEvent {
  const canSeeAddress = row.actorSuid === reader.suid || reader.permissions.includes('SESSION_MANAGEMENT');
  return {
    id: String(row.id),
    at: isoOf(row.at),
    action: row.action,
    actor: {
      kind: row.actorKind,
      suid: row.actorSuid,
      name: row.actorName,
      mode: row.actorMode,
      ip: canSeeAddress ? row.ip : '',
    },
    object: { type: row.objectType, id: row.objectId, name: row.objectName },
    suid: row.suid,
    changes: eventChangesOf(row.changes),
  };
}

/** Number of events per batch. Other requests run between batches. */
const BATCH = 500;

const COLUMNS = [
  'id',
  'at',
  'action',
  'actorKind',
  'actorSuid',
  'actorName',
  'signedInBy',
  'address',
  'objectType',
  'objectId',
  'objectName',
  'suid',
  'changes',
];

type ExportFormat = 'csv' | 'ndjson';

/** Yields events as lines of a file, newest first. Batches keep memory use constant, even for a million events. */
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
    missing = BATCH;
    for (const rows of searchBack(deps, caller.orgCode, filter, { count: BATCH, before })) {
      missing -= rows.length;
      before = rows.at(-1)?.id ?? before;
      // Yield even an empty string, so other requests can run.
      yield rows.map((row) => lineOf(eventOf(row, caller))).join('');
    }
  } while (missing === 0);
}

function csvLineOf({ id, at, action, actor, object, suid, changes }: AuditEvent): string {
  const { kind, name, mode, ip } = actor;
  return csvLine([
    id,
    at,
    action,
    kind,
    actor.suid ?? '',
    name,
    mode,
    ip,
    object.type,
    object.id,
    object.name,
    suid ?? '',
    changes.length > 0 ? JSON.stringify(changes) : '',
  ]);
}

const auditKey = z.object({ id: z.string().regex(/^\d{1,16}$/) });

/**
 * Returns one page of events.
 * @throws Refusal INVALID_REQUEST if the portal didn't issue the page key
 */
async function pageOfEvents(
  deps: Deps,
  caller: Caller,
  filter: auditRepo.AuditFilter,
  { pageSize, lastItem }: { pageSize: number; lastItem?: string | undefined },
): Promise<{ Items: AuditEvent[]; LastEvaluatedKey: { id: string } | null }> {
  const before = lastItem === undefined ? undefined : Number(readPageKey(auditKey, lastItem).id);
  const found: auditRepo.AuditRow[] = [];
  for (const batch of searchBack(deps, caller.orgCode, filter, { count: pageSize + 1, before })) {
    found.push(...batch);
    if (found.length <= pageSize) await setImmediate();
  }
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return { Items: page.map((row) => eventOf(row, caller)), LastEvaluatedKey: last ? { id: String(last.id) } : null };
}

/** Maximum number of sign-ins examined per request, using the most selective filter, at about 1 µs each. */
const REACH = 20_000;

const signInKey = z.object({ timestamp: time, id });

interface SignInQuery {
  status?: 'Success' | 'Failed' | undefined;
  suid?: string | undefined;
  appId?: string | undefined;
  mode?: string | undefined;
  ip?: string | undefined;
  reason?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  pageSize: number;
  lastItem?: string | undefined;
}

/**
 * Returns one page of sign-ins.
 * @throws Refusal INVALID_REQUEST if the portal didn't issue the page key
 */
function pageOfSignIns(
  { db }: Deps,
  orgCode: string,
  { appId, from, to, pageSize, lastItem, ...filter }: SignInQuery,
): { Items: SignInRecord[]; LastEvaluatedKey: { timestamp: string; id: string } | null } {
  const key = lastItem === undefined ? undefined : readPageKey(signInKey, lastItem);
  const before = key && { id: key.id, timestamp: Date.parse(key.timestamp) };
  const { entries, last } = loginHistoryRepo.listSignIns(
    db,
    orgCode,
    { ...filter, appId: storedAppId(db, orgCode, appId), from: millisecondsOf(from), to: millisecondsOf(to) },
    { count: pageSize, before, reach: REACH },
  );
  return {
    Items: entries.map(signInRecordOf),
    LastEvaluatedKey: last && { timestamp: isoOf(last.timestamp), id: last.id },
  };
}

/** Returns an application's ID as sign-ins store it: '' for the portal itself. */
function storedAppId(db: Deps['db'], orgCode: string, appId: string | undefined): string | undefined {
  const isPortal = appId && applicationRepo.findApplication(db, orgCode, appId)?.integrationType === 'portal';
  return isPortal ? '' : appId;
}

/** Registers the endpoints for the audit trail and the sign-in history. */
export function auditTrail(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.listActivity, ({ caller, query: { pageSize, lastItem, ...filters } }) =>
    pageOfEvents(deps, caller, filterOf(filters), { pageSize, lastItem }),
  );

  implement(app, deps, contract.exportActivity, ({ caller, query: { format, ...filters } }) => {
    const chunks = exportEvents(deps, caller, filterOf(filters), format);
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    return new Download(chunks, { type, fileName: `activity-${caller.orgCode}.${format}` });
  });

  implement(app, deps, contract.countActivityDays, async ({ caller: { orgCode }, query: { timeZone, ...query } }) => {
    const days: { day: string; changes: number }[] = [];
    for (const { day, from, until } of localDays(timeZone, deps.clock.now(), LIMITS.chartDays)) {
      const filter = { ...filterOf(query), from, to: until };
      days.push({ day, changes: auditRepo.countEvents(deps.db, orgCode, filter) });
      await setImmediate();
    }
    return { days };
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
  implement(
    app,
    deps,
    contract.countSignInDays,
    async ({ caller: { orgCode }, query: { timeZone, appId, ...query } }) => {
      const filter = { ...query, appId: storedAppId(deps.db, orgCode, appId) };
      const { days, isPartial } = await countSignInDays(deps, orgCode, { timeZone, filter });
      return { days, isPartial };
    },
  );
  implement(app, deps, contract.listAppSignIns, ({ caller: { orgCode }, params: { appId }, query }) =>
    pageOfSignIns(deps, orgCode, { ...query, appId }),
  );
  implement(app, deps, contract.listRefusedRedirects, ({ caller: { orgCode }, params: { appId } }) => {
    const registered = oidcApplicationRepo.findOidcApplication(deps.db, orgCode, appId)?.redirectUris;
    const refused = refusedRedirectsOf(deps, orgCode, appId);
    // Deleted applications have no registered addresses and nothing to correct.
    return { refused: registered ? refused.filter(({ redirectUri }) => !registered.includes(redirectUri)) : [] };
  });
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
