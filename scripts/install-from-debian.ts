import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a program and returns true if it succeeded. Passes its stderr through. */
export function succeeds(command: string, ...args: string[]): boolean {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}

export const isRoot = process.getuid?.() === 0;

const canInstall = (): boolean => isRoot && existsSync('/etc/debian_version');

/** Installs a Debian package if running as root on Debian. Returns true if it was installed. */
export function installFromDebian(name: string): boolean {
  if (!canInstall()) return false;
  return succeeds('apt-get', 'update') && succeeds('apt-get', 'install', '-y', name);
}

const UNPACKED = join(import.meta.dirname, '../node_modules/.cache/debian');

/** Returns the path of nginx: the installed one, or the one that `provideNginx` unpacked. */
export const findNginx = (): string | undefined =>
  ['/usr/sbin/nginx', '/usr/bin/nginx', join(UNPACKED, 'usr/sbin/nginx')].find((file) => existsSync(file));

/**
 * Unpacks nginx from Debian unless there is one. Doesn't install it, because that would start a web server.
 * @returns true if there is an nginx now
 */
export function provideNginx(): boolean {
  if (findNginx()) return true;
  if (!canInstall() || !succeeds('apt-get', 'update')) return false;
  mkdirSync(UNPACKED, { recursive: true });
  spawnSync('apt-get', ['download', 'nginx'], { cwd: UNPACKED, stdio: 'ignore' });
  for (const file of globSync('nginx_*.deb', { cwd: UNPACKED }))
    succeeds('dpkg-deb', '-x', join(UNPACKED, file), UNPACKED);
  return findNginx() !== undefined;
}
