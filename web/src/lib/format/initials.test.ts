import { expect, test } from 'vitest';
import { initialOf, initialsOf } from './text.ts';

// covers: spec 1.2.26
test('uses the first two words for initials', () => {
  expect(initialsOf('Avery Lindqvist')).toBe('AL');
  expect(initialsOf('  maria  del carmen lópez ')).toBe('MD');
  expect(initialsOf('Cher')).toBe('C');
});

test('keeps multi-code-point characters whole in any script', () => {
  expect(initialsOf('éléonore ångström')).toBe('ÉÅ');
  expect(initialsOf('李 小龙')).toBe('李小');
  expect(initialsOf('e\u0301lise')).toBe('E\u0301');
});

test('keeps a single initial whole', () => {
  expect(initialOf(' hafen & Söhne')).toBe('H');
  expect(initialOf('😀 Werke')).toBe('😀');
  expect(initialOf('🇩🇪 Werke')).toBe('🇩🇪');
  expect(initialOf(' ')).toBe('?');
});

test('uses a question mark for a missing name', () => {
  expect(initialsOf('   ')).toBe('?');
});
