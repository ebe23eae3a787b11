import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useHasRoom, useIsDesktop } from './use-media.ts';

/** A window of this many px, which understands only the minimum width in a query. */
function widthOf(px: number) {
  vi.stubGlobal('matchMedia', (query: string) =>
    Object.assign(new EventTarget(), { matches: px >= Number(/^\(min-width: (\d+)px\)$/.exec(query)?.[1]) }),
  );
}

test.each([
  [779, false],
  [1_023, false],
  [1_024, true],
  [1_920, true],
])('a window of %i px is a desktop: %s', (px, isDesktop) => {
  widthOf(px);
  expect(renderHook(useIsDesktop).result.current).toBe(isDesktop);
});

test.each([
  ['a screen of 1440 px with a zoom of 200 %', 720, true, true],
  ['a phone', 390, false, false],
  ['a tablet upright', 820, false, false],
  ['a tablet across', 1_180, false, true],
])('%s has room for administrators: %s px, mouse %s', (_, px, hasMouse, hasRoom) => {
  widthOf(px);
  const byWidth = window.matchMedia;
  vi.stubGlobal('matchMedia', (query: string) =>
    query.includes('pointer') ? Object.assign(new EventTarget(), { matches: hasMouse }) : byWidth(query),
  );
  expect(renderHook(useHasRoom).result.current).toBe(hasRoom);
});
