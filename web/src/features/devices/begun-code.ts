import { type AppType, readJson, SECOND } from '@orchestrate/shared';
import { now } from '../../adapters/clock.ts';
import { readStored, writeStored } from '../../lib/browser/stored.ts';
import { PERSONAL } from '../../lib/session/personal-storage.ts';
import type { AddDeviceCode } from './add-device-view.ts';

const KEY = PERSONAL.addDevice;

/** A code that this tab is showing: a reload goes on with it, because a new one would void it. */
export interface BegunCode {
  suid: string;
  mode: AppType;
  code: AddDeviceCode;
  /** When it was fetched, in ms. */
  at: number;
}

export const keepCode = (begun: Omit<BegunCode, 'at'> | null): void =>
  writeStored(KEY, begun && JSON.stringify({ ...begun, at: now() }), 'sessionStorage');

/** The kept code of this person with the time that it has left; undefined where there is none. */
export function keptCode(suid: string): BegunCode | undefined {
  const begun = readJson(readStored(KEY, 'sessionStorage')) as BegunCode | undefined;
  if (begun?.suid !== suid) return undefined;
  const secondsLeft = begun.code.confirmExpDur - (now() - begun.at) / SECOND;
  return { ...begun, code: { ...begun.code, confirmExpDur: Math.max(0, secondsLeft) } };
}
