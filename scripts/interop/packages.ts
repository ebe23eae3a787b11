import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot, succeeds } from '../install-from-debian.ts';
import type { AnyClient } from './foreign-client.ts';

/** Why a client is not here. It is not passed, and not failed either. */
export class NotHere extends Error {}

/** Version of a Debian package that is installed. */
function installedVersion(name: string): string | undefined {
  const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Version}', name], {
    encoding: 'utf8',
  });
  const [state, version] = stdout?.split(' ') ?? [];
  return status === 0 && state === 'installed' ? version : undefined;
}

/** Installs the Debian packages of these clients that are missing, where we may. What is still missing says `versionOf`. */
export function provideDebianPackages(clients: readonly AnyClient[]): void {
  const wanted = clients.flatMap(({ from }) => ('debian' in from ? from.debian : []));
  const missing = [...new Set(wanted)].filter((name) => installedVersion(name) === undefined);
  if (missing.length === 0 || !isRoot) return;
  // One that does not exist here would prevent all the others.
  if (succeeds('apt-get', 'update'))
    for (const name of missing) succeeds('apt-get', 'install', '-y', '--no-install-recommends', name);
}

const NODE_PROGRAMS = join(import.meta.dirname, 'node');

/**
 * Installs the npm packages, with the versions of `node/package.json`, beside copies of the programs that use them.
 * @param folder where the programs are afterwards. @returns whether npm could
 */
export function provideNpmPackages(folder: string): boolean {
  cpSync(NODE_PROGRAMS, folder, { recursive: true });
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund'];
  return spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

/** The version of a client that would run here. @throws NotHere */
export function versionOf({ from }: AnyClient, { isNpmThere }: { isNpmThere: boolean }): string {
  if ('npm' in from) {
    if (!isNpmThere) throw new NotHere('npm could not install it');
    const { dependencies } = JSON.parse(readFileSync(join(NODE_PROGRAMS, 'package.json'), 'utf8'));
    return dependencies[from.npm[0] ?? ''];
  }
  const versions = from.debian.map((name) => [name, installedVersion(name)] as const);
  const missing = versions.filter(([, version]) => version === undefined).map(([name]) => name);
  if (missing.length > 0) throw new NotHere(`Debian's ${missing.join(', ')} cannot be had here`);
  return versions[0]?.[1] ?? '';
}
