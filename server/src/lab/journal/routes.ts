import { clearTimeout, setTimeout } from 'node:timers';
import { isDeepStrictEqual } from 'node:util';
import { applicationRepo, memberRepo, organisationRepo } from '@orchestrate/db';
import {
  contract,
  decodedPath,
  type ExpectedEntry,
  isSecret,
  type JournalEntry,
  labLive,
  SECOND,
  webhookEvent,
  webhookTestEvent,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Deps } from '#deps.ts';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import { implement } from '#platform/http/implement.ts';
import type { RecordedEntry } from '#platform/journal.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { serveChannel } from '#platform/live/serve-channel.ts';
import { nearest } from '#platform/nearest.ts';
import { refuseField } from '#platform/refusal.ts';
import { requireApplication } from '../faults/require-served.ts';
import { canMatchPattern, matchesPattern, type ServedPaths } from '../faults/served-paths.ts';
import { requireMemberWithEmail, requireOrgCode } from '../phones/find-phone.ts';
import { recordLabAction } from '../record-in-lab.ts';
import { createWaiting } from '../wait-until.ts';
import { readEntry } from './read-entry.ts';
import { recordChanges } from './record-changes.ts';
import { recordHttp } from './record-http.ts';
import { REDACTED, unwrapSchema } from './redact.ts';
import { pathIn, requireFindable, requireReadable, requireRecorded } from './require-findable.ts';
import { describeExpectation, findEntry, mentionsEmail, type VerifiableEntry, verify } from './verify.ts';

/** Explains why part of a body can never match. */
interface Obstacle {
  /** Field names and list indices, outermost first. */
  path: string[];
  /** Explanation of a wrong value. Undefined if the field name is wrong. */
  message?: string;
  /** Valid field names, if no value could be valid at this path. */
  known?: string[];
}

/**
 * Rejects an expected body that contains a field or value no matching endpoint accepts. A misspelt field would
 * otherwise pass as “0 times”. Values that a client has actually sent can be verified, and so can any string, because
 * a test may check that a client validates before sending.
 * @throws Refusal INVALID_REQUEST naming the field
 */
function requirePossible({ registered }: Deps, expected: ExpectedEntry, happened: readonly VerifiableEntry[]): void {
  const { kind, method, path, direction, event, body } = expected;
  if (body === undefined || (path === undefined && kind !== 'webhook')) return;
  const obstacles =
    kind === 'webhook' ? obstaclesOfEvents() : kind === 'socket' ? obstaclesOfMessages() : obstaclesOfCalls();
  const deepest = deepestOf(obstacles);
  if (!deepest || happened.some(has(deepest))) return;
  const field = ['body', ...deepest.path].join('.');
  const message = `${field} would never match: ${deepest.message ?? noName(deepest)}`;
  refuseField(field, message);

  function obstaclesOfCalls() {
    const meant = registered.endpoints.filter(
      (entry) => canMatchPattern(path ?? '', `/api${entry.path}`) && (method === undefined || method === entry.method),
    );
    const taken = meant.flatMap((entry) => entry.body ?? entry.multipart ?? []);
    if (taken.length === 0)
      return meant.map((entry) => nothing(`${entry.method} /api${entry.path} doesn't accept a body.`));
    return taken.map((schema) => obstacleIn(schema, body));
  }

  function obstaclesOfEvents() {
    const schemas =
      event === undefined
        ? [webhookEvent, webhookTestEvent]
        : [event === 'webhook.test' ? webhookTestEvent : webhookEvent];
    return schemas.map((schema) => obstacleIn(schema, body));
  }

  function obstaclesOfMessages() {
    const meant = registered.channels.filter((channel) => canMatchPattern(path ?? '', channel.path));
    const schemas = meant.flatMap(({ server, client }) => [
      ...(direction === 'received' ? [] : [server]),
      ...(direction === 'sent' || !client ? [] : [client]),
    ]);
    if (schemas.length === 0) return meant.map((channel) => nothing(`${channel.path} doesn't accept messages.`));
    return schemas.map((schema) => obstacleIn(schema, body));
  }

  /**
   * Returns a function that checks whether an entry contains the rejected field or value although no endpoint accepts
   * it.
   */
  function has({ path: segments, known }: Obstacle) {
    const at = (value: unknown) => segments.reduce(own, value);
    return ({ entry, address }: VerifiableEntry): boolean => {
      const where = entry.kind === 'socket' ? entry.channel : address;
      if (where === undefined || (path !== undefined && !matchesPattern(where, path))) return false;
      const actual = at(entry.kind === 'socket' ? entry.message : fieldsOf(entry).requestBody);
      return known ? actual !== undefined && actual !== null : isDeepStrictEqual(actual, at(body));
    };
  }
}

const nothing = (message: string): Obstacle => ({ path: [], message, known: [] });

function noName({ path, known = [] }: Obstacle): string {
  const meant = nearest(path.at(-1) ?? '', known);
  return `there is no such field.${meant ? ` Did you mean ${meant}?` : ''}`;
}

