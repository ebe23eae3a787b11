import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../program.ts';

/** Runs a command in a mount namespace in which /etc also has these files. */
export function runInPrivate({ folder }: { folder: string }, files: Record<string, string>, ...command: string[]) {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, 'etc', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
  }
  const args = ['--mount', '/bin/bash', join(import.meta.dirname, '../pam/in-private.sh'), folder, ...command];
  return runCommand({ command: 'unshare', args });
}
