import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';

/**
 * Attaches a serialised database under a name. SQLite can only attach files, so the bytes are written to a folder
 * that only its owner can read, and the file is deleted before this function returns. On Windows, open files can't be
 * deleted, so the system removes the file with its other temporary files.
 */
export function attachImage(raw: Sqlite.Database, image: Buffer, name: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-'));
  try {
    const file = join(folder, 'image.db');
    writeFileSync(file, image);
    raw.prepare(`ATTACH ? AS ${name}`).run(file);
    // SQLite opens the file on the first read, after which it can be deleted.
    raw.prepare(`SELECT count(*) FROM ${name}.sqlite_schema`).get();
  } finally {
    removeQuietly(folder);
  }
}

function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Windows can't delete a file that is still open.
  }
}
