import { now } from '../../adapters/clock.ts';
import { paths } from '../../paths.ts';

/** The steps below `/authenticate-caller` (spec 1 §2). */
export const callerPaths = {
  intro: paths.authenticateCaller,
  generate: `${paths.authenticateCaller}/generate`,
  success: `${paths.authenticateCaller}/success`,
} as const;

/** What the state of a navigation holds: which verification it is, so that a reload goes on with it, and not of whom. */
export interface Verification {
  epoch: string;
}

/** The name of another verification. */
export const nextVerification = (): Verification => ({ epoch: String(now()) });

export function readVerification(state: unknown): Verification | undefined {
  if (typeof state !== 'object' || state === null || !('epoch' in state)) return undefined;
  return typeof state.epoch === 'string' ? { epoch: state.epoch } : undefined;
}
