import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseUnusable } from './database-unusable.ts';
import { createVault, type Vault } from './vault.ts';

/** Keys from the configuration, each 32 bytes in the format of `SECRETS_KEY_PATTERN`. */
export interface SecretsKeys {
  /** Key that seals new texts. */
  current?: string | null;
  /** Earlier key, which only unseals. */
  previous?: string | null;
}

/** The vaults of a database. */
export interface Vaults {
  /** Returns the vault that seals; creates the key file if there is no key yet. */
  current(): Vault;
  /** Vaults for texts that the current one doesn't open. */
  older: readonly Vault[];
  /** All vaults whose keys exist. */
  all: readonly Vault[];
}

const KEY_BYTES = 32;

/** 32 bytes in hexadecimal (`openssl rand -hex 32`) or in base64, padded or not (`openssl rand -base64 32`). */
export const SECRETS_KEY_PATTERN = /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/;

const bytesOf = (text: string): Buffer => Buffer.from(text, text.length === 64 ? 'hex' : 'base64');

let vaultOfProcess: Vault | undefined;
function makeVaultOfProcess(): Vault {
  vaultOfProcess ??= createVault(randomBytes(KEY_BYTES));
  return vaultOfProcess;
}

/**
 * Returns the vaults of a database in memory: with the configured key, or one generated per process, because the texts
 * end with it. No other key can have sealed them.
 */
export function memoryVaults({ current }: SecretsKeys): Vaults {
  const vault = current ? createVault(bytesOf(current)) : makeVaultOfProcess();
  return { current: () => vault, older: [], all: [vault] };
}

/**
 * Returns the vaults of the database at `path`: with the configured keys, and the key in its key file.
 * @throws DatabaseUnusable `keyless`
 *
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
 * Creates a key and writes it to the disk before anything is sealed with it, so that a crash cannot lose the key and
 * leave texts sealed.
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

/** Syncs the folder, which contains the name of the new file. Windows can't sync folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
