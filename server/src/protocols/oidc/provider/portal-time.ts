import { SECOND } from '@orchestrate/shared';
import { type Clock, machineNow } from '#platform/adapters/clock.ts';
import { type PortalTime, portalTime } from '#platform/times.ts';

/**
 * Returns how far machine time is ahead of portal time, in whole seconds (RFC 7519 §2). oidc-provider uses the
 * machine's clock, while the portal uses its own clock, which the lab can set (decision 019). Times are therefore
 * stored in portal time and converted for the library (decision 111).
 */
const toMachine = (clock: Clock): number => Math.round((machineNow() - clock.now()) / 1_000);

/** Converts milliseconds to whole seconds. */
export const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / SECOND);

/** Time fields in the library's models, except `exp` (see `expiryForLibrary`). */
const TIMES = ['iat', 'iiat', 'loginTs', 'authTime'];

/** Converts a library model to portal time for storage. */
export const modelForPortal = (clock: Clock, payload: object): Record<string, unknown> =>
  shifted(payload, -toMachine(clock), (time) => time);

/** Converts a stored model to library time. */
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

/** Limits a past event's time to the current time, because rounding could move it into the future. */
function notAfterNow(seconds: number): number {
  return Math.min(seconds, libraryTimeNow());
}

/** Converts the time of a past event from portal time (milliseconds) to library time (seconds). */
export const timeForLibrary = (clock: Clock, time: number): number => notAfterNow(secondsOf(time) + toMachine(clock));

/** Converts library time (seconds) to portal time (milliseconds). */
export const timeForPortal = (clock: Clock, seconds: number): PortalTime =>
  portalTime((seconds - toMachine(clock)) * 1_000);

/**
 * Returns an expiry in library time (seconds), rounded up so that nothing expires early.
 * @param now in milliseconds, from the same clock as `expiresAt`
 */
export const expiryForLibrary = (now: number, expiresAt: number): number =>
  secondsOf(machineNow()) + Math.ceil((expiresAt - now) / 1_000);

/** Converts library time to external time, the time that other programs see, in seconds. */
export const toExternalTime = (clock: Clock, seconds: number): number =>
  // Avoid converting through portal time, because that would round.
  clock.tellsMachineTime() ? seconds : secondsOf(clock.toExternalTime(timeForPortal(clock, seconds)));

/** Returns the current library time, in seconds. */
export const libraryTimeNow = (): number => secondsOf(machineNow());

type Claims = Readonly<Record<string, unknown>>;

/** Time claims that other programs compare with their own clock. */
const EXTERNAL_CLAIMS = ['iat', 'exp', 'auth_time'];

/** Converts the time claims from library time to external time. */
export const claimsInExternalTime = (clock: Clock, claims: Claims): Claims => ({
  ...claims,
  ...Object.fromEntries(
    EXTERNAL_CLAIMS.flatMap((name) => {
      const time = claims[name];
      return typeof time === 'number' ? [[name, toExternalTime(clock, time)]] : [];
    }),
  ),
});
