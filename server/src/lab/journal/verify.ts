import type { Expectation, ExpectedEntry, JournalEntry, JournalMiss } from '@orchestrate/shared';
import distance from 'leven';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import { matchesPattern } from '../faults/served-paths.ts';

type Difference = JournalMiss['differs'][number];
type Json = Difference['actual'];

const MISSES_MAX = 5;
/** Weight of each difference. An entry with a matching path is closer than an entry with a matching method. */
const WEIGHT: Record<string, number> = { path: 8, method: 3, email: 3, org: 3, event: 5, status: 2, resultName: 2 };

const EXCHANGE_FIELDS = ['protocol', 'application', 'outcome'] as const;

/** A redacted entry together with the request's URL as it was sent. */
export interface VerifiableEntry {
  entry: JournalEntry;
  address: string | undefined;
}

/**
 * Compares the number of matching entries with the expected number. Lab calls count only if the expectation names a
 * lab path.
 * @param skipped number of removed entries that could have matched
 */
export function verify(entries: readonly VerifiableEntry[], expected: Expectation, skipped: number) {
  const { count, atLeast = count ?? (expected.atMost === undefined ? 1 : 0), atMost = count ?? Infinity } = expected;
  const compared = compareAll(entries, expected);
  const found = compared.filter(({ differs }) => differs.length === 0);
  const met = found.length;
  const ok = met >= atLeast && met <= atMost && (skipped === 0 || atMost === Infinity);
  return {
    ok,
    count: met,
    skipped,
    message: sentence(expected, { met, atLeast, atMost, skipped, isEmpty: entries.length === 0 }),
    misses:
      met < atLeast
        ? [
            // If some entries match, entries of other paths are irrelevant.
            ...nearestOf(met === 0 ? compared : compared.filter(({ differs }) => isAtPath(expected, differs))),
            ...newest(found, { field: 'count', expected: atLeast, actual: met }),
          ].slice(0, MISSES_MAX)
        : met > atMost
          ? newest(found, { field: 'count', expected: atMost, actual: met })
          : [],
  };
}

const isAtPath = ({ path }: ExpectedEntry, differs: readonly Difference[]): boolean =>
  path !== undefined && differs.every(({ field }) => field !== 'path');

/** Returns the newest entries that match, whose number is wrong. */
const newest = (found: readonly JournalMiss[], wrong: Difference): JournalMiss[] =>
  found.slice(-MISSES_MAX).map(({ entry }) => ({ entry, differs: [wrong] }));

/** Returns the first matching entry, or the closest ones. */
export function findEntry(entries: readonly VerifiableEntry[], expected: ExpectedEntry) {
  const compared = compareAll(entries, expected);
  const entry = compared.find(({ differs }) => differs.length === 0)?.entry ?? null;
  return { entry, misses: entry ? [] : nearestOf(compared) };
}

function compareAll(entries: readonly VerifiableEntry[], expected: ExpectedEntry): JournalMiss[] {
  const isCounted = ({ entry: { kind }, address }: VerifiableEntry) =>
    kind === expected.kind && (kind !== 'http' || ofLab(expected.path) || !ofLab(address));
  return entries
    .filter(isCounted)
    .map(({ entry, address }) => ({ entry, differs: differencesOf(entry, expected, address) }));
}

const nearestOf = (compared: readonly JournalMiss[]): JournalMiss[] =>
  compared
    .filter(({ differs }) => differs.length > 0)
    .sort((a, b) => far(a.differs) - far(b.differs) || b.entry.seq - a.entry.seq)
    .slice(0, MISSES_MAX);

interface Counted {
  met: number;
  atLeast: number;
  atMost: number;
  skipped: number;
  isEmpty: boolean;
}

