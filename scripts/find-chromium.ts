import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { installFromDebian, isRoot, succeeds } from './install-from-debian.ts';

/** Commands to try. The headless shell comes first because it takes 20 % less work to render the same pages. */
const COMMANDS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Returns the path of an installed browser: CHROMIUM_PATH, a system browser or Playwright's own. Returns undefined if
 * there is none.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.CHROMIUM_PATH) return existsSync(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : undefined;
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((folder) => COMMANDS.map((name) => join(folder, name)));
  return [...PLACES, ...onPath, chromium.executablePath()].find((path) => existsSync(path));
}

function installFromPlaywright(): boolean {
  const install = [join(import.meta.dirname, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium'];
  // When run as root, Playwright can also install the browser's system libraries.
  return (isRoot && succeeds(process.execPath, ...install, '--with-deps')) || succeeds(process.execPath, ...install);
}

/**
 * Returns the path of a Chromium for browser tests. If none is found, installs one and prints a line about it. If
 * that fails too, throws with advice.
 */
export function requireChromium(): string {
  const found = findChromium();
  if (found) return found;
  if (process.env.CHROMIUM_PATH) throw new Error(`CHROMIUM_PATH does not exist: ${process.env.CHROMIUM_PATH}`);
  const source =
    installFromDebian('chromium-headless-shell') || installFromDebian('chromium')
      ? 'Debian (apt-get)'
      : installFromPlaywright()
        ? "Playwright's download"
        : undefined;
  const installed = findChromium();
  if (!source || !installed) {
    throw new Error("Couldn't find or install Chromium. Install it and set CHROMIUM_PATH to its path.");
  }
  console.log(`Installed Chromium from ${source} at ${installed}`);
  return installed;
}
