import { expect, test } from 'vitest';
import { contrastNotes } from './branding-form.tsx';

test('returns no note for a colour with enough contrast on light and dark pages', () => {
  expect(contrastNotes('#2563EB')).toEqual([]);
});

test('reports yellow on light pages and navy on dark pages', () => {
  expect(contrastNotes('#FACC16')).toEqual([
    'Low contrast on light pages (1.5:1, should be at least 3:1). Links and lines use a darker shade there.',
  ]);
  expect(contrastNotes('#0B1F4D')[0]).toMatch(/^Low contrast on dark pages \(1\.\d:1/);
});

test("returns no note for the portal's default colour", () => {
  expect(contrastNotes('#facc15')).toEqual([]);
});

test('returns no note for an invalid colour', () => {
  expect(contrastNotes('#FACC1')).toEqual([]);
});
