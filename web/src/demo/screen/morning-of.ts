import type { StagePerson } from '../play/use-people.ts';

export interface Morning {
  signIns: number;
  failed: number;
  /** Devices that were registered today. */
  newDevices: number;
  /** Sign-ins by quarter of an hour, from the first one of the day until now. */
  byQuarter: number[];
  /** Who has come last, newest first. */
  latest: string[];
}

const QUARTER_MS = 15 * 60_000;
const FACES = 6;

/** Today's figures. @param since when the day began, in milliseconds; @param now likewise */
export function morningOf(people: readonly StagePerson[], since: number, now: number): Morning {
  const today = people
    .flatMap((person) => (person.logins ?? []).map(({ at, status }) => ({ person, at: Date.parse(at), status })))
    .filter(({ at }) => at >= since && at <= now)
    .toSorted((a, b) => a.at - b.at);
  const successes = today.filter(({ status }) => status !== 'Failed');
  const first = today[0]?.at ?? now;
  const byQuarter = Array.from({ length: Math.floor((now - first) / QUARTER_MS) + 1 }, () => 0);
  for (const { at } of successes) {
    const quarter = Math.floor((at - first) / QUARTER_MS);
    byQuarter[quarter] = (byQuarter[quarter] ?? 0) + 1;
  }
  const registered = people.flatMap(({ devices }) => devices ?? []);
  const newest = successes
    .toReversed()
    .map(({ person }) => `${person.firstName ?? ''} ${person.lastName ?? ''}`.trim());
  return {
    signIns: successes.length,
    failed: today.length - successes.length,
    newDevices: registered.filter(({ registeredAt = '' }) => Date.parse(registeredAt) >= since).length,
    byQuarter,
    latest: [...new Set(newest)].slice(0, FACES),
  };
}
