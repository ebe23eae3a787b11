import {
  applicationRepo,
  expiringCodeRepo,
  loginHistoryRepo,
  memberCountRepo,
  organisationRepo,
} from '@orchestrate/db';
import {
  type AccountStatus,
  accountStatus,
  DAY,
  DEFAULT_BRAND,
  denyReason,
  HOUR,
  statusesFoundBy,
} from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { expiringSoon } from './expiring-soon.ts';

/** The longest day: the one on which the clocks go back. */
const LONGEST_DAY = 25 * HOUR;

/** The dashboard summary for anyone who may search users. `since` in milliseconds: when the caller's day began. */
export function summaryOf({ db, clock }: Deps, orgCode: string, since: number | undefined) {
  const now = clock.now();
  // A browser whose clock differs from the portal's has its own idea of today.
  const from = Math.min(Math.max(since ?? now - (now % DAY), now - LONGEST_DAY), now);
  const today = loginHistoryRepo.countLogins(db, orgCode, { from, until: now + 1 });
  const dayBefore = loginHistoryRepo.countLogins(db, orgCode, { from: from - DAY, until: now + 1 - DAY });
  const { all: total, active, inactive, unregistered } = countMembers(memberCountRepo.listMemberCounts(db, orgCode));
  return {
    members: { total, active, inactive, unregistered },
    signIns: sum(today.filter(isSuccess)),
    signInsBefore: sum(dayBefore.filter(isSuccess)),
    failed: sum(today.filter((counted) => !isSuccess(counted))),
    denied: sum(today.filter(isDenied)),
    codesExpiring: expiringCodeRepo.countMembersWithExpiringCodes(db, orgCode, expiringSoon(now)),
    firstSteps: {
      people: total > 1,
      application: applicationRepo.hasOtherApplications(db, orgCode),
      branding: isBranded(organisationRepo.requireOrganisation(db, orgCode)),
    },
  };
}

const isBranded = ({ logo, color, bannerText, copyrightText }: organisationRepo.OrganisationRow) =>
  logo !== null || color !== DEFAULT_BRAND || bannerText !== '' || copyrightText !== '';

/** How many members each status filter finds, and how many are in every status but `deleted`. */
export function countMembers(counts: readonly memberCountRepo.MemberCount[]): Record<'all' | AccountStatus, number> {
  const among = (statuses: readonly AccountStatus[]) =>
    counts.reduce((total, { accountStatus: of, members }) => (statuses.includes(of) ? total + members : total), 0);
  const { options } = accountStatus;
  const byFilter = Object.fromEntries(options.map((filter) => [filter, among(statusesFoundBy(filter))]));
  return { ...(byFilter as Record<AccountStatus, number>), all: among(options.filter((of) => of !== 'deleted')) };
}

const sum = (counts: readonly loginHistoryRepo.LoginCount[]) => counts.reduce((total, { logins }) => total + logins, 0);
const isSuccess = ({ loginStatus }: loginHistoryRepo.LoginCount) => loginStatus === 'Success';

const DENIALS: ReadonlySet<string> = new Set(denyReason.options);
const isDenied = ({ loginStatus, reason }: loginHistoryRepo.LoginCount) =>
  loginStatus === 'Failed' && reason !== null && DENIALS.has(reason);
