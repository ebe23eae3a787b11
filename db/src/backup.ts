import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { DatabaseUnusable, explainOpenFailure } from './database-unusable.ts';
import { APPLICATION_ID } from './open.ts';
import { syncFolder } from './secrets-key.ts';

/** Pages to copy before other requests are served, 1 MB. A larger step would delay them noticeably. */
const PAGES_PER_STEP = 256;

export interface BackupOptions {
  /** Path of the database file. Its key is in `{file}.key`, unless `SECRETS_KEY` is set. */
  file: string;
  /** Path of the backup. The folder must exist, but the file must not. */
  target: string;
  /** True to copy the key file as well, to `{target}.key`. */
  withKey: boolean;
  /** Stops the backup when it is aborted. */
  signal?: AbortSignal;
}

export interface Backup {
  /** Size of the copy in bytes. */
  bytes: number;
  /** Path of the copied key file. Absent if no key was copied. */
  keyFile?: string;
}

/** Thrown if the backup couldn't be written. The message tells the operator why. */
export class BackupFailed extends Error {
  override readonly name = 'BackupFailed';
}

/**
 * Copies an open database while it is in use (SQLite, Online Backup API). The copy includes every change committed before
 * the backup ended. It gets its final name only once it is complete and synced to disk.
 * @throws BackupFailed
 */
export async function backUp(raw: Sqlite.Database, { file, target, withKey, signal }: BackupOptions): Promise<Backup> {
  const key = withKey && existsSync(`${file}.key`) ? `${target}.key` : undefined;
  for (const path of [target, key]) {
    if (path && existsSync(path)) throw new BackupFailed(`${path} already exists. Choose another file.`);
  }
  if (!statSync(dirname(target), { throwIfNoEntry: false })?.isDirectory())
    throw new BackupFailed(`The folder ${dirname(target)} doesn't exist. Create it first.`);

  const partial = `${target}.partial`;
  try {
    // Create the file with a restrictive mode, because SQLite would make it readable by everyone.
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (reason) {
    throw failureOf(reason, partial);
  }
  const written = [partial, `${partial}-journal`];
  try {
    await raw.backup(partial, {
      progress() {
        signal?.throwIfAborted();
        return PAGES_PER_STEP;
      },
    });
    sync(partial);
    // Copy the key first, because a portal can't start on a backup without its key.
    if (key) {
      copyFileSync(`${file}.key`, key, constants.COPYFILE_EXCL);
      written.push(key);
      sync(key);
    }
    if (existsSync(target)) throw new BackupFailed(`${target} already exists. Choose another file.`);
    renameSync(partial, target);
    syncFolder(dirname(target));
    return { bytes: statSync(target).size, ...(key && { keyFile: key }) };
  } catch (reason) {
    for (const path of written) rmSync(path, { force: true });
    throw failureOf(reason, target);
  }
}

/**
 * Copies the database of a portal that isn't running. Doesn't change it, even if its process was killed.
 * @throws BackupFailed, and DatabaseUnusable if the database is in use or isn't the portal's
 */
export async function backUpClosed(options: BackupOptions): Promise<Backup> {
  const path = resolve(options.file);
  let raw: Sqlite.Database;
  try {
    // As at the start: closing a writable connection would merge the log that a killed process left.
    raw = new Sqlite(path, { readonly: existsSync(`${path}-wal`), fileMustExist: true, timeout: 2_000 });
  } catch (reason) {
    throw explainOpenFailure(path, reason);
  }
  try {
    if (raw.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw new DatabaseUnusable('foreign', path);
    return await backUp(raw, { ...options, file: path });
  } catch (reason) {
    throw explainOpenFailure(path, reason);
  } finally {
    raw.close();
  }
}

function failureOf(reason: unknown, path: string): unknown {
  if (reason instanceof BackupFailed || !(reason instanceof Error)) return reason;
  const code = 'code' in reason ? String(reason.code) : '';
  if (code === 'EEXIST')
    return new BackupFailed(`${path} already exists. Wait until the other backup ends, or delete the file.`);
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code))
    return new BackupFailed(`There isn't enough space for ${path}. Free some space, or choose another disk.`);
  if (/^(E(ACCES|PERM|ROFS|NOENT|NOTDIR|NAMETOOLONG)|SQLITE_(CANTOPEN|READONLY|PERM|IOERR))/.test(code))
    return new BackupFailed(`Can't write ${path}. Check the permissions of its folder.`);
  return reason;
}

function sync(path: string): void {
  const opened = openSync(path, 'r+');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
