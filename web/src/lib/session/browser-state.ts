import { readStored, writeStored } from '../browser/stored.ts';

const LAB_TOKEN = 'orchestrate.lab-token';

/** Returns the token that the lab requires from other machines (`LAB_TOKEN`), if it was entered in this browser. */
export const labToken = (): string | undefined => readStored(LAB_TOKEN) ?? undefined;

export const storeLabToken = (token: string | null): void => writeStored(LAB_TOKEN, token);

const REMEMBERED = 'orchestrate.remembered';

/** Codes of the organisations that remember this browser, as far as it knows. */
const rememberedBy = () => new Set(readStored(REMEMBERED)?.split(' '));

/** Returns true if this browser may have an organisation's remember-me cookie, which only the server can read. */
export const mayBeRemembered = (orgCode: string): boolean => rememberedBy().has(orgCode);

export function setRemembered(orgCode: string, isRemembered: boolean): void {
  const codes = rememberedBy();
  if (isRemembered) codes.add(orgCode);
  else codes.delete(orgCode);
  writeStored(REMEMBERED, codes.size > 0 ? [...codes].join(' ') : null);
}

/** Returns true if this browser supports passkeys, which are unavailable over plain HTTP from another machine. */
export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in window;
