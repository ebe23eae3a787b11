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
  '{} that this would delete: confirm that with deleteValues',
  'A system role cannot be {}.',
  '{} cannot be combined',
  '{} does not issue {}: {} needs a path that matches {}.',
  '{} are issued by {}, not by {}: omit it.',
  'The lab has no {} {}.{}',
  'The channel {} never sends {}. {}',
  'The space {} ended {}.',
  '{} {} is taken already, at {}.',
  '{}: {}',
  '{} {}: {}',
  '{} {} of {}: {}',
  '{} is valid.',
  '{} must not be accepted: {}.',
  '{} is {}.',
  '{} is {}, not {}.',
  'A request to a phone ({}) is {}',
  'A {} ({}) to {}',
  'This world has {}; nothing was imported.',
  'The token endpoint took the code {}.',
  'The token endpoint refused the code {}: {}.',
  'The service does not accept the credentials{}',
  'An answer with 200 was expected{}',
  'No message came {}. Messages went to {}.',
  'No message came {}. Nobody was sent anything.',
  'No message to {} came {}. Messages went to {}.',
  'No message to {} came {}. Nobody was sent anything.',
];

test('what the server and the contract say of what they refuse, have seen and have found is known in German', () => {
  const said = sentencesInCode(root);
  expect(said.length).toBeGreaterThan(200);
  const unknown = said.filter(({ text }) => !IN_PARTS.includes(text) && !isKnown(text));
  expect(unknown).toEqual([]);
});

/** With a number in it, and without what a function adds to the end only sometimes. */
const isKnown = (text: string): boolean => {
  const said = text.replace(/\.\{\}$/, '.').replaceAll('{}', '7');
  return translate(said) !== said;
};
