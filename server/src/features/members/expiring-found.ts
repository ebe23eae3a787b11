import {
  anyFieldSearchRepo,
  expiringCodeRepo,
  type memberIdRepo,
  type memberRepo,
  type organisationRepo,
} from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { expiringSoon } from './expiring-soon.ts';

/** How many members one page may look at, most of whom may be without the text. */
const LOOKED_AT_MAX = 200;

interface ExpiringSearch {
  organisation: organisationRepo.OrganisationRow;
  search: memberIdRepo.MemberIdSearch;
  /** What the search finds, without its limit; of no interest without a text. */
  found: readonly number[];
}

/** Few who have the text are looked up; of many, each member with such a code is asked. */
function narrowed({ db }: Deps, { search: { text, field }, found }: ExpiringSearch) {
  if (text === undefined) return {};
  if (found.length <= LIMITS.searchCountMax) return { among: found };
  return { isWanted: (member: memberRepo.MemberRow) => anyFieldSearchRepo.hasText(db, member, field, text) };
}

/**
 * The members with a text and with a code that expires soon, soonest first, from a place on; and where the next page
 * begins.
 */
export function listExpiring(
  deps: Deps,
  asked: ExpiringSearch,
  { after, pageSize }: { after: expiringCodeRepo.ExpiringCodeCursor | undefined; pageSize: number },
) {
  const { among, isWanted } = narrowed(deps, asked);
  const count = isWanted ? LOOKED_AT_MAX : pageSize;
  const rows = expiringCodeRepo.listMembersWithExpiringCodes(deps.db, asked.organisation.orgCode, {
    ...expiringSoon(deps.clock.now()),
    among,
    after,
    // One extra row shows whether there is a next page.
    count: count + 1,
  });
  const page: memberRepo.MemberRow[] = [];
  let last: (typeof rows)[number] | undefined;
  for (const row of rows.slice(0, count)) {
    if (page.length === pageSize) return { page, next: last };
    if (!isWanted || isWanted(row.member)) page.push(row.member);
    last = row;
  }
  return { page, next: rows.length > count ? last : undefined };
}

/** How many they are; no more are looked at than a search counts. */
export function countExpiring(deps: Deps, asked: ExpiringSearch): { count: number; isMore: boolean } {
  const { among, isWanted } = narrowed(deps, asked);
  const { orgCode } = asked.organisation;
  const which = { ...expiringSoon(deps.clock.now()), among };
  if (!isWanted) {
    return { count: expiringCodeRepo.countMembersWithExpiringCodes(deps.db, orgCode, which), isMore: false };
  }
  const most = LIMITS.searchCountMax;
  const rows = expiringCodeRepo.listMembersWithExpiringCodes(deps.db, orgCode, { ...which, count: most + 1 });
  return { count: rows.slice(0, most).filter(({ member }) => isWanted(member)).length, isMore: rows.length > most };
}
