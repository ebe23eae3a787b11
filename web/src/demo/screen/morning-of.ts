import { readWorld, type World } from '@orchestrate/shared';
import { useLiveRead } from '#lab/lab-updates.tsx';

export interface Morning {
  signIns: number;
  failed: number;
  /** Number of devices registered today. */
  newDevices: number;
  /** Sign-ins per quarter of an hour, from today's first sign-in until now. */
  byQuarter: number[];
  /** Names of the users who signed in most recently, newest first. */
  latest: string[];
}

const QUARTER_MS = 15 * 60_000;
const FACES = 6;

/**
 * Returns today's figures.
 * @param since start of the day, in Unix milliseconds
 * @param now current time, in Unix milliseconds
 */
export function morningOf(people: readonly DemoPerson[], since: number, now: number): Morning {
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

export type DemoPerson = NonNullable<NonNullable<World['organisations']>[number]['people']>[number];

const NO_PEOPLE: readonly DemoPerson[] = [];

/** Returns all members with their devices and sign-ins, and reloads them on every journal entry. */
export function usePeople(): readonly DemoPerson[] {
  const { data } = useLiveRead(readWorld, {});
  return data?.world.organisations?.[0]?.people ?? NO_PEOPLE;
}
