import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { installFromDebian, isRoot, succeeds } from './install-from-debian.ts';

/** The headless shell first: it renders the same pages with a fifth less work. */
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
 * The browser that is already there: CHROMIUM_PATH, a system one, or Playwright's own. Undefined when there is none.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.CHROMIUM_PATH) return existsSync(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : undefined;
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((folder) => COMMANDS.map((name) => join(folder, name)));
  return [...PLACES, ...onPath, chromium.executablePath()].find((place) => existsSync(place));
}

function installFromPlaywright(): boolean {
  const install = [join(import.meta.dirname, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium'];
  // As root, the system libraries that the downloaded browser needs can be installed too.
  return (isRoot && succeeds(process.execPath, ...install, '--with-deps')) || succeeds(process.execPath, ...install);
}

/**
 * A Chromium to run journeys in, installed first where none is found; prints one line about what was done. Throws when
 * there is none and none can be installed, with advice for the reader.
 */
export function requireChromium(): string {
  const found = findChromium();
  if (found) return found;
  if (process.env.CHROMIUM_PATH) throw new Error(`CHROMIUM_PATH names no file: ${process.env.CHROMIUM_PATH}`);
  const source =
    installFromDebian('chromium-headless-shell') || installFromDebian('chromium')
      ? 'Debian (apt-get)'
      : installFromPlaywright()
        ? "Playwright's download"
        : undefined;
  const installed = findChromium();
  if (!source || !installed) {
    throw new Error('No Chromium was found and none could be installed: install one and name it in CHROMIUM_PATH.');
  }
  console.log(`No Chromium was found: installed one from ${source} at ${installed}`);
  return installed;
}
