import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot, succeeds } from '../../install-from-debian.ts';
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

/** Unpacks what must not be installed, where we may run it. @param folder that becomes their root */
export function unpackDebianPackages(clients: readonly AnyClient[], folder: string): void {
  const wanted = clients.flatMap(({ from }) => ('debian' in from ? (from.unpacked ?? []) : []));
  if (!isRoot) return;
  for (const name of wanted) {
    spawnSync('apt-get', ['download', name], { cwd: folder, stdio: 'ignore' });
    const [file] = globSync(`${name}_*.deb`, { cwd: folder });
    if (file !== undefined) succeeds('dpkg-deb', '-x', join(folder, file), folder);
  }
}

/** Version of a package that is unpacked there. */
function unpackedVersion(name: string, folder: string): string | undefined {
  const [file] = globSync(`${name}_*.deb`, { cwd: folder });
  if (file === undefined) return undefined;
  return spawnSync('dpkg-deb', ['-f', join(folder, file), 'Version'], { encoding: 'utf8' }).stdout.trim();
}

/**
 * Installs the Debian packages of these clients that are missing, where we may. What is still missing says `versionOf`.
 */
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

/** Where the programs of clients are; `nodePrograms` is undefined where npm could not install what they need. */
export interface Provided {
  nodePrograms: string | undefined;
  unpacked: string;
}

/** The version of a client that would run here. @throws NotHere */
export function versionOf({ from }: AnyClient, { nodePrograms, unpacked }: Provided): string {
  if ('npm' in from) {
    if (nodePrograms === undefined) throw new NotHere('npm could not install it');
    const { dependencies } = JSON.parse(readFileSync(join(NODE_PROGRAMS, 'package.json'), 'utf8'));
    return dependencies[from.npm[0] ?? ''];
  }
  const versions = [
    ...(from.unpacked ?? []).map((name) => [name, unpackedVersion(name, unpacked)] as const),
    ...from.debian.map((name) => [name, installedVersion(name)] as const),
  ];
  const missing = versions.filter(([, version]) => version === undefined).map(([name]) => name);
  if (missing.length > 0) throw new NotHere(`Debian's ${missing.join(', ')} cannot be had here`);
  return versions[0]?.[1] ?? '';
}
