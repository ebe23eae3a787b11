import { expect, test } from 'vitest';
import { rowWindowOf } from './use-virtual-rows.ts';

const at = (scrolled: number, count = 5_000) =>
  rowWindowOf({ count, columns: 3, rowHeight: 100, scrolled, viewHeight: 720 });

test('renders the visible rows and five rows around them', () => {
  expect(at(-200)).toEqual({ from: 0, to: 54, before: 0, after: 164_900 });
  expect(at(30_050)).toEqual({ from: 885, to: 939, before: 29_500, after: 135_400 });
});

test('renders the last rows at the end, also after the list has become shorter', () => {
  expect(at(166_000)).toEqual({ from: 4_947, to: 5_000, before: 164_900, after: 0 });
  expect(at(166_000, 90)).toEqual({ from: 36, to: 90, before: 1_200, after: 0 });
});

test('renders the same number of items and keeps the height of the list wherever it is scrolled', () => {
  for (let scrolled = 0; scrolled < 160_000; scrolled += 777) {
    const { from, to, before, after } = at(scrolled);
    expect(to - from).toBe(54);
    expect(before + after + ((to - from) / 3) * 100).toBe(166_700);
  }
});