function sentence(expected: Expectation, { met, atLeast, atMost, skipped, isEmpty }: Counted): string {
  const wanted =
    atLeast === atMost
      ? times(atLeast)
      : atMost === Infinity
        ? `at least ${times(atLeast)}`
        : `${atLeast} to ${times(atMost)}`;
  const nothing = isEmpty ? ' The journal has no entry of this kind.' : '';
  const forgotten = skipped > 0 ? ` But ${skipped} entries after ${expected.after} have been removed.` : '';
  return `Expected ${describeExpectation(expected)} ${wanted}, found it ${times(met)}.${nothing}${forgotten}`;
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Describes an expectation in words, e.g. `POST /api/user/login of user@acme.test with status 200`. */
export function describeExpectation({
  kind,
  method,
  path,
  email,
  org,
  after,
  status,
  resultName,
  direction,
  event,
  body,
  ...exchange
}: ExpectedEntry): string {
  const called = [method, path].filter((part) => part !== undefined).join(' ');
  const what =
    kind === 'http' ? called || 'a call' : [`an entry of kind ${kind}`, path && `at ${path}`].filter(Boolean).join(' ');
  const having = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(resultName === undefined ? [] : [resultName]),
    ...(direction === undefined ? [] : [`direction ${direction}`]),
    ...(event === undefined ? [] : [`event ${event}`]),
    ...EXCHANGE_FIELDS.flatMap((name) => (exchange[name] === undefined ? [] : [`${name} ${exchange[name]}`])),
    ...(body === undefined ? [] : [`the body ${JSON.stringify(body)}`]),
  ];
  const whose = [email && `of ${email}`, org && `in ${org}`, after !== undefined && `after ${after}`];
  return [what, ...whose, having.length > 0 && `with ${having.join(' and ')}`].filter(Boolean).join(' ');
}

const ofLab = (path: string | undefined): boolean => path?.startsWith('/api/lab/') ?? false;

function differencesOf(entry: JournalEntry, expected: ExpectedEntry, address: string | undefined) {
  const { method, path, email, org, status, resultName, direction, event, body } = expected;
  const actual = fieldsOf(entry);
  const own = entry.kind === 'socket' ? entry.channel : entry.kind === 'webhook' ? entry.url : actual.path;
  const differs: Difference[] = [];
  const compare = (field: string, wanted: Json | undefined, value: unknown) => {
    if (wanted !== undefined && wanted !== value) differs.push({ field, expected: wanted, actual: asJson(value) });
  };
  const isThere = [own, address].some(
    (one) => typeof one === 'string' && path !== undefined && matchesPattern(one, path),
  );
  if (path !== undefined && !isThere) {
    differs.push({ field: 'path', expected: path, actual: asJson(own) });
  }
  compare('method', method, actual.method);
  if (email !== undefined && !mentionsEmail(entry, email)) compare('email', email, actual.email);
  compare('org', org, entry.org);
  compare('status', status, actual.status);
  compare('resultName', resultName, actual.resultName);
  compare('direction', direction, actual.direction);
  compare('event', event, actual.event);
  for (const name of EXCHANGE_FIELDS) compare(name, expected[name], actual[name]);
  if (body) differs.push(...missingParts(body, entry.kind === 'socket' ? entry.message : actual.requestBody, 'body'));
  return differs;
}

/** Returns true if an entry is about this person or contains their email address. */
export const mentionsEmail = (entry: JournalEntry, email: string): boolean =>
  entry.email === email || JSON.stringify([fieldsOf(entry).requestBody, fieldsOf(entry).query]).includes(`"${email}"`);

/** Returns the parts of an expected value that the actual value doesn't contain. */
export function missingParts(expected: Json, actual: unknown, field: string): Difference[] {
  if (typeof expected !== 'object' || expected === null) {
    return expected === actual ? [] : [{ field, expected, actual: asJson(actual) }];
  }
  if (typeof actual !== 'object' || actual === null) return [{ field, expected, actual: asJson(actual) }];
  const there: Record<string, unknown> = { ...actual };
  return Object.entries(expected).flatMap(([name, part]) => missingParts(part, there[name], `${field}.${name}`));
}

const asJson = (value: unknown): Json => (value === undefined ? null : (value as Json));

function far(differs: readonly Difference[]): number {
  return differs.reduce((sum, { field, expected, actual }) => {
    const weight = WEIGHT[field] ?? 1;
    if (field !== 'path' || typeof expected !== 'string' || typeof actual !== 'string') return sum + weight;
    return sum + (weight * distance(expected, actual)) / Math.max(expected.length, actual.length);
  }, 0);
}
