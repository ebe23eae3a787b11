import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { oidcQuickStarts, type QuickStart } from '@orchestrate/shared/quick-starts';
import type { OidcSettings } from '../foreign-client.ts';
import { runCommand } from '../program.ts';

const PROGRAMS = join(import.meta.dirname, '../go');

/**
 * Builds a program in the folder `go` with Debian's Go packages. @param folder target folder
 * @returns the program's path
 */
export async function buildGoProgram(name: string, folder: string): Promise<string> {
  const program = join(folder, name);
  const env = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache'), GOFLAGS: '' };
  await runCommand({ command: '/usr/bin/go', args: ['build', '-o', program, join(PROGRAMS, `${name}.go`)], env });
  return program;
}

/**
 * Returns the portal's quick start for an OIDC application that uses this program. @throws if the portal has no such
 * quick start
 */
export function quickStartFor(id: string, { issuer, clientId }: OidcSettings, callbackUrl: string): QuickStart {
  const found = oidcQuickStarts({ issuer, clientId, callbackUrl }).find((start) => start.id === id);
  if (!found) throw new Error(`There is no quick start called ${id}.`);
  return found;
}

/** Runs a command in a mount namespace that adds these files to /etc. */
export function runInMountNamespace(
  { folder }: { folder: string },
  files: Record<string, string>,
  ...command: string[]
) {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, 'etc', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
  }
  const args = ['--mount', '/bin/bash', join(import.meta.dirname, '../pam/in-private.sh'), folder, ...command];
  return runCommand({ command: 'unshare', args });
}
