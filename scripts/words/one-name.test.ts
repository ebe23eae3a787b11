import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Screen names are capitalised as in the menu (spec 1 §3). On other screens the same words are not capitalised. */
const SCREENS = ['Login Options', 'Configuration File'];

test.each(['en', 'de'])('spells terms the same way on every screen (%s)', (language) => {
  const names = new Map<string, Set<string>>();
  for (const file of globSync(`web/src/**/words/${language}.po`, { cwd: root })) {
    if (file.startsWith('web/src/lab/')) continue;
    const words = readFileSync(join(root, file), 'utf8');
    for (const [, id = '', translated = ''] of words.matchAll(/^msgid "(.+)"\nmsgstr "(.*)"$/gm)) {
      const name = (language === 'en' ? id : translated).replace(/\.$/, '');
      // Lower-case words are part of a sentence, not names.
      if (/^\p{Lu}/u.test(name) && !SCREENS.includes(name)) {
        names.set(name.toLowerCase(), (names.get(name.toLowerCase()) ?? new Set()).add(name));
      }
    }
  }
  expect(names.size).toBeGreaterThan(1_000);
  expect([...names.values()].filter((spellings) => spellings.size > 1).map((spellings) => [...spellings])).toEqual([]);
});
