import { readStored, writeStored } from '../browser/stored.ts';

const KEY = 'orchestrate.lab-token';

/** The token that the lab requires from other machines (`LAB_TOKEN`), as entered in this browser. */
export const labToken = (): string | undefined => readStored(KEY) ?? undefined;

export const keepLabToken = (token: string | null): void => writeStored(KEY, token);
