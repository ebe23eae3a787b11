import { expect, test } from 'vitest';
import { contrastNotes } from './branding-form.tsx';

test('returns no note for a colour with enough contrast on both pages', () => {
  expect(contrastNotes('#2563EB')).toEqual([]);
});

test('reports yellow on a light page and navy on a dark one', () => {
  expect(contrastNotes('#FACC16')).toEqual([
    'Low contrast on light pages: 1.5 to 1 instead of at least 3 to 1. Links and lines use a darker shade there.',
  ]);
  expect(contrastNotes('#0B1F4D')[0]).toMatch(/^Low contrast on dark pages: 1\.\d to 1/);
});

test("returns no note for the portal's own colour", () => {
  expect(contrastNotes('#facc15')).toEqual([]);
});

test('returns no note for an invalid colour', () => {
  expect(contrastNotes('#FACC1')).toEqual([]);
});
