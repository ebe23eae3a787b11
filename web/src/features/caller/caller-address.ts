import { paths } from '../../paths.ts';

/** The steps below `/authenticate-caller` (spec 1 §2). */
export const callerPaths = {
  intro: paths.authenticateCaller,
  generate: `${paths.authenticateCaller}/generate`,
  success: `${paths.authenticateCaller}/success`,
} as const;

/** What the state of the navigation to `success` holds: which verification it was, and not who the caller is. */
export interface ConfirmedBy {
  epoch: string;
}

export function readConfirmedBy(state: unknown): ConfirmedBy | undefined {
  if (typeof state !== 'object' || state === null || !('epoch' in state)) return undefined;
  return typeof state.epoch === 'string' ? { epoch: state.epoch } : undefined;
}
