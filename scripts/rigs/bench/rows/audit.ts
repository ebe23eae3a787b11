import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { auditRepo, openDatabase } from '@orchestrate/db';
import { AUDIT_ACTIONS, type AuditAction, exportActivity, listActivity, SECOND } from '@orchestrate/shared';
import { median } from '../duration.ts';
import { PORTAL_ENTRY, type Program, portalEnv, startProgram } from '../programs.ts';
import { adminAuthorization } from '../reads-under-load.ts';
import { atMost, type Measurement, type Row } from '../row.ts';
import { percentile, timeRequests } from '../time-requests.ts';

/** Number of distinct events. All other events repeat these at other times. */
const PATTERN = 1_000;
/** Time between two events, in milliseconds. */
const STEP_MS = 7 * SECOND;

const ACTORS = 40;
const OBJECTS = 333;

/** An actor, an object and an action that each have a fixed share of the events, regardless of the total. */
const ONE_ACTOR = 'bench-actor-7';
const ONE_OBJECT = { objectType: 'member', objectId: 'bench-object-11' } as const;
const ONE_ACTION = 'member.updated' satisfies AuditAction;
/** The actor never performs this action, so each filter alone finds many events but both together find none. */
const NEVER_TOGETHER = { actor: 'bench-actor-8', action: 'member.deleted' } as const;
/** An actor with five events, regardless of the total. */
const RARE_ACTOR = 'bench-actor-rare';
const RARE_EVENTS = 5;

/**
 * Adds `total` events to acme's audit trail. No other process may have the database file open.
 * @param now time of the last event, in milliseconds
 */
function fillEvents(file: string, total: number, now: number): void {
  const { db, raw, close } = openDatabase({ file });
  db.transaction((tx) => {
    for (let number = 0; number < PATTERN; number += 1) auditRepo.insertEvent(tx, eventOf(number, now));
  });
  const columns = raw
    .prepare<[], string>(`SELECT name FROM pragma_table_info('audit_events') WHERE name NOT IN ('id', 'at')`)
    .pluck()
    .all()
    .join(', ');
  // Insert the oldest first: the search index is fastest with ascending IDs.
  raw
    .prepare<{ copies: number; span: number }>(
      `WITH RECURSIVE copies(number) AS (
         SELECT @copies WHERE @copies > 0 UNION ALL SELECT number - 1 FROM copies WHERE number > 1
       )
       INSERT INTO audit_events (id, at, ${columns})
       SELECT id - number * @span * 1024, at - number * @span, ${columns} FROM copies CROSS JOIN audit_events`,
    )
    .run({ copies: total / PATTERN - 1, span: PATTERN * STEP_MS });
  db.transaction((tx) => {
    for (let number = 0; number < RARE_EVENTS; number += 1) {
      const at = now - Math.floor((number * total) / RARE_EVENTS) * STEP_MS;
      auditRepo.insertEvent(tx, { ...eventOf(number, now), at, actorSuid: RARE_ACTOR });
    }
  });
  raw.exec('ANALYZE');
  close();
}

function eventOf(number: number, now: number): Omit<auditRepo.AuditRow, 'id'> {
  const actor = number % ACTORS;
  const object = number % OBJECTS;
  const isAlone = actor === 8;
  const action: AuditAction = isAlone
    ? 'member.paused'
    : number % 3 === 0
      ? NEVER_TOGETHER.action
      : number % 3 === 1
        ? ONE_ACTION
        : (AUDIT_ACTIONS[number % AUDIT_ACTIONS.length] ?? ONE_ACTION);
  return {
    orgCode: 'acme',
    at: now - (PATTERN - number) * STEP_MS,
    action,
    actorKind: 'member',
    actorSuid: `bench-actor-${actor}`,
    actorName: `Actor Number ${actor}`,
    actorMode: 'QID',
    actorSid: 'bench-session',
    ip: `192.0.2.${actor}`,
    objectType: 'member',
    objectId: `bench-object-${object}`,
    objectName: `Person Called ${object}`,
    suid: `bench-object-${object}`,
    changes: [{ field: 'firstName', before: 'Before', after: 'After' }],
  };
}

const SIZES = [1_000, 1_000_000] as const;
/** Number of single requests to each portal. */
const TIMED = 200;
const MAX_GROWTH = 3;
const MAX_STALL_MS = 100;
/** Number of transactions with one write each. */
const WRITES = 2_000;

export const audit: Row = {
  name: 'audit',
  title: 'The audit trail',
  about: `Two portals on disk, with 1 000 and 1 000 000 events in one organisation, alternately answer a signed-in administrator's
request for a page of 20. The median of ${TIMED} single requests is compared, because other load on the machine affects both alike. A deep page starts
three fifths into the trail. Filters that match many events each but none together scan the whole trail in portions: for these, the longest event loop
stall is measured. The cost of recording is the time to write one event's row and its search index entry, divided by the time to write one member's
row, each in its own transaction, in a file with ${SIZES[1].toLocaleString('en').replaceAll(',', ' ')} events.`,
  run: compareTrails,
};

interface Trail {
  file: string;
  portal: Program;
  authorization: string;
  /** Time of the last event, in milliseconds. */
  now: number;
  events: number;
}

async function compareTrails(folder: string): Promise<Measurement[]> {
  const trails: Trail[] = [];
  try {
    for (const events of SIZES) trails.push(await prepare(folder, events));
    const grown = await growths(trails);
    const stalls = await stallsOf(trails.at(-1));
    await Promise.all(trails.map(({ portal }) => portal.stop()));
    return [...grown, ...stalls, recording(trails.at(-1)?.file ?? '')];
  } finally {
    await Promise.all(trails.map(({ portal }) => portal.kill()));
  }
}

