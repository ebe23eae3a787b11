import { now } from '#adapters/clock.ts';
import { paths } from '#paths.ts';

/** Steps below `/authenticate-caller` (spec 1 §2). */
export const callerPaths = {
  intro: paths.authenticateCaller,
  generate: `${paths.authenticateCaller}/generate`,
  success: `${paths.authenticateCaller}/success`,
} as const;

/** Navigation state. It identifies the verification, so that a reload continues it, but not the caller. */
export interface Verification {
  epoch: string;
}

/** Creates the state of a new verification. */
export const nextVerification = (): Verification => ({ epoch: String(now()) });

export function readVerification(state: unknown): Verification | undefined {
  if (typeof state !== 'object' || state === null || !('epoch' in state)) return undefined;
  return typeof state.epoch === 'string' ? { epoch: state.epoch } : undefined;
}
