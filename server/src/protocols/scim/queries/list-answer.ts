import type { JsonObject } from '../json.ts';
import { badRequest } from '../scim-error.ts';
import type { ScimAnswer } from '../scope.ts';
import { barePath } from './filter.ts';

const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const PAGE = 100;
export const PAGE_MAX = 500;

export interface Paging {
  /** From 0. */
  offset: number;
  count: number;
}

/** Nobody can say which of several counts. Lists of attributes some clients write as several parameters. */
const ONCE = ['filter', 'sortBy', 'sortOrder', 'startIndex', 'count'];

/**
 * RFC 7644 §3.4.2.4: below 1 the first, below 0 none. @throws ScimError invalidValue for what is not a number, or where
 * what makes a list is there twice
 */
export function readPaging(query: URLSearchParams): Paging {
  const twice = ONCE.find((name) => query.getAll(name).length > 1);
  if (twice !== undefined) throw badRequest('invalidValue', `${twice} is there twice.`);
  const startIndex = numberIn(query, 'startIndex') ?? 1;
  const count = numberIn(query, 'count') ?? PAGE;
  return { offset: Math.max(startIndex, 1) - 1, count: Math.min(Math.max(count, 0), PAGE_MAX) };
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (/^[+-]?\d{1,15}$/.test(text.trim())) return Number(text);
  throw badRequest('invalidValue', `${name} is a whole number.`);
}

/**
 * Whether the order is descending. @throws ScimError invalidValue for another order than the two of RFC 7644 §3.4.2.3
 */
export function isDescending(query: URLSearchParams): boolean {
  const order = query.get('sortOrder')?.trim().toLowerCase() || 'ascending';
  if (order !== 'ascending' && order !== 'descending') {
    throw badRequest('invalidValue', 'sortOrder is ascending or descending.');
  }
  return order === 'descending';
}

/** The path by which a list is sorted, as `barePath`. @throws ScimError invalidPath for anything but a path */
export function readSortBy(sortBy: string): string {
  const path = barePath(sortBy);
  if (path === undefined) throw unsortable(sortBy);
  return path;
}

/** RFC 7644 §3.12, table 9: the path is wrong. There is no filter, and its value is of the right kind. */
export const unsortable = (path: string) => badRequest('invalidPath', `sortBy: there is no attribute ${path}.`);

/** @param texts the resources as JSON, where they have been written already: writing takes as long as making them */
export function listAnswer(
  resources: JsonObject[],
  total: number,
  { offset }: Paging,
  texts?: readonly string[],
): ScimAnswer {
  const head = {
    schemas: [LIST_RESPONSE],
    totalResults: total,
    startIndex: offset + 1,
    itemsPerPage: resources.length,
  };
  const body = { ...head, Resources: resources };
  if (!texts) return { status: 200, body };
  return { status: 200, body, text: `${JSON.stringify(head).slice(0, -1)},"Resources":[${texts.join()}]}` };
}
