import { SECOND } from '@orchestrate/shared';
import { type Clock, machineNow } from '#platform/adapters/clock.ts';

/**
 * oidc-provider uses the machine's time, the portal its own clock, which the lab can set (decision 019). So times are
 * stored in the portal's time, and converted to the machine's for the library (decision 111). Whole seconds, as in RFC
 * 7519 §2.
 */
const toMachine = (clock: Clock): number => Math.round((machineNow() - clock.now()) / 1_000);

/** Milliseconds as whole seconds. */
export const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / SECOND);

/** Fields of the library's models that are times. `exp` is handled separately: see `expiryForLibrary`. */
const TIMES = ['iat', 'iiat', 'loginTs', 'authTime'];

/** Converts a model for storage. */
export const modelForPortal = (clock: Clock, payload: object): Record<string, unknown> =>
  shifted(payload, -toMachine(clock), (time) => time);

/** Converts a stored model for the library. */
export const modelForLibrary = (clock: Clock, payload: object): Record<string, unknown> =>
  shifted(payload, toMachine(clock), notAfterNow);

function shifted(payload: object, seconds: number, limit: (time: number) => number): Record<string, unknown> {
  if (seconds === 0) return { ...payload };
  const entries = Object.entries(payload).map(([name, value]: [string, unknown]) => {
    const isTime = typeof value === 'number' && TIMES.includes(name);
    return [name, isTime ? limit(value + seconds) : value];
  });
  return Object.fromEntries(entries);
}

/** What has happened is not in the future, where rounding has put it there. */
function notAfterNow(seconds: number): number {
  return Math.min(seconds, libraryNow());
}

/** Converts the portal's time of what has happened, in milliseconds, to the library's. */
export const timeForLibrary = (clock: Clock, time: number): number => notAfterNow(secondsOf(time) + toMachine(clock));

/** Converts the library's time to the portal's, in milliseconds. */
export const timeForPortal = (clock: Clock, seconds: number): number => (seconds - toMachine(clock)) * 1_000;

/**
 * When something ends, for the library: never earlier than it does. @param now milliseconds of the clock by which it
 * ends, as `expiresAt` is
 */
export const expiryForLibrary = (now: number, expiresAt: number): number =>
  secondsOf(machineNow()) + Math.ceil((expiresAt - now) / 1_000);

/** What other programs are told, in seconds, of a time of the library. */
export const toldOf = (clock: Clock, seconds: number): number =>
  // The machine's time passes as it is: the way through the portal's time rounds.
  clock.tellsMachineTime() ? seconds : secondsOf(clock.told(timeForPortal(clock, seconds)));

/** The current time, as the library sees it. */
export const libraryNow = (): number => secondsOf(machineNow());
