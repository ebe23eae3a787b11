import { TYPED_CODE_ALPHABET } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { spellingOf } from './caller-code.tsx';

test('has a word for every code character', () => {
  const words = [...TYPED_CODE_ALPHABET].map(spellingOf);
  expect(new Set(words).size).toBe(TYPED_CODE_ALPHABET.length);
  expect(words.every((word) => word.length > 2)).toBe(true);
  expect(spellingOf('k')).toBe('Kilo');
});
