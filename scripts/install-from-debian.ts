import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Runs a program and returns true if it succeeded. Its stderr is passed through. */
export function succeeds(command: string, ...args: string[]): boolean {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}

export const isRoot = process.getuid?.() === 0;

/** Installs a Debian package if possible (on Debian, as root). Returns true if it succeeded. */
export function installFromDebian(name: string): boolean {
  if (!isRoot || !existsSync('/etc/debian_version')) return false;
  return succeeds('apt-get', 'update') && succeeds('apt-get', 'install', '-y', name);
}
