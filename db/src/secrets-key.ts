import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseUnusable } from './database-unusable.ts';
import { createVault, type Vault } from './vault.ts';

/** Configured keys, each 32 bytes in the format of `SECRETS_KEY_PATTERN`. */
export interface SecretsKeys {
  /** Key for sealing. */
  current?: string | null;
  /** Earlier key, used only for unsealing. */
  previous?: string | null;
}

export interface Vaults {
  /** Returns the vault used for sealing. Creates the key file if there is no key yet. */
  current(): Vault;
  /** Vaults for values the current vault can't unseal. */
  older: readonly Vault[];
  /** Every vault whose key exists. */
  all: readonly Vault[];
}

const KEY_BYTES = 32;

/** 32 bytes in hexadecimal (`openssl rand -hex 32`) or base64, with or without padding (`openssl rand -base64 32`). */
export const SECRETS_KEY_PATTERN = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

const bytesOf = (text: string): Buffer => Buffer.from(text, text.length === 64 ? 'hex' : 'base64');

let vaultOfProcess: Vault | undefined;
function makeVaultOfProcess(): Vault {
  vaultOfProcess ??= createVault(randomBytes(KEY_BYTES));
  return vaultOfProcess;
}

/**
 * Returns the vaults of an in-memory database. Uses the configured key, or a key generated once per process because
 * the data doesn't outlive the process. No other key can have sealed the data.
 */
export function memoryVaults({ current }: SecretsKeys): Vaults {
  const vault = current ? createVault(bytesOf(current)) : makeVaultOfProcess();
  return { current: () => vault, older: [], all: [vault] };
}

/**
 * Returns the vaults of the database at `path`, using the configured keys and the key file.
 * @throws DatabaseUnusable `keyless`
 */
export function readVaults(path: string, { current, previous }: SecretsKeys): Vaults {
  const file = `${path}.key`;
  const ofFile = readKey(file, path);
  const vault = current ? createVault(bytesOf(current)) : ofFile && createVault(ofFile);
  const older = [
    ...(previous ? [createVault(bytesOf(previous))] : []),
    ...(current && ofFile ? [createVault(ofFile)] : []),
  ];
  return {
    current: () => vault ?? createVault(makeKey(file)),
    older,
    all: vault ? [vault, ...older] : older,
  };
}

function readKey(file: string, path: string): Buffer | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (SECRETS_KEY_PATTERN.test(text)) return bytesOf(text);
  } catch (reason) {
    if (reason instanceof Error && 'code' in reason && ['ENOENT', 'ENOTDIR'].includes(String(reason.code)))
      return undefined;
  }
  throw new DatabaseUnusable('keyless', path);
}

/**
 * Creates a key and flushes it to disk before anything is sealed. Otherwise, a crash could lose the key and leave
 * sealed data unreadable.
 */
function makeKey(file: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  const opened = openSync(file, 'wx', 0o600);
  try {
    writeSync(opened, `${key.toString('base64url')}\n`);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  syncFolder(dirname(file));
  return key;
}

/** Syncs the folder to persist a new file's directory entry. Windows can't sync folders. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
