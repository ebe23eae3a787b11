import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';

/**
 * Attaches the bytes of a database under a name. SQLite can only attach files: the file is in a folder that only its
 * owner can read, and is deleted by the time this returns. Where an open file cannot be deleted (Windows), the system
 * removes it with its other temporary files.
 */
export function attachImage(raw: Sqlite.Database, image: Buffer, name: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-'));
  try {
    const file = join(folder, 'image.db');
    writeFileSync(file, image);
    raw.prepare(`ATTACH ? AS ${name}`).run(file);
    // The first statement that reads the file opens it, so it can be deleted afterwards.
    raw.prepare(`SELECT count(*) FROM ${name}.sqlite_schema`).get();
  } finally {
    removeQuietly(folder);
  }
}

function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Still open on Windows.
  }
}
