import { join } from 'node:path';
import { toGerman } from '@orchestrate/server/words';
import { SHARED_GERMAN, translatorOf } from '@orchestrate/shared/words';
import { expect, test } from 'vitest';
import { findSentences, type Sentence } from './sentences-in-code.ts';

const root = join(import.meta.dirname, '../..');

/** Sentences whose placeholders can only have a few values. Each value has its own translation. */
const WITH_FIXED_VALUES = [
  'This code is for a {} device.',
  '{} {}.',
  '{} {}’s portal.',
  'There can be at most {} {}.',
  '{} that this would delete. Confirm with deleteValues.',
  "System roles can't be {}.",
  '{} cannot be combined',
  "{} doesn't issue {}. {} needs a path that matches {}.",
  '{} are issued by {}, not by {}. Omit method.',
  "{} {} isn't a lab endpoint.{}",
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
  'The request to a phone ({}) is {}',
  'A {} ({}) to {}',
  'This world has {}. Nothing was imported.',
  'The token endpoint accepted the code {}.',
  'The token endpoint rejected the code {}: {}.',
  'The service rejected the credentials{}',
  'Expected a response with status 200{}',
  'No message arrived {}. Messages were sent to {}.',
  'No message arrived {}. No messages were sent.',
  'No message to {} arrived {}. Messages were sent to {}.',
  'No message to {} arrived {}. No messages were sent.',
];

const sentences = findSentences(root);

test('has a German translation for every user-facing sentence in the server and the contract', () => {
  expect(sentences.length).toBeGreaterThan(200);
  expect(untranslated(sentences, toGerman)).toEqual([]);
});

test('the client has the German translation of every contract sentence that its forms display', () => {
  const ofContract = sentences.filter(({ at }) => at.startsWith('shared/'));
  expect(ofContract.length).toBeGreaterThan(100);
  expect(untranslated(ofContract, translatorOf(SHARED_GERMAN))).toEqual([]);
});

/**
 * Returns sentences without a translation. Placeholders are replaced with numbers, and optional text at the end is
 * omitted.
 */
const untranslated = (all: readonly Sentence[], translate: (text: string) => string): Sentence[] =>
  all.filter(({ text }) => {
    const sentence = text.replace(/\.\{\}$/, '.').replaceAll('{}', '7');
    return !WITH_FIXED_VALUES.includes(text) && translate(sentence) === sentence;
  });
