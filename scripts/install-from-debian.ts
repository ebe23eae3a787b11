import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Runs a program and returns true if it succeeded. Passes its stderr through. */
export function succeeds(command: string, ...args: string[]): boolean {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}

export const isRoot = process.getuid?.() === 0;

/** Installs a Debian package if running as root on Debian. Returns true if it was installed. */
export function installFromDebian(name: string): boolean {
  if (!isRoot || !existsSync('/etc/debian_version')) return false;
  return succeeds('apt-get', 'update') && succeeds('apt-get', 'install', '-y', name);
}
