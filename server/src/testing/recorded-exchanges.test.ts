import { expect, test } from 'vitest';
import {
  type Exchanges,
  keepRecordedValues,
  markVariable,
  withRecordedValues,
  withVariations,
} from './recorded-exchanges.ts';

const recording = (body: unknown, request: object = {}): Exchanges => ({
  'GET /thing': { request, answers: [{ status: 200, type: 'application/json', body }] },
});

test('marks values that differ in any recording and keeps the first recording’s value', () => {
  const recordings = [
    { id: 'a', at: 1 },
    { id: 'b', at: 1 },
    { id: 'a', at: 2 },
  ].map((body) => recording(body));
  expect(withVariations(recordings)).toEqual(recording({ id: '<varies> "a"', at: '<varies> 1' }));
});

test('matches any value in a variable position but only equal values elsewhere', () => {
  const recorded = { id: markVariable('a'), at: 1, items: [1] };
  expect(withRecordedValues(recorded, { id: 'b', at: 1, items: [1] })).toEqual(recorded);
  for (const given of [
    { id: 'b', at: 2, items: [1] },
    { id: 'b', at: 1, items: [1, 2] },
    { at: 1, id: 'b', items: [1] },
    { id: 'b', at: 1 },
  ]) {
    expect(withRecordedValues(recorded, given)).not.toEqual(recorded);
  }
});

test('keeps recorded values that vary and requests that differ only in values', () => {
  const old = recording({ id: markVariable('a'), at: 1 }, { body: { id: 'a' } });
  expect(keepRecordedValues(old, recording({ id: markVariable('b'), at: 2 }, { body: { id: 'b' } }))).toEqual(
    recording({ id: markVariable('a'), at: 2 }, { body: { id: 'a' } }),
  );
  const other = recording({ id: markVariable(5), more: markVariable('c') }, { body: { id: 'b', more: 1 } });
  expect(keepRecordedValues(old, other)).toEqual(other);
  expect(keepRecordedValues(old, {})).toEqual({});
});
