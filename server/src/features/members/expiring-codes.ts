import {
  anyFieldSearchRepo,
  expiringCodeRepo,
  type memberIdRepo,
  type memberRepo,
  type organisationRepo,
} from '@orchestrate/db';
import { HOUR, LIMITS } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';

/** Returns the activation codes that the dashboard warns of: valid at `now`, in milliseconds, but not for long. */
export const expiringSoon = (now: number): expiringCodeRepo.ExpiringCodeFilter => ({
  triesAllowed: LIMITS.activationCodeTries,
  now,
  before: now + LIMITS.codeExpiresSoonHours * HOUR,
});

/** Members examined per page, most of whom may not match the text. */
const EXAMINED_MAX = 200;

interface ExpiringSearch {
  organisation: organisationRepo.OrganisationRow;
  search: memberIdRepo.MemberIdSearch;
  /** Numbers of the members who match, without a limit; ignored without a text. */
  found: readonly number[];
}

/** Looks up a few matches directly; with many, checks each member with an expiring code instead. */
function filterOf({ db }: Deps, { search: { text, field }, found }: ExpiringSearch) {
  if (text === undefined) return {};
  if (found.length <= LIMITS.searchCountMax) return { among: found };
  return { isWanted: (member: memberRepo.MemberRow) => anyFieldSearchRepo.hasText(db, member, field, text) };
}

/**
 * Returns the members who match a text and have a code that expires soon, soonest first, and where the next page
 * starts.
 */
export function listExpiring(
  deps: Deps,
  query: ExpiringSearch,
  { after, pageSize }: { after: expiringCodeRepo.ExpiringCodeCursor | undefined; pageSize: number },
) {
  const { among, isWanted } = filterOf(deps, query);
  const count = isWanted ? EXAMINED_MAX : pageSize;
  const rows = expiringCodeRepo.listMembersWithExpiringCodes(deps.db, query.organisation.orgCode, {
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

/** Counts them, examining no more than a search counts. */
export function countExpiring(deps: Deps, query: ExpiringSearch): { count: number; isMore: boolean } {
  const { among, isWanted } = filterOf(deps, query);
  const { orgCode } = query.organisation;
  const which = { ...expiringSoon(deps.clock.now()), among };
  if (!isWanted) {
    return { count: expiringCodeRepo.countMembersWithExpiringCodes(deps.db, orgCode, which), isMore: false };
  }
  const most = LIMITS.searchCountMax;
  const rows = expiringCodeRepo.listMembersWithExpiringCodes(deps.db, orgCode, { ...which, count: most + 1 });
  return { count: rows.slice(0, most).filter(({ member }) => isWanted(member)).length, isMore: rows.length > most };
}
