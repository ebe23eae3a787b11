import { readStored, writeStored } from '../browser/stored.ts';

const LAB_TOKEN = 'orchestrate.lab-token';

/** The token that the lab requires from other machines (`LAB_TOKEN`), as entered in this browser. */
export const labToken = (): string | undefined => readStored(LAB_TOKEN) ?? undefined;

export const keepLabToken = (token: string | null): void => writeStored(LAB_TOKEN, token);

const REMEMBERED = 'orchestrate.remembered';

/** Whether this browser may be remembered; only the server can read the cookie itself. */
export const mayBeRemembered = (): boolean => readStored(REMEMBERED) !== null;

export function setRemembered(isRemembered: boolean): void {
  writeStored(REMEMBERED, isRemembered ? 'yes' : null);
}

/** Whether this browser has passkeys at all: not over plain HTTP from another machine. */
export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in window;
