import type { memberFilterRepo } from '@orchestrate/db';
import { z } from 'zod';
import { readBoundedJson } from '#platform/http/requests/bounded-json.ts';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '../attributes.ts';
import { badRequest, type ScimError } from '../scim-error.ts';

type Operator = memberFilterRepo.Comparison;
export type FilterValue = string | number | boolean | null;

/**
 * A parsed filter (RFC 7644 §3.4.2.2). Paths are in lower case and don't include the prefix of a built-in schema.
 * Other prefixes are kept.
 */
export type Filter =
  | { op: 'and' | 'or'; filters: readonly Filter[] }
  | { op: 'not'; filter: Filter }
  | { op: 'pr'; path: string }
  | { op: 'in'; path: string; filter: Filter }
  | { op: Operator; path: string; value: FilterValue };

const OPERATORS: readonly string[] = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] satisfies Operator[];
const isOperator = (word: string): word is Operator => OPERATORS.includes(word);

const MAX_LENGTH = 2_000;
const MAX_DEPTH = 20;
/** Maximum number of comparisons in a filter. Each comparison is evaluated for every member of the organisation. */
export const MAX_COMPARISONS = 50;

/**
 * Parses a filter (RFC 7644 §3.4.2.2).
 * @throws ScimError invalidFilter
 */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw invalid(`it has more than ${MAX_LENGTH} characters`);
  const tokens = tokensOf(text);
  let next = 0;
  const word = () => tokens[next]?.toLowerCase();
  const take = (): string => {
    const token = tokens[next];
    if (token === undefined) throw invalid('it is incomplete');
    next += 1;
    return token;
  };
  const expect = (token: string): void => {
    const found = take();
    if (found !== token) throw invalid(`expected ${token} instead of ${found}`);
  };

  function either(depth: number): Filter {
    if (depth > MAX_DEPTH) throw invalid('it has too many parentheses');
    return joined('or', () => joined('and', () => one(depth)));
  }
  function joined(op: 'and' | 'or', read: () => Filter): Filter {
    const first = read();
    const filters = [first];
    while (word() === op) {
      next += 1;
      filters.push(read());
    }
    return filters.length === 1 ? first : { op, filters };
  }
  function one(depth: number): Filter {
    if (word() === 'not' && tokens[next + 1] === '(') {
      next += 1;
      return { op: 'not', filter: one(depth) };
    }
    const token = take();
    if (token === '(') {
      const inner = either(depth + 1);
      expect(')');
      return inner;
    }
    const path = pathOf(token);
    if (tokens[next] === '[') {
      next += 1;
      const filter = either(depth + 1);
      expect(']');
      if (tokens[next]?.startsWith('.') !== true) return { op: 'in', path, filter };
      // Entra sends `emails[type eq "work"].value eq "…"` to match users by email address, although the grammar
      // doesn't allow it.
      return { op: 'in', path, filter: { op: 'and', filters: [filter, compared(pathOf(take().slice(1)))] } };
    }
    return compared(path);
  }
  function compared(path: string): Filter {
    const op = take().toLowerCase();
    if (op === 'pr') return { op, path };
    if (!isOperator(op)) throw invalid(`${op} is not a supported operator`);
    return { op, path, value: readValue(take()) };
  }

  const filter = either(0);
  const comparisons = countComparisons(filter);
  if (comparisons > MAX_COMPARISONS) {
    throw invalid(`it has ${comparisons} comparisons, more than ${MAX_COMPARISONS}`);
  }
  if (next < tokens.length) throw invalid(`unexpected ${tokens[next]}`);
  return filter;
}

/** Returns the maximum number of comparisons that a filter makes per resource. */
export function countComparisons(filter: Filter): number {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.filters.reduce((sum, one) => sum + countComparisons(one), 0);
    case 'not':
    case 'in':
      return countComparisons(filter.filter);
    default:
      return 1;
  }
}

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw invalid(`it has a syntax error at character ${at + 1}`);
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '');
  }
  return tokens;
}

const PREFIXES = [USER_SCHEMA, GROUP_SCHEMA, ENTERPRISE_SCHEMA].map((urn) => `${urn.toLowerCase()}:`);

/** Returns a path in lower case without the prefix of a built-in schema, or undefined if the path is invalid. */
export function barePath(text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  const path = lower.slice(PREFIXES.find((known) => lower.startsWith(known))?.length ?? 0);
  return /^(urn(:[a-z0-9._-]+)+:)?[a-z$][\w$-]*(\.[a-z$][\w$-]*)?$/.test(path) ? path : undefined;
}

function pathOf(token: string): string {
  const path = barePath(token);
  if (path === undefined) throw invalid(`${token} is not an attribute path`);
  return path;
}

const VALUES = z.union([z.string(), z.number(), z.boolean(), z.null()]);

function readValue(token: string): FilterValue {
  // Entra writes True and False.
  if (/^(true|false)$/i.test(token)) return token.toLowerCase() === 'true';
  const parsed = VALUES.safeParse(readBoundedJson(token));
  if (!parsed.success) throw invalid(`${token} is not a valid value`);
  return parsed.data;
}

export const invalid = (why: string): ScimError => badRequest('invalidFilter', `Invalid filter: ${why}.`);
