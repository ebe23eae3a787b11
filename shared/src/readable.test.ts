import { expect, test } from 'vitest';
import { hiddenCharacter, visibleText } from './readable.ts';

test.each([
  'Zoë D’Arcy-Ñandú',
  "Siobhán O'Neill",
  'نور حداد',
  'נועה ברג',
  '葛󠄀飾区', // an ideograph with a variation selector
  'می‌خواهم', // Persian: a non-joiner within a word
  'क्‍ष', // Devanagari: a joiner between letters
  'Nguyễn Thị Bích',
  'Nguyễn'.normalize('NFD'),
  'Pocket 📱',
  'Family 👩‍👩‍👧‍👦 ❤️ 1️⃣ 👍🏽',
  '山田 太郎 (営業)',
  '',
])('accepts %j', (text) => {
  expect(hiddenCharacter(text)).toBeUndefined();
  expect(visibleText(text)).toBe(text);
});

const HIDDEN = [
  '\u0000',
  '\u0007',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u009b',
  '\t',
  '\n',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
  '\u200e',
  '\u200f',
  '\u061c',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u034f',
  '\u180e',
  '\u115f',
  '\u3164',
  '\uffa0',
  '\u2800',
  '\u2028',
  '\u2029',
  '\ufff9',
  '\u{e0041}',
  '\ufe0f',
  '\u{e0100}',
  '\ud83d',
  '\udc00',
  '\ufffe',
  '\uffff',
  '\u{1ffff}',
  '\ufdd0',
];

test.each(HIDDEN.map((sign) => [`U+${sign.codePointAt(0)?.toString(16)}`, sign]))('rejects %s', (_, sign) => {
  for (const text of [sign, `Ann${sign}`, `Ann${sign}Lee`, `${sign}Ann`]) {
    expect(hiddenCharacter(text)).toMatch(/^Invisible characters are not allowed here \(U\+[0-9A-F]{4,6}\)$/);
    const shown = visibleText(text);
    expect(shown).toMatch(/⟨U\+[0-9A-F]{4,6}⟩/);
    expect(hiddenCharacter(shown)).toBeUndefined();
  }
});

test('allows joiners only within emoji', () => {
  expect(visibleText('👩‍👧 A\u200dB')).toBe('👩‍👧 A⟨U+200D⟩B');
  expect(hiddenCharacter('👩\u200d')).toContain('U+200D');
});

test('allows line breaks in multi-line text', () => {
  expect(hiddenCharacter('one\r\n\ttwo', true)).toBeUndefined();
  expect(hiddenCharacter('one\u2028two', true)).toContain('U+2028');
});
