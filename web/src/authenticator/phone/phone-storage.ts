import { readJson } from '@orchestrate/shared';
import {
  type AppPin,
  appPin,
  type DeviceState,
  deviceState,
  type Pairing,
  pairing,
} from '@orchestrate/shared/authenticator';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readStored, writeStored } from '#lib/browser/stored.ts';

const KEY = 'orchestrate.authenticator';
const VERSION = 1;

const phone = z.object({
  version: z.literal(VERSION),
  accounts: z.array(deviceState),
  /** A pairing that waits for the portal, stored to survive a reload. */
  pairing: pairing.nullable(),
  /** The app's PIN, set when an organisation first requires it. */
  pin: appPin.nullable().default(null),
});

/** The phone's state in the browser's storage. */
export type PhoneMemory = Pick<z.output<typeof phone>, 'accounts' | 'pairing' | 'pin'>;

const empty: PhoneMemory = { accounts: [], pairing: null, pin: null };
const listeners = new Set<() => void>();
let cached: { text: string | null; memory: PhoneMemory } = { text: null, memory: empty };

function parse(text: string): PhoneMemory | null {
  const { data } = phone.safeParse(readJson(text));
  return data ? { accounts: data.accounts, pairing: data.pairing, pin: data.pin } : null;
}

/** Returns the phone's state; the same object until it changes. */
export function readPhone(): PhoneMemory {
  const text = readStored(KEY);
  if (text !== cached.text) cached = { text, memory: (text && parse(text)) || empty };
  return cached.memory;
}

function write(change: Partial<PhoneMemory>): void {
  const old = readStored(KEY);
  // Backs up data of another version of this page, so that its keys aren't lost.
  if (old && !parse(old)) writeStored(`${KEY}.unreadable`, old);
  writeStored(KEY, JSON.stringify({ version: VERSION, ...readPhone(), ...change }));
  for (const listener of listeners) listener();
}

/** Adds an account to the phone, replacing one with the same `zid`. */
export function addAccount(account: DeviceState): void {
  const others = readPhone().accounts.filter(({ zid }) => zid !== account.zid);
  write({ accounts: [...others, account] });
}

/** Removes an account and its key from the phone. The device stays registered in the portal. */
export function removeAccount(zid: string): void {
  write({ accounts: readPhone().accounts.filter((account) => account.zid !== zid) });
}

/** Stores the pairing that waits for the portal, or removes it if null. */
export function storePairing(waiting: Pairing | null): void {
  write({ pairing: waiting });
}

/** Stores the app's PIN. */
export function storePin(pin: AppPin): void {
  write({ pin });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** The phone's state, updated when another tab changes it. */
export const usePhoneMemory = (): PhoneMemory => useSyncExternalStore(subscribe, readPhone);
