import { now } from '#adapters/clock.ts';
import { paths } from '#paths.ts';

/** The steps below `/authenticate-caller` (spec 1 §2). */
export const callerPaths = {
  intro: paths.authenticateCaller,
  generate: `${paths.authenticateCaller}/generate`,
  success: `${paths.authenticateCaller}/success`,
} as const;

/** The navigation state: which verification it is, so that a reload continues it, but not whose. */
export interface Verification {
  epoch: string;
}

/** A name for another verification. */
export const nextVerification = (): Verification => ({ epoch: String(now()) });

export function readVerification(state: unknown): Verification | undefined {
  if (typeof state !== 'object' || state === null || !('epoch' in state)) return undefined;
  return typeof state.epoch === 'string' ? { epoch: state.epoch } : undefined;
}
