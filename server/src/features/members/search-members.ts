import {
  anyFieldSearchRepo,
  memberIdRepo,
  memberListRepo,
  type memberRepo,
  memberSearchRepo,
  organisationRepo,
} from '@orchestrate/db';
import { type contract, LIMITS, type SearchSort } from '@orchestrate/shared';
import { z } from 'zod';
import type { Deps } from '#deps.ts';
import type { Call } from '#platform/http/handler.ts';
import { readPageKey } from '#platform/http/requests/page-key.ts';
import { Refusal } from '#platform/refusal.ts';
import { listExpiringCodes } from './expiring-codes.ts';

const searchKey = z.object({
  primaryAttr: z.string(),
  id: z.string().regex(/^[1-9]\d{0,15}$/),
  part: z.number().int().min(0).max(1_000).default(0),
  at: z.number().int().min(0).optional(),
});
type SearchKey = z.output<typeof searchKey>;

export interface SearchPage {
  found: memberListRepo.ListedMember[];
  /** Position of the next page; absent on the last page. */
  next?: z.input<typeof searchKey>;
}

type Query = Call<typeof contract.searchUsers>['query'];

/**
 * Returns a page of members who match a text, have a status or have a code that expires soon. Includes deleted
 * members only if that status is requested.
 * @throws Refusal INVALID_REQUEST if the field can't be searched, the page key is invalid, criteria are missing or
 * can't be combined, or too many members match to be sorted
 */
export function searchMembers(deps: Deps, orgCode: string, query: Query): SearchPage {
  const { page, next } = pageOf(deps, orgCode, query);
  return { found: memberListRepo.summariseMembers(deps.db, orgCode, page), ...(next && { next }) };
}

interface Page {
  page: memberRepo.MemberRow[];
  next?: z.input<typeof searchKey> | undefined;
}

function pageOf(deps: Deps, orgCode: string, query: Query): Page {
  const { q: text, field, status, pageSize, lastItem, codes, sort } = query;
  const { db } = deps;
  const after = lastItem === undefined ? undefined : readPageKey(searchKey, lastItem);
  if (text === undefined && status === undefined && !codes) {
    throw refused('q', 'Provide a search term or a status');
  }
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) throw new Refusal('ID_DOESNOT_EXIST');
  const searched = readField(field, organisation);
  if (codes) return expiringPage(deps, organisation, { ...query, field: searched }, after);
  if (sort) return sortedPage(deps, organisation, { text, field: searched, status, sort, pageSize, after });
  if (text !== undefined && (searched === 'any' || anyFieldSearchRepo.isShortText(text))) {
    const { rows, next } = anyFieldSearchRepo.searchAnyField(db, organisation, {
      text,
      field: searched,
      status,
      count: pageSize,
      after: after && { part: after.part, id: Number(after.id) },
    });
    const last = rows.at(-1)?.primaryAttr ?? '';
    return { page: rows, next: next && { primaryAttr: last, id: String(next.id), part: next.part } };
  }
  const rows = memberSearchRepo.searchMembers(db, organisation, {
    // Without a text, every member with the status matches, whichever field is searched.
    field: searched === 'any' ? 'firstName' : searched,
    text,
    status,
    after: after && Number(after.id),
    // The extra row shows whether there is a next page.
    count: pageSize + 1,
  });
  return cut(rows, pageSize);
}

/** Returns a page of rows. One row more than `pageSize` means that there is a next page. */
function cut(rows: memberRepo.MemberRow[], pageSize: number): Page {
  const page = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? page.at(-1) : undefined;
  return { page, next: last && { primaryAttr: last.primaryAttr, id: String(last.id) } };
}

function expiringPage(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  { q: text, field, status, sort, pageSize }: Omit<Query, 'field'> & Pick<memberIdRepo.MemberIdSearch, 'field'>,
  after: SearchKey | undefined,
): Page {
  if (status !== undefined || sort !== undefined) {
    throw refused('codes', 'Omit the status and the order, because members are sorted by when their codes expire');
  }
  const search = { text, field };
  const found = text === undefined ? [] : memberIdRepo.findIds(deps.db, organisation, search, LIMITS.searchCountMax);
  const { page, next } = listExpiringCodes(
    deps,
    { organisation, search, found },
    { after: after && { at: after.at ?? 0, id: Number(after.id) }, pageSize },
  );
  return {
    page,
    next: next && { primaryAttr: next.member.primaryAttr, id: String(next.place.id), at: next.place.at },
  };
}

type Sorted = memberIdRepo.MemberIdSearch & { sort: SearchSort; pageSize: number; after: SearchKey | undefined };

function sortedPage(
  { db }: Deps,
  organisation: organisationRepo.OrganisationRow,
  { sort, pageSize, after, ...search }: Sorted,
): Page {
  const most = LIMITS.searchCountMax;
  const ids = memberIdRepo.findIds(db, organisation, search, most);
  if (ids.length > most) {
    const found = most.toLocaleString('en-US').replace(',', '\u202f');
    throw refused('sort', `More than ${found} members match. Refine the search or remove the sort order.`);
  }
  const order = ORDERS[sort];
  const rows = memberIdRepo.listMembersByRowIds(db, ids).toSorted(order);
  if (!after) return cut(rows.slice(0, pageSize + 1), pageSize);
  // Continue from the member's current values, because a renamed member must neither end nor restart the list.
  const [last] = memberIdRepo.listMembersByRowIds(db, [Number(after.id)]);
  if (!last || last.orgCode !== organisation.orgCode)
    throw refused('lastItem', 'This is not the LastEvaluatedKey of a previous page');
  return cut(rows.filter((row) => order(row, last) > 0).slice(0, pageSize + 1), pageSize);
}

type Order = (one: memberRepo.MemberRow, other: memberRepo.MemberRow) => number;

const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

const ORDERS: Record<SearchSort, Order> = {
  lastName: (a, b) => compare(a.lastName, b.lastName) || compare(a.firstName, b.firstName) || a.id - b.id,
  firstName: (a, b) => compare(a.firstName, b.firstName) || compare(a.lastName, b.lastName) || a.id - b.id,
  primaryEmail: (a, b) => compare(a.primaryEmail, b.primaryEmail) || a.id - b.id,
  newest: (a, b) => b.id - a.id,
  oldest: (a, b) => a.id - b.id,
};

const refused = (path: string, message: string) => new Refusal('INVALID_REQUEST', { issues: [{ path, message }] });

/** Resolves a search field, including the organisation's custom name for its primary attribute. */
export function readField(
  name: string,
  { primaryAttrField }: organisationRepo.OrganisationRow,
): memberSearchRepo.SearchField | 'any' {
  if (name === primaryAttrField) return 'primaryAttr';
  if (name === 'firstName' || name === 'lastName' || name === 'primaryEmail' || name === 'any') return name;
  const fields = `any, firstName, lastName, primaryEmail, ${primaryAttrField}`;
  throw refused('field', `Must be one of ${fields}`);
}
