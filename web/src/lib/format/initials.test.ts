import { expect, test } from 'vitest';
import { initialOf, initialsOf } from './text.ts';

// covers: spec 1.2.26
test('initials come from the first two words', () => {
  expect(initialsOf('Avery Lindqvist')).toBe('AL');
  expect(initialsOf('  maria  del carmen lópez ')).toBe('MD');
  expect(initialsOf('Cher')).toBe('C');
});

test('initials are whole letters in any script', () => {
  expect(initialsOf('éléonore ångström')).toBe('ÉÅ');
  expect(initialsOf('李 小龙')).toBe('李小');
  expect(initialsOf('e\u0301lise')).toBe('E\u0301');
});

test('the letter of a name is a whole sign too', () => {
  expect(initialOf(' hafen & Söhne')).toBe('H');
  expect(initialOf('😀 Werke')).toBe('😀');
  expect(initialOf('🇩🇪 Werke')).toBe('🇩🇪');
  expect(initialOf(' ')).toBe('?');
});

test('a missing name has a question mark', () => {
  expect(initialsOf('   ')).toBe('?');
});
