import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot, succeeds } from '../../install-from-debian.ts';
import type { AnyClient } from './foreign-client.ts';

/** Thrown if the client can't be installed on this machine. Its flows are not run. */
export class ClientUnavailable extends Error {}

function installedVersion(name: string): string | undefined {
  const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Version}', name], {
    encoding: 'utf8',
  });
  const [state, version] = stdout?.split(' ') ?? [];
  return status === 0 && state === 'installed' ? version : undefined;
}

/** Unpacks the Debian packages that must not be installed. @param folder root folder of the unpacked packages */
export function unpackDebianPackages(clients: readonly AnyClient[], folder: string): void {
  const wanted = clients.flatMap(({ from }) => ('debian' in from ? (from.unpacked ?? []) : []));
  if (!isRoot) return;
  for (const name of wanted) {
    spawnSync('apt-get', ['download', name], { cwd: folder, stdio: 'ignore' });
    const [file] = globSync(`${name}_*.deb`, { cwd: folder });
    if (file !== undefined) succeeds('dpkg-deb', '-x', join(folder, file), folder);
  }
}

function unpackedVersion(name: string, folder: string): string | undefined {
  const [file] = globSync(`${name}_*.deb`, { cwd: folder });
  if (file === undefined) return undefined;
  return spawnSync('dpkg-deb', ['-f', join(folder, file), 'Version'], { encoding: 'utf8' }).stdout.trim();
}

/**
 * Installs these clients' missing Debian packages, if permitted. `versionOf` reports packages that are still missing.
 */
export function provideDebianPackages(clients: readonly AnyClient[]): void {
  const wanted = clients.flatMap(({ from }) => ('debian' in from ? from.debian : []));
  const missing = [...new Set(wanted)].filter((name) => installedVersion(name) === undefined);
  if (missing.length === 0 || !isRoot) return;
  // Install the packages one by one: a single unknown package would prevent apt from installing the others.
  if (succeeds('apt-get', 'update'))
    for (const name of missing) succeeds('apt-get', 'install', '-y', '--no-install-recommends', name);
}

const NODE_PROGRAMS = join(import.meta.dirname, 'node');

/**
 * Installs the npm packages in `node/package.json` next to copies of the programs that use them.
 * @param folder target folder @returns true if npm succeeded
 */
export function provideNpmPackages(folder: string): boolean {
  cpSync(NODE_PROGRAMS, folder, { recursive: true });
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund'];
  return spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

/** Folders of the clients' programs. `nodePrograms` is undefined if npm failed. */
export interface ProgramFolders {
  nodePrograms: string | undefined;
  unpacked: string;
}

/** Returns the client's installed version. @throws ClientUnavailable if the client can't be installed */
export function versionOf({ from }: AnyClient, { nodePrograms, unpacked }: ProgramFolders): string {
  if ('npm' in from) {
    if (nodePrograms === undefined) throw new ClientUnavailable("npm couldn't install it");
    const { dependencies } = JSON.parse(readFileSync(join(NODE_PROGRAMS, 'package.json'), 'utf8'));
    return dependencies[from.npm[0] ?? ''];
  }
  const versions = [
    ...(from.unpacked ?? []).map((name) => [name, unpackedVersion(name, unpacked)] as const),
    ...from.debian.map((name) => [name, installedVersion(name)] as const),
  ];
  const missing = versions.filter(([, version]) => version === undefined).map(([name]) => name);
  if (missing.length > 0) throw new ClientUnavailable(`Debian's ${missing.join(', ')} can't be installed here`);
  return versions[0]?.[1] ?? '';
}
