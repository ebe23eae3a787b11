import {
  anyFieldSearchRepo,
  expiringCodeRepo,
  type memberIdRepo,
  type memberRepo,
  type organisationRepo,
} from '@orchestrate/db';
import { HOUR, LIMITS } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';

/**
 * Returns a filter for activation codes that the dashboard warns about: valid at `now`, in milliseconds, but expiring
 * soon.
 */
export const expiringSoonFilter = (now: number): expiringCodeRepo.ExpiringCodeFilter => ({
  triesAllowed: LIMITS.activationCodeTries,
  now,
  before: now + LIMITS.codeExpiresSoonHours * HOUR,
});

/** Maximum number of members examined per page, because most of them may not match the text. */
const EXAMINED_MAX = 200;

interface ExpiringSearch {
  organisation: organisationRepo.OrganisationRow;
  search: memberIdRepo.MemberIdSearch;
  /** Row IDs of all matching members, without a limit. Ignored if there is no text. */
  found: readonly number[];
}

/** Looks up matches directly if there are few. Otherwise checks each member with an expiring code. */
function filterOf({ db }: Deps, { search: { text, field }, found }: ExpiringSearch) {
  if (text === undefined) return {};
  if (found.length <= LIMITS.searchCountMax) return { among: found };
  return { isWanted: (member: memberRepo.MemberRow) => anyFieldSearchRepo.matchesText(db, member, field, text) };
}

/**
 * Returns the members who match a text and have a code that expires soon, soonest first, and the position of the next
 * page.
 */
export function listExpiringCodes(
  deps: Deps,
  query: ExpiringSearch,
  { after, pageSize }: { after: expiringCodeRepo.ExpiringCodeCursor | undefined; pageSize: number },
) {
  const { among, isWanted } = filterOf(deps, query);
  const count = isWanted ? EXAMINED_MAX : pageSize;
  const rows = expiringCodeRepo.listMembersWithExpiringCodes(deps.db, query.organisation.orgCode, {
    ...expiringSoonFilter(deps.clock.now()),
    among,
    after,
    // The extra row shows whether there is a next page.
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

/** Counts the members with a code that expires soon, examining no more members than a search counts. */
export function countExpiringCodes(deps: Deps, query: ExpiringSearch): { count: number; isMore: boolean } {
  const { among, isWanted } = filterOf(deps, query);
  const { orgCode } = query.organisation;
  const which = { ...expiringSoonFilter(deps.clock.now()), among };
  if (!isWanted) {
    return { count: expiringCodeRepo.countMembersWithExpiringCodes(deps.db, orgCode, which), isMore: false };
  }
  const most = LIMITS.searchCountMax;
  const rows = expiringCodeRepo.listMembersWithExpiringCodes(deps.db, orgCode, { ...which, count: most + 1 });
  return { count: rows.slice(0, most).filter(({ member }) => isWanted(member)).length, isMore: rows.length > most };
}
