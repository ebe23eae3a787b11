import { readStored, writeStored } from './stored.ts';

const KEY = 'orchestrate.lab-token';

/** What the lab asks for from any machine but its own (`LAB_TOKEN`), as it was given on this browser. */
export const labToken = (): string | undefined => readStored(KEY) ?? undefined;

export const keepLabToken = (token: string | null): void => writeStored(KEY, token);
