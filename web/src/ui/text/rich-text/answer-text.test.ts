import { expect, test } from 'vitest';
import { answerText } from './answer-text.ts';

test('separates the words of adjacent paragraphs', () => {
  expect(answerText('<p>first</p><p>sec<strong>ond</strong></p><ul><li>third</li></ul>')).toBe('first second third');
});
