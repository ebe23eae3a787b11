import { platform, release } from 'node:os';

const names: Partial<Record<NodeJS.Platform, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/** The system that this command line runs on, e.g. `Linux 6.8`. */
export function describePlatform(): string {
  return `${names[platform()] ?? platform()} ${release().split('.').slice(0, 2).join('.')}`.slice(0, 60);
}
