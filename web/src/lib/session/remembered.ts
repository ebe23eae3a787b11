import { readStored, writeStored } from '../browser/stored.ts';

const KEY = 'orchestrate.remembered';

/** Whether this browser may be remembered; only the server can read the cookie itself. */
export const mayBeRemembered = (): boolean => readStored(KEY) !== null;

export function setRemembered(isRemembered: boolean): void {
  writeStored(KEY, isRemembered ? 'yes' : null);
}
