import type { Expectation, JournalEntry, JournalMiss } from '@orchestrate/shared';
import distance from 'leven';
import { fieldsOf } from '../../platform/http/callers/permissions.ts';
import { fitsPath } from './fits-path.ts';

type Difference = JournalMiss['differs'][number];
type Json = Difference['actual'];

const MISSES_MAX = 5;
/** What makes an entry another one: a request of the same address differs less than one of the same method. */
const WEIGHT: Record<string, number> = { path: 8, method: 3, email: 3, status: 2, resultName: 2 };

/** Whether something happened as often as expected, among entries without secrets. */
export function verify(entries: readonly JournalEntry[], expected: Expectation) {
  const { count, atLeast = count ?? (expected.atMost === undefined ? 1 : 0), atMost = count ?? Infinity } = expected;
  const compared = entries
    .filter(({ kind }) => kind === expected.kind)
    .map((entry) => ({ entry, differs: differencesOf(entry, expected) }));
  const met = compared.filter(({ differs }) => differs.length === 0).length;
  const ok = met >= atLeast && met <= atMost;
  const nearest = compared
    .filter(({ differs }) => differs.length > 0)
    .sort((a, b) => far(a.differs) - far(b.differs) || b.entry.seq - a.entry.seq);
  return {
    ok,
    count: met,
    message: sentence(met, atLeast, atMost),
    misses: met < atLeast ? nearest.slice(0, MISSES_MAX) : [],
  };
}

function sentence(met: number, atLeast: number, atMost: number): string {
  const wanted =
    atLeast === atMost ? `${atLeast}` : atMost === Infinity ? `at least ${atLeast}` : `${atLeast} to ${atMost}`;
  return `Expected ${wanted}, found ${met}.`;
}

function differencesOf(entry: JournalEntry, { method, path, email, status, resultName, body }: Expectation) {
  const actual = fieldsOf(entry);
  const own = entry.kind === 'socket' ? entry.channel : entry.kind === 'http' ? entry.path : actual.path;
  const differs: Difference[] = [];
  const compare = (field: string, expected: Json | undefined, value: unknown) => {
    if (expected !== undefined && expected !== value) differs.push({ field, expected, actual: asJson(value) });
  };
  if (path !== undefined && !(typeof own === 'string' && fitsPath(own, path))) {
    differs.push({ field: 'path', expected: path, actual: asJson(own) });
  }
  compare('method', method, actual.method);
  if (email !== undefined && !names(entry, email)) compare('email', email, actual.email);
  compare('status', status, actual.status);
  // A success carries no name.
  compare('resultName', resultName === 'SUCCESS' ? undefined : resultName, actual.resultName);
  if (resultName === 'SUCCESS' && actual.resultName !== undefined) compare('resultName', 'SUCCESS', actual.resultName);
  if (body) differs.push(...missingIn(body, entry.kind === 'socket' ? entry.message : actual.requestBody, 'body'));
  return differs;
}

/** Whether an entry is about a person, or names them. */
export const names = (entry: JournalEntry, email: string): boolean =>
  entry.email === email || JSON.stringify([fieldsOf(entry).requestBody, fieldsOf(entry).query]).includes(`"${email}"`);

/** The parts of an expected value that another one does not contain. */
function missingIn(expected: Json, actual: unknown, field: string): Difference[] {
  if (typeof expected !== 'object' || expected === null) {
    return expected === actual ? [] : [{ field, expected, actual: asJson(actual) }];
  }
  if (typeof actual !== 'object' || actual === null) return [{ field, expected, actual: asJson(actual) }];
  const there: Record<string, unknown> = { ...actual };
  return Object.entries(expected).flatMap(([name, part]) => missingIn(part, there[name], `${field}.${name}`));
}

const asJson = (value: unknown): Json => (value === undefined ? null : (value as Json));

function far(differs: readonly Difference[]): number {
  return differs.reduce((sum, { field, expected, actual }) => {
    const weight = WEIGHT[field] ?? 1;
    if (field !== 'path' || typeof expected !== 'string' || typeof actual !== 'string') return sum + weight;
    return sum + (weight * distance(expected, actual)) / Math.max(expected.length, actual.length);
  }, 0);
}
