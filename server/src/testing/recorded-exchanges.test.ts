import { expect, test } from 'vitest';
import { type Exchanges, keepRecordedValues, matching, varies, withVariations } from './recorded-exchanges.ts';

const recording = (body: unknown, request: object = {}): Exchanges => ({
  'GET /thing': { request, answers: [{ status: 200, type: 'application/json', body }] },
});

test('marks values that differ in any recording, with the first recording’s value', () => {
  const recordings = [
    { id: 'a', at: 1 },
    { id: 'b', at: 1 },
    { id: 'a', at: 2 },
  ].map((body) => recording(body));
  expect(withVariations(recordings)).toEqual(recording({ id: '<varies> "a"', at: '<varies> 1' }));
});

test('matches any value in a variable position, and nothing else', () => {
  const recorded = { id: varies('a'), at: 1, items: [1] };
  expect(matching(recorded, { id: 'b', at: 1, items: [1] })).toEqual(recorded);
  for (const given of [
    { id: 'b', at: 2, items: [1] },
    { id: 'b', at: 1, items: [1, 2] },
    { at: 1, id: 'b', items: [1] },
    { id: 'b', at: 1 },
  ]) {
    expect(matching(recorded, given)).not.toEqual(recorded);
  }
});

test('keeps old values that vary, and requests whose values alone differ', () => {
  const old = recording({ id: varies('a'), at: 1 }, { body: { id: 'a' } });
  expect(keepRecordedValues(old, recording({ id: varies('b'), at: 2 }, { body: { id: 'b' } }))).toEqual(
    recording({ id: varies('a'), at: 2 }, { body: { id: 'a' } }),
  );
  const other = recording({ id: varies(5), more: varies('c') }, { body: { id: 'b', more: 1 } });
  expect(keepRecordedValues(old, other)).toEqual(other);
  expect(keepRecordedValues(old, {})).toEqual({});
});
