import { setImmediate } from 'node:timers/promises';
import { loginHistoryRepo } from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { localDays } from '#platform/times.ts';

/** Maximum number of sign-ins examined per day if there is a filter, at about 1 µs each. */
const REACH_PER_DAY = 10_000;

export interface SignInDay {
  /** Local day, e.g. `2026-11-28`. */
  day: string;
  success: number;
  failed: number;
  /** Number of sign-ins that the member denied as someone else's. */
  notMe: number;
}

interface SignInDays {
  /** Oldest first, today last. */
  days: SignInDay[];
  /** True if a day has so many sign-ins that only the latest were counted. */
  isPartial: boolean;
}

/** Counts an organisation's sign-ins of the last days, by day in a time zone. Other requests run between the days. */
export async function countSignInDays(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  orgCode: string,
  { timeZone, filter = {} }: { timeZone: string; filter?: Omit<loginHistoryRepo.SignInFilter, 'from' | 'to'> },
): Promise<SignInDays> {
  const days: SignInDay[] = [];
  let isPartial = false;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  for (const { day, from, until } of localDays(timeZone, clock.now(), LIMITS.chartDays)) {
    const { counts, isMore } = isFiltered
      ? loginHistoryRepo.countMatchingSignIns(db, orgCode, { ...filter, from, to: until }, REACH_PER_DAY)
      : { counts: loginHistoryRepo.countSignIns(db, orgCode, { from, until }), isMore: false };
    const sum = (isCounted: (count: loginHistoryRepo.SignInCount) => boolean) =>
      counts.filter(isCounted).reduce((total, { logins }) => total + logins, 0);
    days.push({
      day,
      success: sum(({ loginStatus }) => loginStatus === 'Success'),
      failed: sum(({ loginStatus }) => loginStatus === 'Failed'),
      notMe: sum(({ reason }) => reason === 'not-me'),
    });
    isPartial ||= isMore;
    await setImmediate();
  }
  return { days, isPartial };
}
