import { expect, test } from 'vitest';
import { contrastNotes } from './branding-form.tsx';

test('a colour with enough contrast on both pages needs no note', () => {
  expect(contrastNotes('#2563EB')).toEqual([]);
});

test('yellow has too little contrast on a light page, navy on a dark one', () => {
  expect(contrastNotes('#FACC16')).toEqual([
    'Low contrast on light pages: 1.5 to 1 instead of at least 3 to 1. Links and lines use a darker shade there.',
  ]);
  expect(contrastNotes('#0B1F4D')[0]).toMatch(/^Low contrast on dark pages: 1\.\d to 1/);
});

test("the portal's own colour needs no note", () => {
  expect(contrastNotes('#facc15')).toEqual([]);
});

test('a text that is not a colour has no contrast', () => {
  expect(contrastNotes('#FACC1')).toEqual([]);
});