/**
 * Returns the deepest mismatch between a value and several schemas, because the best-fitting schema has the deepest
 * mismatch. Returns undefined if any schema matches.
 */
function deepestOf(obstacles: readonly (Obstacle | undefined)[]): Obstacle | undefined {
  const all = obstacles.flatMap((one) => one ?? []);
  const [deepest] = all.toSorted((a, b) => b.path.length - a.path.length);
  if (!deepest || all.length < obstacles.length) return undefined;
  const alike = all.filter(({ path }) => isDeepStrictEqual(path, deepest.path));
  // If at least one schema has the field, its value is wrong rather than its name.
  const value = alike.find(({ known }) => !known);
  return value ?? { ...deepest, known: alike.flatMap(({ known = [] }) => known) };
}

/** Returns the first part of a value that a schema doesn't allow. */
function obstacleIn(schema: z.ZodType | undefined, value: unknown, path: string[] = []): Obstacle | undefined {
  if (!schema || isSecret(schema) || value === REDACTED || value === null) return undefined;
  const inner = unwrapSchema(schema);
  if (inner) return obstacleIn(inner, value, path);
  if (schema instanceof z.ZodUnion) {
    const options = schema.options as readonly z.ZodType[];
    return deepestOf(options.map((option) => obstacleIn(option, value, path)));
  }
  const never = (message: string): Obstacle => ({ path, message });
  if (schema instanceof z.ZodObject) {
    if (!isObject(value)) return never('it must be an object.');
    const shape: Record<string, z.ZodType> = schema.shape;
    const isOpen = schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever);
    return firstOf(Object.entries(value), ([name, part]) => {
      if (Object.hasOwn(shape, name)) return obstacleIn(shape[name], part, [...path, name]);
      if (isOpen) return undefined;
      return { path: [...path, name], known: Object.keys(shape) };
    });
  }
  if (schema instanceof z.ZodArray) {
    if (!isObject(value)) return never('it must be a list.');
    return firstOf(Object.entries(value), ([index, item]) =>
      obstacleIn(schema.element as z.ZodType, item, [...path, index]),
    );
  }
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) {
    const all = schema instanceof z.ZodEnum ? schema.options : [...schema.values];
    if (all.some((one) => one === value)) return undefined;
    const known = all.map(String);
    const meant = nearest(String(value), known);
    return never(meant ? `did you mean ${meant}?` : `it must be one of ${known.join(', ')}.`);
  }
  if (schema instanceof z.ZodBoolean && typeof value !== 'boolean') return never('it must be true or false.');
  if (schema instanceof z.ZodNumber && typeof value !== 'number') return never('it must be a number.');
  if (schema instanceof z.ZodString && typeof value !== 'string') return never('it must be a string.');
  return undefined;
}

function firstOf<Item>(items: readonly Item[], look: (item: Item) => Obstacle | undefined): Obstacle | undefined {
  for (const item of items) {
    const found = look(item);
    if (found) return found;
  }
  return undefined;
}

const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? Object(value)[name] : undefined;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Minimum interval between notifications to watchers, in milliseconds. */
const NOTIFY_INTERVAL_MS = 100;

