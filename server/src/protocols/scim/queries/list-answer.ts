import type { JsonObject } from '../json.ts';
import { badRequest } from '../scim-error.ts';
import type { ScimResponse } from '../scope.ts';
import { barePath } from './filter.ts';

const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const PAGE = 100;
export const PAGE_MAX = 500;

export interface Paging {
  /** Zero-based offset. */
  offset: number;
  count: number;
}

/**
 * Parameters that can't be repeated because they would be ambiguous. Some clients repeat parameters that contain
 * attribute lists, so those are allowed.
 */
const ONCE = ['filter', 'sortBy', 'sortOrder', 'startIndex', 'count'];

/**
 * Parses paging parameters (RFC 7644 §3.4.2.4). A startIndex below 1 is treated as 1, and a count below 0 as 0.
 * @throws ScimError invalidValue for a non-numeric value or a repeated parameter
 */
export function readPaging(query: URLSearchParams): Paging {
  const twice = ONCE.find((name) => query.getAll(name).length > 1);
  if (twice !== undefined) throw badRequest('invalidValue', `${twice} can't be repeated.`);
  const startIndex = numberIn(query, 'startIndex') ?? 1;
  const count = numberIn(query, 'count') ?? PAGE;
  return { offset: Math.max(startIndex, 1) - 1, count: Math.min(Math.max(count, 0), PAGE_MAX) };
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (/^[+-]?\d{1,15}$/.test(text.trim())) return Number(text);
  throw badRequest('invalidValue', `${name} must be an integer.`);
}

/** Returns true for descending order. @throws ScimError invalidValue for an unknown order (RFC 7644 §3.4.2.3) */
export function isDescending(query: URLSearchParams): boolean {
  const order = query.get('sortOrder')?.trim().toLowerCase() || 'ascending';
  if (order !== 'ascending' && order !== 'descending') {
    throw badRequest('invalidValue', 'sortOrder must be ascending or descending.');
  }
  return order === 'descending';
}

/** Parses the path to sort by, like `barePath`. @throws ScimError invalidPath for an invalid path */
export function readSortBy(sortBy: string): string {
  const path = barePath(sortBy);
  if (path === undefined) throw unsortableError(sortBy);
  return path;
}

/**
 * Returns an invalidPath error for an unknown sort attribute (RFC 7644 §3.12, table 9). invalidFilter doesn't fit
 * because there is no filter, nor invalidValue because the value has the right type.
 */
export const unsortableError = (path: string) => badRequest('invalidPath', `sortBy: there is no attribute ${path}.`);

/**
 * Returns a list response. @param texts the resources as JSON, if already serialised; serialising takes as long as
 * building the resources
 */
export function listResponse(
  resources: JsonObject[],
  total: number,
  { offset }: Paging,
  texts?: readonly string[],
): ScimResponse {
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
