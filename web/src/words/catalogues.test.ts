import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { expect, test } from 'vitest';

const WEB = join(import.meta.dirname, '../..');
const program = join(dirname(createRequire(import.meta.url).resolve('@lingui/cli')), 'lingui.js');
const check = (...args: string[]) => promisify(execFile)(process.execPath, [program, 'check', ...args], { cwd: WEB });

test('the catalogues hold the words of the code, and no others: pnpm --filter @orchestrate/web words', async () => {
  await expect(check('sync', '--clean', '--workers', '1')).resolves.toBeDefined();
});

test('every message is translated', async () => {
  await expect(check('missing')).resolves.toBeDefined();
});

/** The places of a message that code fills: `{name}`, `{count, plural, …}`, `<0>…</0>`. */
const placesOf = (text: string) => [...new Set(text.match(/\{\w+(?=[,}])|<\/?\d+\/?>/g) ?? [])].sort();

test('a message reads the same in every catalogue, and keeps what code fills in', async () => {
  const catalogues = await getCatalogs(getConfig({ configPath: join(WEB, 'lingui.config.ts') }));
  const known = new Map<string, string>();
  const wrong: string[] = [];
  for (const catalogue of catalogues) {
    for (const [id, { message = '', translation = '' }] of Object.entries((await catalogue.read('de')) ?? {})) {
      // The catalogues of a page are one at run time: the last one loaded would win.
      if ((known.get(id) ?? translation) !== translation) wrong.push(`${message}: two translations`);
      if (String(placesOf(translation)) !== String(placesOf(message))) wrong.push(`${message}: other places`);
      known.set(id, translation);
    }
  }
  expect(known.size).toBeGreaterThan(2000);
  expect(wrong).toEqual([]);
});
