import { join } from 'node:path';
import { toGerman } from '@orchestrate/server/words';
import { SHARED_GERMAN, translatorOf } from '@orchestrate/shared/words';
import { expect, test } from 'vitest';
import { type Sentence, sentencesInCode } from './sentences-in-code.ts';

const root = join(import.meta.dirname, '../..');

/** Sentences whose placeholders have a few fixed values, each of which has its own translation. */
const WITH_FIXED_VALUES = [
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
  '{} {} is already used at {}.',
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
  'No message came {}. Messages were sent to {}.',
  'No message came {}. No messages were sent.',
  'No message to {} came {}. Messages were sent to {}.',
  'No message to {} came {}. No messages were sent.',
];

const sentences = sentencesInCode(root);

test('every user-facing sentence of the server and the contract has a German translation', () => {
  expect(sentences.length).toBeGreaterThan(200);
  expect(untranslated(sentences, toGerman)).toEqual([]);
});

test('the client has the German of every sentence of the contract, which its forms display', () => {
  const ofContract = sentences.filter(({ at }) => at.startsWith('shared/'));
  expect(ofContract.length).toBeGreaterThan(100);
  expect(untranslated(ofContract, translatorOf(SHARED_GERMAN))).toEqual([]);
});

/** Returns sentences without a translation. Placeholders count as numbers, and an optional last part as absent. */
const untranslated = (all: readonly Sentence[], translate: (text: string) => string): Sentence[] =>
  all.filter(({ text }) => {
    const sentence = text.replace(/\.\{\}$/, '.').replaceAll('{}', '7');
    return !WITH_FIXED_VALUES.includes(text) && translate(sentence) === sentence;
  });
