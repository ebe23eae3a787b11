import { setImmediate } from 'node:timers/promises';
import { memberFilterRepo, memberSearchRepo, type provisioningRepo } from '@orchestrate/db';
import { badRequest, ScimError } from '../scim-error.ts';
import type { Scope } from '../scope.ts';
import type { Paging } from './list-answer.ts';

/** Number of comparisons per slice, in total across its members. They take a few milliseconds. */
const COMPARISONS = 10_000;
/** Cost of reading one member, in comparisons. */
const READING = 4;
/**
 * Number of members per slice of the search index. Larger than other slices, because an index lookup only reads
 * matches.
 */
const INDEXED = 20_000;
/** Maximum number of results to sort. They must all be held in memory. */
export const SORTED_MAX = 20_000;

type Slice = memberFilterRepo.IdSlice;

export interface FilterOptions extends Paging {
  condition: memberFilterRepo.MemberCondition | undefined;
  /** Number of comparisons per member. */
  comparisons: number;
  orderBy: memberFilterRepo.MemberColumn | memberFilterRepo.StoredField | undefined;
  isDescending: boolean;
}

export interface FoundPage {
  rows: provisioningRepo.ProvisionedMember[];
  total: number;
}

/**
 * Returns a page of the members who meet a condition, and their total number. Reads every member of the organisation
 * in slices, serving other requests after each slice.
 * @throws ScimError tooMany if more than `SORTED_MAX` members would have to be sorted
 */
export async function findInSlices(scope: Scope, options: FilterOptions): Promise<FoundPage> {
  const { deps, organisation } = scope;
  const { offset, count, orderBy, isDescending } = options;
  const find = memberFilterRepo.memberFinder(deps.db, options);
  const width = Math.ceil(COMPARISONS / (options.comparisons + READING));
  const sorted: memberFilterRepo.MemberMatch[] = [];
  const page: number[] = [];
  let total = 0;
  for await (const slice of slicesOf(scope, width, isDescending && !orderBy)) {
    const found = find(slice);
    if (isDescending && !orderBy) found.reverse();
    for (const { id } of found.slice(Math.max(offset - total, 0))) {
      if (orderBy || page.length >= count) break;
      page.push(id);
    }
    total += found.length;
    if (!orderBy) continue;
    if (total > SORTED_MAX) {
      throw badRequest('tooMany', `At most ${SORTED_MAX} users can be sorted. Narrow the results with a filter.`);
    }
    sorted.push(...found);
  }
  const ids = orderBy ? pageOf(sorted, options) : page;
  return { rows: memberFilterRepo.listMembersByIds(deps.db, organisation, ids), total };
}

function pageOf(found: memberFilterRepo.MemberMatch[], { offset, count, isDescending }: FilterOptions): number[] {
  const direction = isDescending ? -1 : 1;
  const sorted = found.toSorted((a, b) => direction * (compareKeys(a.key, b.key) || a.id - b.id));
  return sorted.slice(offset, offset + count).map(({ id }) => id);
}

type Key = memberFilterRepo.MemberMatch['key'];

/** Compares sort keys. Absent values come last in ascending order (RFC 7644 §3.4.2.3). */
function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}

/**
 * Returns a page of the members with a given text in one field, and their total number. Like `findInSlices`, but uses
 * the search index.
 */
export async function searchInSlices(
  scope: Scope,
  search: memberSearchRepo.TextSearch,
  { offset, count }: Paging,
): Promise<FoundPage> {
  const { db } = scope.deps;
  const rows: provisioningRepo.ProvisionedMember[] = [];
  let total = 0;
  for await (const slice of slicesOf(scope, INDEXED, false)) {
    const found = memberSearchRepo.countPresentMatches(db, search, slice);
    const skipped = Math.max(offset - total, 0);
    const wanted = Math.min(count - rows.length, found - skipped);
    if (wanted > 0) {
      rows.push(...memberSearchRepo.listPresentMatches(db, search, { ...slice, offset: skipped, count: wanted }));
    }
    total += found;
  }
  return { rows, total };
}

/**
 * Lists all members from an offset. Stops after the page instead of counting further members. @param total the total
 * number of members
 */
export async function listInSlices(scope: Scope, { offset, count }: Paging, total: number): Promise<FoundPage> {
  const { deps, organisation } = scope;
  const find = memberFilterRepo.memberFinder(deps.db, {});
  const ids: number[] = [];
  let passed = 0;
  for await (const slice of slicesOf(scope, COMPARISONS / READING, false)) {
    const found = find(slice);
    ids.push(
      ...found
        .slice(Math.max(offset - passed, 0), Math.max(offset - passed, 0) + count - ids.length)
        .map(({ id }) => id),
    );
    passed += found.length;
    if (ids.length >= count) break;
  }
  return { rows: memberFilterRepo.listMembersByIds(deps.db, organisation, ids), total };
}

/**
 * Yields slices of member IDs, serving other requests in between. @throws ScimError 408 as soon as the client has
 * closed the connection
 */
async function* slicesOf(scope: Scope, width: number, isBackwards: boolean): AsyncGenerator<Slice> {
  const { deps, organisation, isGone } = scope;
  const { after, upTo } = memberFilterRepo.memberIdSlice(deps.db, organisation);
  const slices = Math.ceil((upTo - after) / width);
  for (let number = 0; number < slices; number += 1) {
    if (number > 0) await setImmediate();
    if (isGone()) throw new ScimError(408, 'The client closed the connection before the search finished.');
    const start = after + (isBackwards ? slices - 1 - number : number) * width;
    yield { after: start, upTo: Math.min(start + width, upTo) };
  }
}
