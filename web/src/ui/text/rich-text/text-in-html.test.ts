import { expect, test } from 'vitest';
import { answerText } from './text-in-html.ts';

test('separates the words of adjacent paragraphs', () => {
  expect(answerText('<p>first</p><p>sec<strong>ond</strong></p><ul><li>third</li></ul>')).toBe('first second third');
});
