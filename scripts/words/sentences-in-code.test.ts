import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { translatorOf } from '../../web/src/words/server/translator.ts';
import { sentencesInCode } from './sentences-in-code.ts';

const root = join(import.meta.dirname, '../..');
const sentences: unknown = JSON.parse(readFileSync(join(root, 'web/src/words/server/de.json'), 'utf8'));
const translate = translatorOf(sentences as Record<string, string>);

/** These have their words filled in from a few, and are translated for each of those. */
const IN_PARTS = [
  'This code is for a {} device.',
  '{} {}.',
  '{} the portal of {}.',
  'There can be at most {} {}.',
  '{} {} {} read before; upload the same file again: people already invited stay as they are.',
  '{} that this would delete: confirm that with deleteValues',
  'A system role cannot be {}.',
  'There is no organisation {}.{}',
];

test('what the server and the contract say of what they refuse is known in German', () => {
  const said = sentencesInCode(root);
  expect(said.length).toBeGreaterThan(200);
  const unknown = said.filter(({ text }) => !IN_PARTS.includes(text) && !isKnown(text));
  expect(unknown).toEqual([]);
});

/** With a number in it, or with nothing where the sentence goes on only sometimes. */
const isKnown = (text: string): boolean =>
  ['7', ''].some((part) => translate(text.replaceAll('{}', part)) !== text.replaceAll('{}', part));
