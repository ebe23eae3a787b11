import { readStored, writeStored } from '../browser/stored.ts';

const LAB_TOKEN = 'orchestrate.lab-token';

/** Returns the token that the lab requires from other machines (`LAB_TOKEN`), if it was entered in this browser. */
export const labToken = (): string | undefined => readStored(LAB_TOKEN) ?? undefined;

export const storeLabToken = (token: string | null): void => writeStored(LAB_TOKEN, token);

const REMEMBERED = 'orchestrate.remembered';

/** Returns true if this browser may have a remember-me cookie, which only the server can read. */
export const mayBeRemembered = (): boolean => readStored(REMEMBERED) !== null;

export function setRemembered(isRemembered: boolean): void {
  writeStored(REMEMBERED, isRemembered ? 'yes' : null);
}

/** Returns true if this browser supports passkeys, which are unavailable over plain HTTP from another machine. */
export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in window;
