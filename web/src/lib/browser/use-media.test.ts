import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useIsDesktop } from './use-media.ts';

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
