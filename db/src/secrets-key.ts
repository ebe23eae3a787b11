import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseUnusable } from './database-unusable.ts';
import { createVault, type Vault } from './vault.ts';

/** Keys from outside, each 32 bytes as `SECRETS_KEY_PATTERN` has them. */
export interface GivenKeys {
  /** Seals new texts. */
  current?: string | null;
  /** Opens texts sealed with an earlier key. */
  previous?: string | null;
}

/** The vaults that seal and open. */
export interface Vaults {
  /** Seals; makes the key file where there is no key yet. */
  current(): Vault;
  /** The vaults that open what the current one does not. */
  older: readonly Vault[];
  /** All vaults whose keys exist. */
  known: readonly Vault[];
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
 * The vaults of a database in memory: the given key, or one made once per process, since the texts end with it. No
 * other key can have sealed them.
 */
export function memoryVaults({ current }: GivenKeys): Vaults {
  const vault = current ? createVault(bytesOf(current)) : makeVaultOfProcess();
  return { current: () => vault, older: [], known: [vault] };
}

/**
 * The vaults of the database at `path`: the given keys, and the one in the file beside it.
 * @throws DatabaseUnusable `keyless`
 */
export function readVaults(path: string, { current, previous }: GivenKeys): Vaults {
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
    known: vault ? [vault, ...older] : older,
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
 * Makes a new key. It is on the disk before anything is sealed with it, so a crash cannot lose the key and leave texts
 * sealed.
 */
function makeKey(file: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  const made = openSync(file, 'wx', 0o600);
  try {
    writeSync(made, `${key.toString('base64url')}\n`);
    fsyncSync(made);
  } finally {
    closeSync(made);
  }
  syncFolder(dirname(file));
  return key;
}

/** Syncs the folder, which holds the name of a new file. Windows syncs no folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