async function prepare(folder: string, events: number): Promise<Trail> {
  const log = join(folder, 'log');
  const file = join(folder, `portal-${events}.db`);
  rmSync(file, { force: true });
  const env = portalEnv(file);
  const seeding = await startProgram(PORTAL_ENTRY, { path: '/api/health', env, log });
  await seeding.stop();
  const now = Date.now();
  fillEvents(file, events, now);
  const portal = await startProgram(PORTAL_ENTRY, { path: '/api/health', env, log });
  return { file, portal, authorization: await adminAuthorization(portal), now, events };
}

const pathOf = (query: Record<string, string>) =>
  `/api${listActivity.path}?${new URLSearchParams({ pageSize: '20', ...query })}`;

/** Returns the time of the event that lies `share` of the trail before the last one, in milliseconds. */
const backTo = ({ now, events }: Trail, share: number): number => now - Math.floor(events * share) * STEP_MS;
const isoOf = (time: number): string => new Date(time).toISOString();
const deep = (trail: Trail) => ({ lastItem: JSON.stringify({ id: String(backTo(trail, 0.6) * 1_024) }) });

const PAGES: readonly [string, (trail: Trail) => Record<string, string>][] = [
  ['first page', () => ({})],
  ['deep page', deep],
  ['a page of one actor', () => ({ actor: ONE_ACTOR })],
  ['a page of one actor, deep page', (trail) => ({ actor: ONE_ACTOR, ...deep(trail) })],
  ['a page of an actor with five events', () => ({ actor: RARE_ACTOR })],
  ['a page of one object', () => ({ ...ONE_OBJECT })],
  ['a page of one action', () => ({ action: ONE_ACTION })],
  ['a page of one action, deep page', (trail) => ({ action: ONE_ACTION, ...deep(trail) })],
  ['a page of one actor and action', () => ({ actor: ONE_ACTOR, action: ONE_ACTION })],
  ['a page of a period', (trail) => ({ from: isoOf(backTo(trail, 0.5)), to: isoOf(backTo(trail, 0.4)) })],
  ['a page of a text search', () => ({ q: 'number 7' })],
];

async function growths(trails: readonly Trail[]): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for (const [what, queryOf] of PAGES) {
    const [few = [], many = []] = await timeRequests(
      trails.map((trail) => ({
        program: trail.portal,
        reading: { path: pathOf(queryOf(trail)), authorization: trail.authorization },
      })),
      TIMED,
    );
    const ratio = median(many) / median(few);
    measured.push({
      what: `${what}: 1 000 000 events compared with 1 000`,
      ours: `${median(many).toFixed(2)} ms, 95th percentile ${percentile(95, many).toFixed(2)} ms`,
      bare: `${median(few).toFixed(2)} ms, 95th percentile ${percentile(95, few).toFixed(2)} ms`,
      ratio,
      ...atMost(MAX_GROWTH, [ratio]),
    });
  }
  return measured;
}

async function stallsOf(trail: Trail | undefined): Promise<Measurement[]> {
  if (!trail) return [];
  const never = { ...NEVER_TOGETHER };
  const searches: [string, string][] = [
    ['filters without a common match', pathOf(never)],
    ['a text and a filter without a common match', pathOf({ q: 'number 8', action: NEVER_TOGETHER.action })],
    ['the same as an export', `/api${exportActivity.path}?${new URLSearchParams(never)}`],
  ];
  const measured: Measurement[] = [];
  for (const [what, path] of searches) {
    await trail.portal.stall();
    const began = performance.now();
    const response = await fetch(`${trail.portal.url}${path}`, { headers: { authorization: trail.authorization } });
    await response.arrayBuffer();
    const took = performance.now() - began;
    const stall = await trail.portal.stall();
    if (!response.ok) throw new Error(`${path} returned ${response.status}.`);
    measured.push({
      what: `${what}, among 1 000 000 events`,
      ours: `longest stall ${Math.round(stall)} ms, answered after ${(took / SECOND).toFixed(1)} s`,
      ...atMost(MAX_STALL_MS, [stall], 'ms'),
    });
  }
  return measured;
}

/** Times single transactions that update a member. Every second one also inserts an audit event. */
function recording(file: string): Measurement {
  const { db, raw, close } = openDatabase({ file });
  const [last] = auditRepo.listEvents(db, 'acme', {}, { count: 1 });
  if (!last) throw new Error('The audit trail is empty.');
  const change = raw.prepare(
    `UPDATE members SET lastName = ? WHERE primaryEmail = 'user@acme.test' AND orgCode = 'acme'`,
  );
  const times = { plain: [] as number[], recorded: [] as number[] };
  for (let number = 0; number < WRITES; number += 1) {
    const kind = number % 2 === 0 ? 'plain' : 'recorded';
    const began = performance.now();
    db.transaction((tx) => {
      change.run(`Name ${number}`);
      if (kind === 'recorded') auditRepo.insertEvent(tx, { ...last, at: last.at + number });
    });
    times[kind].push(performance.now() - began);
  }
  close();
  const [plain, recorded] = [median(times.plain), median(times.recorded)];
  const ratio = (recorded - plain) / plain;
  return {
    what: 'recording, as a share of a plain write',
    ours: `${((recorded - plain) * 1_000).toFixed(0)} µs more`,
    bare: `${(plain * 1_000).toFixed(0)} µs`,
    ratio,
  };
}
