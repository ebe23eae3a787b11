import { now } from '#adapters/browser.ts';
import { paths } from '#paths.ts';

/** Paths of the steps below `/authenticate-caller` (spec 1 §2). */
export const callerPaths = {
  intro: paths.authenticateCaller,
  generate: `${paths.authenticateCaller}/generate`,
  success: `${paths.authenticateCaller}/success`,
} as const;

/** Navigation state that identifies the verification, but not the caller. A reload uses it to continue. */
export interface Verification {
  epoch: string;
}

/** Returns the state for a new verification. */
export const newVerification = (): Verification => ({ epoch: String(now()) });

export function readVerification(state: unknown): Verification | undefined {
  if (typeof state !== 'object' || state === null || !('epoch' in state)) return undefined;
  return typeof state.epoch === 'string' ? { epoch: state.epoch } : undefined;
}
