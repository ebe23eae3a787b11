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
  /** A pairing waiting for confirmation in the portal, stored to survive a reload. */
  pairing: pairing.nullable(),
  /** The app PIN, set when an organisation first requires it. */
  pin: appPin.nullable().default(null),
});

/** The phone's state as stored in the browser. */
export type PhoneMemory = Pick<z.output<typeof phone>, 'accounts' | 'pairing' | 'pin'>;

const empty: PhoneMemory = { accounts: [], pairing: null, pin: null };
const listeners = new Set<() => void>();
let cached: { text: string | null; memory: PhoneMemory } = { text: null, memory: empty };

function parse(text: string): PhoneMemory | null {
  const { data } = phone.safeParse(readJson(text));
  return data ? { accounts: data.accounts, pairing: data.pairing, pin: data.pin } : null;
}

/** Returns the phone's state. Returns the same object until the state changes. */
export function readPhone(): PhoneMemory {
  const text = readStored(KEY);
  if (text !== cached.text) cached = { text, memory: (text && parse(text)) || empty };
  return cached.memory;
}

function write(change: Partial<PhoneMemory>): void {
  const old = readStored(KEY);
  // Back up data written by another version of this page, to avoid losing its keys.
  if (old && !parse(old)) writeStored(`${KEY}.unreadable`, old);
  writeStored(KEY, JSON.stringify({ version: VERSION, ...readPhone(), ...change }));
  for (const listener of listeners) listener();
}

/** Adds an account to the phone. Replaces any account with the same `zid`. */
export function addAccount(account: DeviceState): void {
  const others = readPhone().accounts.filter(({ zid }) => zid !== account.zid);
  write({ accounts: [...others, account] });
}

/** Removes an account and its key from the phone. The device stays registered in the portal. */
export function removeAccount(zid: string): void {
  write({ accounts: readPhone().accounts.filter((account) => account.zid !== zid) });
}

/** Stores the pairing waiting for the portal, or removes it if null. */
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

/** Returns the phone's state, and re-renders when this or another tab changes it. */
export const usePhoneMemory = (): PhoneMemory => useSyncExternalStore(subscribe, readPhone);
