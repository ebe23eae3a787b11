import { expect, test } from 'vitest';
import { plainText, TRANSLITERATIONS, transliterate } from './names.ts';

test('transliterates letters in the same way as alphabetical collation', () => {
  const { compare } = new Intl.Collator('en', { sensitivity: 'base' });
  for (const [letter, written] of Object.entries(TRANSLITERATIONS))
    expect([letter, compare(letter, written)]).toEqual([letter, 0]);
  expect(transliterate('Strauß Sørensen')).toBe('Strauss Sorensen');
});

test('removes case and accents from text', () => {
  expect(['ZOË', 'Łukasz', 'GROẞ', 'Ægir', 'Ǽgir', 'Ǿrsted', '太郎'].map(plainText)).toEqual([
    'zoe',
    'lukasz',
    'gross',
    'aegir',
    'aegir',
    'orsted',
    '太郎',
  ]);
});
