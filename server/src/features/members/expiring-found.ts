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

/** Members examined per page, most of whom may not match the text. */
const LOOKED_AT_MAX = 200;

interface ExpiringSearch {
  organisation: organisationRepo.OrganisationRow;
  search: memberIdRepo.MemberIdSearch;
  /** Numbers of the members who match, without a limit; ignored without a text. */
  found: readonly number[];
}

/** Looks up a few matches directly; with many, checks each member with an expiring code instead. */
function narrowed({ db }: Deps, { search: { text, field }, found }: ExpiringSearch) {
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

/** Counts them, examining no more than a search counts. */
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
