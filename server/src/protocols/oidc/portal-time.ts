import type { Clock } from '../../platform/adapters/clock.ts';
import { machineNow } from '../../platform/adapters/machine-time.ts';
import { secondsOf } from './seconds-of.ts';

/**
 * oidc-provider asks the machine for the time, the portal its own clock, which the lab can set (decision 019). So times are
 * kept in the portal's terms, and told to the library in the machine's (decision 111). Whole seconds, as in RFC 7519 §2.
 */
const toMachine = (clock: Clock): number => Math.round((machineNow() - clock.now()) / 1_000);

/** Fields of the library's models that are times. `exp` is kept apart: see `expiryForLibrary`. */
const TIMES = ['iat', 'iiat', 'loginTs', 'authTime'];

/** A model as it is kept. */
export const modelForPortal = (clock: Clock, payload: object): Record<string, unknown> =>
  shifted(payload, -toMachine(clock));

/** A kept model as the library expects it. */
export const modelForLibrary = (clock: Clock, payload: object): Record<string, unknown> =>
  shifted(payload, toMachine(clock));

function shifted(payload: object, seconds: number): Record<string, unknown> {
  const entries = Object.entries(payload).map(([name, value]: [string, unknown]) => {
    const isTime = typeof value === 'number' && TIMES.includes(name);
    return [name, isTime ? value + seconds : value];
  });
  return Object.fromEntries(entries);
}

/** A time of the portal's, in milliseconds, as the library says it. */
export const timeForLibrary = (clock: Clock, time: number): number => secondsOf(time) + toMachine(clock);

/** A time that the library said, in milliseconds of the portal's. */
export const timeForPortal = (clock: Clock, seconds: number): number => (seconds - toMachine(clock)) * 1_000;

/** When something ends, for the library: never earlier than here. @param expiresAt milliseconds of the portal's */
export const expiryForLibrary = (clock: Clock, expiresAt: number): number =>
  secondsOf(machineNow()) + Math.ceil((expiresAt - clock.now()) / 1_000);

/** Now, as the library says it. */
export const libraryNow = (): number => secondsOf(machineNow());
