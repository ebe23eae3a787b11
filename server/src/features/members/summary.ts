import {
  applicationRepo,
  auditRepo,
  deviceRepo,
  expiringCodeRepo,
  loginHistoryRepo,
  memberCountRepo,
  organisationRepo,
} from '@orchestrate/db';
import {
  type AccountStatus,
  accountStatus,
  type contract,
  DAY,
  DEFAULT_BRAND,
  denyReason,
  HOUR,
  LIMITS,
  type ReplyOf,
  statusesFoundBy,
} from '@orchestrate/shared';
import { signInRecordOf } from '#core/sign-in/login-record-of.ts';
import { countSignInDays } from '#core/sign-in/sign-in-days.ts';
import type { Deps } from '#deps.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { expiringSoonFilter } from './expiring-codes.ts';

/** Length of the longest day, when clocks go back. */
const LONGEST_DAY = 25 * HOUR;

/** Number of sign-ins listed on the dashboard. */
const LATEST = 5;

/**
 * Returns the dashboard summary for members who can search members.
 * @param since start of the user's day, in milliseconds
 */
export async function summaryOf(
  deps: Deps,
  { orgCode, suid, permissions }: Caller,
  { since, timeZone }: { since: number | undefined; timeZone: string },
): Promise<Omit<ReplyOf<typeof contract.getSummary>, 'resultCode'>> {
  const { db, clock } = deps;
  const now = clock.now();
  // The browser's clock may be wrong, so its start of the day is limited.
  const from = Math.min(Math.max(since ?? now - (now % DAY), now - LONGEST_DAY), now);
  const today = loginHistoryRepo.countSignIns(db, orgCode, { from, until: now + 1 });
  const dayBefore = loginHistoryRepo.countSignIns(db, orgCode, { from: from - DAY, until: now + 1 - DAY });
  const members = countMembers(memberCountRepo.listMemberCounts(db, orgCode));
  const { all: total, active, inactive, unregistered, unverified } = members;
  const { days } = await countSignInDays(deps, orgCode, { timeZone });
  return {
    members: { total, active, inactive, unregistered, unverified },
    days,
    latest: permissions.includes('SESSION_MANAGEMENT') ? latestSignIns(deps, orgCode) : null,
    disowned: auditRepo.countEvents(db, orgCode, {
      action: 'sign-in.disowned',
      from: now - LIMITS.reportDays * DAY,
    }),
    signIns: sum(today.filter(isSuccess)),
    signInsBefore: sum(dayBefore.filter(isSuccess)),
    failed: sum(today.filter((counted) => !isSuccess(counted))),
    denied: sum(today.filter(isDenied)),
    codesExpiring: expiringCodeRepo.countMembersWithExpiringCodes(db, orgCode, expiringSoonFilter(now)),
    firstSteps: {
      people: total > 1,
      secondDevice: deviceRepo.countRegisteredDevices(db, orgCode, suid) > 1,
      application: applicationRepo.hasOtherApplications(db, orgCode),
      branding: isBranded(organisationRepo.requireOrganisation(db, orgCode)),
    },
  };
}

const latestSignIns = ({ db }: Deps, orgCode: string) =>
  loginHistoryRepo.listSignIns(db, orgCode, {}, { count: LATEST, reach: LATEST + 1 }).entries.map(signInRecordOf);

const isBranded = ({ logo, color, bannerText, copyrightText }: organisationRepo.OrganisationRow) =>
  logo !== null || color !== DEFAULT_BRAND || bannerText !== '' || copyrightText !== '';

/** Returns the number of members per status, and in all statuses except `deleted`. */
export function countMembers(counts: readonly memberCountRepo.MemberCount[]): Record<'all' | AccountStatus, number> {
  const among = (statuses: readonly AccountStatus[]) =>
    counts.reduce((total, { accountStatus: of, members }) => (statuses.includes(of) ? total + members : total), 0);
  const { options } = accountStatus;
  const byFilter = Object.fromEntries(options.map((filter) => [filter, among(statusesFoundBy(filter))]));
  return { ...(byFilter as Record<AccountStatus, number>), all: among(options.filter((of) => of !== 'deleted')) };
}

const sum = (counts: readonly loginHistoryRepo.SignInCount[]) =>
  counts.reduce((total, { logins }) => total + logins, 0);
const isSuccess = ({ loginStatus }: loginHistoryRepo.SignInCount) => loginStatus === 'Success';

const DENIALS: ReadonlySet<string> = new Set(denyReason.options);
const isDenied = ({ loginStatus, reason }: loginHistoryRepo.SignInCount) =>
  loginStatus === 'Failed' && reason !== null && DENIALS.has(reason);