/** Serves the journal and notifies watchers of new entries. */
export function journal(app: FastifyInstance, deps: Deps, served: () => ServedPaths): void {
  recordHttp(app, deps);
  recordChanges(app, deps);

  implement(app, deps, contract.readJournal, ({ query: { after, limit, kind, path, email, org } }) => {
    if (org !== undefined) requireOrgCode(deps, 'org', org);
    if (path !== undefined) requireFindable(deps, served(), { kind, path, email, org });
    if (email !== undefined) requireKnown(email);
    if (after !== undefined) requireRecorded(deps, after);
    const found = deps.journal.entries({ after, kind });
    const fits = (entry: JournalEntry, address = '') =>
      (path === undefined || matchesPattern(pathOf(entry), path) || matchesPattern(address, path)) &&
      (email === undefined || mentionsEmail(entry, email)) &&
      (org === undefined || entry.org === org);
    const entries: JournalEntry[] = [];
    // Newest first, unless the request asks for entries after a number. Stop reading once the limit is reached.
    for (const happened of after === undefined ? found.toReversed() : found) {
      if (entries.length === limit) break;
      const entry = readEntry(deps, happened);
      if (fits(entry, addressOf(happened))) entries.push(entry);
    }
    const last = deps.journal.last();
    if (after === undefined) return { entries: entries.reverse(), last, skipped: 0 };
    return { entries, last, skipped: deps.journal.forgotten(after) };
  });

  implement(app, deps, contract.emptyJournal, ({ actor }) => {
    deps.journal.clear();
    deps.bus.changed(TOPIC.journal);
    recordLabAction(deps, actor, 'lab.journal-emptied', {});
    return {};
  });

  implement(app, deps, contract.verifyJournal, ({ body }) => {
    const skipped = body.after === undefined ? 0 : deps.journal.forgotten(body.after);
    return verify(requireVerifiable(body), body, skipped);
  });

  const waiting = createWaiting(app, deps);

  implement(app, deps, contract.awaitEntry, async ({ body: { wait, ...expected } }) => {
    let found = findEntry(requireVerifiable(expected, { isAwaited: true }), expected).entry;
    let seen = Math.max(deps.journal.last(), expected.after ?? 0);
    const isFound = () => {
      found ??= findEntry(entriesOf({ ...expected, after: seen }), expected).entry;
      seen = Math.max(deps.journal.last(), seen);
      return found !== null;
    };
    await waiting.until([TOPIC.entry], isFound, wait * SECOND);
    const { entry, misses } = found ? { entry: found, misses: [] } : findEntry(entriesOf(expected), expected);
    const message = entry ? entry.summary : `No entry matched ${describeExpectation(expected)} within ${wait} s.`;
    return { entry, message, misses };
  });

  /** Returns the entries to compare with an expectation. */
  function entriesOf({ kind, after }: ExpectedEntry): VerifiableEntry[] {
    const found = deps.journal.entries({ kind, after });
    return found.map((one) => ({ entry: readEntry(deps, one), address: addressOf(one) }));
  }

  /**
   * Rejects an expectation that can never match.
   * @returns the entries to compare with it
   * @throws Refusal INVALID_REQUEST, ORG_CODE_NOT_FOUND, ORG_APP_MISSING, ORG_EMAIL_NOT_FOUND
   */
  function requireVerifiable(expected: ExpectedEntry, { isAwaited = false } = {}): VerifiableEntry[] {
    const { kind, path, email, org, application, after = 0 } = expected;
    if (org !== undefined) requireOrgCode(deps, 'org', org);
    if (path !== undefined) requireFindable(deps, served(), { kind, path, email, org });
    requireReadable(deps, expected);
    // Messages also go to people who aren't members yet. A misspelt address ends the wait with the closest entries.
    if (email !== undefined && !(isAwaited && kind === 'message')) requireKnown(email);
    if (application !== undefined) requireKnownApplication(expected, application);
    requireRecorded(deps, after);
    const entries = entriesOf({ kind });
    requirePossible(deps, expected, entries);
    return entries.filter(({ entry }) => entry.seq > after);
  }

  /**
   * Rejects an unknown email address, which would otherwise pass as “0 times”.
   * @throws Refusal ORG_EMAIL_NOT_FOUND if no member has this address and no entry contains it
   */
  function requireKnown(email: string): void {
    if (memberRepo.listMembersByEmail(deps.db, email).length > 0) return;
    if (!deps.journal.entries().some((one) => mentionsEmail(readEntry(deps, one), email)))
      requireMemberWithEmail(deps, 'email', email);
  }

  /**
   * Rejects an unknown application or one of another protocol, which would otherwise pass as “0 times”.
   * @throws Refusal ORG_APP_MISSING if no application has this ID, INVALID_REQUEST if none with this ID uses the
   * protocol; neither if a recorded exchange names it
   */
  function requireKnownApplication({ org, protocol }: ExpectedEntry, appId: string): void {
    const exchanges = deps.journal.entries({ kind: 'exchange' });
    if (exchanges.some(({ raw }) => raw.kind === 'exchange' && raw.appId === appId)) return;
    requireApplication(deps, 'application', org, appId);
    const orgCodes = org === undefined ? organisationRepo.listOrgCodes(deps.db) : [org];
    const types = orgCodes.flatMap(
      (code) => applicationRepo.findApplication(deps.db, code, appId)?.integrationType ?? [],
    );
    const protocols: readonly string[] = protocol === undefined ? ['radius', 'ldap'] : [protocol];
    if (types.some((type) => protocols.includes(type))) return;
    const names = protocols.map((name) => name.toUpperCase()).join(' or ');
    const message = `${appId} doesn't use ${names}.`;
    refuseField('application', message);
  }

  let changes = 0;
  let timer: NodeJS.Timeout | undefined;
  const stop = deps.bus.listen([TOPIC.journal, TOPIC.outbox, TOPIC.spaces], () => {
    if (timer || deps.bus.listeners(TOPIC.lab) === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      changes += 1;
      deps.bus.changed(TOPIC.lab);
    }, NOTIFY_INTERVAL_MS);
  });
  app.addHook('preClose', async () => {
    stop();
    clearTimeout(timer);
  });

  serveChannel(app, deps, labLive, {
    open: () => ({
      topics: [TOPIC.lab],
      state: () => ({ message: { op: 'LAB' as const, last: deps.journal.last(), changes } }),
    }),
  });
}

const pathOf = (entry: JournalEntry): string =>
  entry.kind === 'socket' ? entry.channel : entry.kind === 'http' || entry.kind === 'fault' ? entry.path : '';

/** Returns a request's URL as it was sent. The entry itself can hide parts of the URL. */
function addressOf({ raw }: RecordedEntry): string | undefined {
  if (raw.kind === 'http') return decodedPath(raw.url.split('?')[0] ?? '');
  if (raw.kind === 'webhook') return pathIn(raw.url);
  return raw.kind === 'fault' ? raw.path : undefined;
}
