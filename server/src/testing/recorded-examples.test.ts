import { codeOf } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import type { Examples } from '../features/reference/examples.ts';
import { renewed } from './recorded-examples.ts';

const example = (body: Record<string, unknown>, status = 200): Examples => ({
  readThing: { request: {}, replies: [{ status, body: { resultCode: 0, ...body } }] },
});
const known = example({ id: 'one', count: 1, isThis: true, items: [{ at: 'then' }] });

test('an example stays where only values are others: texts, numbers, and yes or no', () => {
  expect(renewed(known, example({ id: 'other', count: 2, isThis: false, items: [{ at: 'now' }] }))).toEqual(known);
});

test.each([
  ['a field is new', example({ id: 'one', count: 1, isThis: true, items: [{ at: 'then' }], more: 1 })],
  ['a field is of another type', example({ id: 1, count: 1, isThis: true, items: [{ at: 'then' }] })],
  ['the status is another', example({ id: 'one', count: 1, isThis: true, items: [{ at: 'then' }] }, 201)],
  [
    'it is refused',
    example({ id: 'one', count: 1, isThis: true, items: [{ at: 'then' }], resultCode: codeOf('EXPIRED') }),
  ],
])('it is renewed where %s', (_, seen) => {
  expect(renewed(known, seen)).toEqual(seen);
});

test('an example of what is no longer there goes', () => {
  expect(renewed(known, {})).toEqual({});
});
