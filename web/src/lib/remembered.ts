import { readStored, writeStored } from './stored.ts';

const KEY = 'orchestrate.remembered';

/** Whether this browser may be remembered: the cookie itself is for the server's eyes only. */
export const mayBeRemembered = (): boolean => readStored(KEY) !== null;

export function setRemembered(isRemembered: boolean): void {
  writeStored(KEY, isRemembered ? 'yes' : null);
}
