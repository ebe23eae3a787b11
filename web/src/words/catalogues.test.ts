import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { expect, test } from 'vitest';

const WEB = join(import.meta.dirname, '../..');
const program = join(dirname(createRequire(import.meta.url).resolve('@lingui/cli')), 'lingui.js');
const check = (...args: string[]) => promisify(execFile)(process.execPath, [program, 'check', ...args], { cwd: WEB });

test('keeps the catalogues in sync with the code (pnpm --filter @orchestrate/web words)', async () => {
  await expect(check('sync', '--clean', '--workers', '1')).resolves.toBeDefined();
});

test('translates every message', async () => {
  await expect(check('missing')).resolves.toBeDefined();
});

/** Returns the placeholders of a message: `{name}`, `{count, plural, …}`, `<0>…</0>`. */
const placeholdersOf = (text: string) => [...new Set(text.match(/\{\w+(?=[,}])|<\/?\d+\/?>/g) ?? [])].sort();

test('translates each message the same way in every catalogue, with the same placeholders', async () => {
  const catalogues = await getCatalogs(getConfig({ configPath: join(WEB, 'lingui.config.ts') }));
  const known = new Map<string, string>();
  const wrong: string[] = [];
  for (const catalogue of catalogues) {
    for (const [id, { message = '', translation = '' }] of Object.entries((await catalogue.read('de')) ?? {})) {
      // A page's catalogues are merged at run time, so the catalogue loaded last would win.
      if ((known.get(id) ?? translation) !== translation) wrong.push(`${message}: two translations`);
      if (String(placeholdersOf(translation)) !== String(placeholdersOf(message)))
        wrong.push(`${message}: other placeholders`);
      known.set(id, translation);
    }
  }
  expect(known.size).toBeGreaterThan(2000);
  expect(wrong).toEqual([]);
});

/** Patterns of English messages that are sentence fragments or plural forms, and what to use instead. */
const PARTS = [
  [/^[\s.,;:)·→]|\s$/, 'a whole sentence, a label, or a part of a line that `dotted` puts together'],
  [/^1 (?!year$)/, '`plural`'],
] as const;

test('contains only complete sentences, labels and plurals', async () => {
  const catalogues = await getCatalogs(getConfig({ configPath: join(WEB, 'lingui.config.ts') }));
  const messages = new Set<string>();
  for (const catalogue of catalogues) {
    for (const { message = '' } of Object.values((await catalogue.read('en')) ?? {})) messages.add(message);
  }
  const found = [...messages].flatMap((message) =>
    PARTS.flatMap(([part, instead]) => (part.test(message) ? [`${message} → ${instead}`] : [])),
  );
  expect(messages.size).toBeGreaterThan(2000);
  expect(found).toEqual([]);

  const screens = globSync('src/**/*.tsx', { cwd: WEB }).filter((file) => !file.endsWith('.test.tsx'));
  const split = screens.flatMap((file) =>
    (readFileSync(join(WEB, file), 'utf8').match(/\{t`[^`]*`\} <[A-Za-z].*/g) ?? []).map((line) => `${file}: ${line}`),
  );
  expect(split, 'a sentence with elements in it is a `<Trans>`').toEqual([]);
});

/** Words to avoid, because the specification or docs/glossary.md uses another term. */
const SYNONYMS = {
  en: [
    [/e-mail/i, 'email'],
    [/invite (a )?(members?|people|person)\b/i, 'invite users'],
    [/\b(member|account|user) (is )?disabled(?! successfully)/i, 'inactive'],
    [/^not disabled$|^disabled already$/i, 'inactive'],
    [/primary attribute/i, 'what the organisation calls it: usePrimaryAttribute'],
    [/^(?!first name|last name|email|this field).* is required$/i, 'This field is required'],
    [/^try again$/i, 'Retry'],
    [/^state$/i, 'Status'],
    [/^made( by| on|$)|\bmade$/i, 'created'],
    [/\bIdP\b/, 'IDP'],
    [/\blog ?in to\b|\bsign on\b|\blog off\b/i, 'sign in, sign out'],
  ],
  de: [
    [/\b(Email|EMail|E-mail|e-mail)\b/, 'E-Mail'],
    [/\bNutzer\b|Anwender\b/, 'Benutzer'],
    [/Handy/, 'Smartphone'],
    [/einloggen|ausloggen/i, 'anmelden, abmelden'],
    [/Kennwort/, 'Passwort'],
    [/Gerät ist (deaktiviert|pausiert)|deaktiviertes? Mitglied|Konto (ist )?deaktiviert/i, 'inaktiv'],
    [/Zugriffsrecht/, 'Berechtigung'],
  ],
} as const;

test.each(['en', 'de'] as const)('uses a single term for each concept: %s', async (language) => {
  const catalogues = await getCatalogs(getConfig({ configPath: join(WEB, 'lingui.config.ts') }));
  const pairs: [string, string][] = [];
  for (const catalogue of catalogues) {
    // Search words are never displayed, so they may contain any term.
    const messages = Object.values((await catalogue.read('de')) ?? {}).filter(({ context }) => context !== 'synonyms');
    pairs.push(...messages.map(({ message = '', translation = '' }): [string, string] => [message, translation]));
  }
  const texts = new Set(pairs.map(([english, german]) => (language === 'en' ? english : german)));
  const found = [...texts].flatMap((text) =>
    SYNONYMS[language].flatMap(([synonym, word]) => (synonym.test(text) ? [`${text} → ${word}`] : [])),
  );
  expect(found).toEqual([]);
});
