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
  /** A pairing that is waiting for the portal, so that a reload does not lose it. */
  pairing: pairing.nullable(),
  /** The PIN of this app, chosen when an organisation first asks for it. */
  pin: appPin.nullable().default(null),
});

/** What this phone remembers, in the browser's storage. */
export type PhoneMemory = Pick<z.output<typeof phone>, 'accounts' | 'pairing' | 'pin'>;

const empty: PhoneMemory = { accounts: [], pairing: null, pin: null };
const listeners = new Set<() => void>();
let cached: { text: string | null; memory: PhoneMemory } = { text: null, memory: empty };

function parse(text: string): PhoneMemory | null {
  const { data } = phone.safeParse(readJson(text));
  return data ? { accounts: data.accounts, pairing: data.pairing, pin: data.pin } : null;
}

/** What this phone remembers now; the same object until it changes. */
export function readPhone(): PhoneMemory {
  const text = readStored(KEY);
  if (text !== cached.text) cached = { text, memory: (text && parse(text)) || empty };
  return cached.memory;
}

function write(change: Partial<PhoneMemory>): void {
  const old = readStored(KEY);
  // Written by another version of this page: its keys are set aside, not destroyed.
  if (old && !parse(old)) writeStored(`${KEY}.unreadable`, old);
  writeStored(KEY, JSON.stringify({ version: VERSION, ...readPhone(), ...change }));
  for (const listener of listeners) listener();
}

/** Puts an account on the phone; one with the same zid is replaced. */
export function addAccount(account: DeviceState): void {
  const others = readPhone().accounts.filter(({ zid }) => zid !== account.zid);
  write({ accounts: [...others, account] });
}

/**
 * Removes an account with its key from the phone. The portal is not told: the device stays there until it is deleted.
 */
export function removeAccount(zid: string): void {
  write({ accounts: readPhone().accounts.filter((account) => account.zid !== zid) });
}

/** Remembers the pairing that is waiting for the portal, or forgets it with null. */
export function keepPairing(waiting: Pairing | null): void {
  write({ pairing: waiting });
}

/** Remembers the PIN of this app. */
export function keepPin(pin: AppPin): void {
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

/** What this phone remembers, updated when another tab changes it. */
export const usePhoneMemory = (): PhoneMemory => useSyncExternalStore(subscribe, readPhone);
