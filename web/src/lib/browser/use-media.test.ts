import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { stubPageWidth, stubWindowWidth } from '#testing.ts';
import { useHasRoomForAdministration, useIsDesktop } from './use-media.ts';

// covers: spec 1.9.9
test.each([
  [779, false],
  [1_023, false],
  [1_024, true],
  [1_920, true],
])('uses the desktop layout at %i px: %s', (px, isDesktop) => {
  // Supports only min-width queries.
  vi.stubGlobal('matchMedia', (query: string) =>
    Object.assign(new EventTarget(), { matches: px >= Number(/^\(min-width: (\d+)px\)$/.exec(query)?.[1]) }),
  );
  expect(renderHook(useIsDesktop).result.current).toBe(isDesktop);
});

test.each([
  ['a screen of 1440 px with a zoom of 200 %', 1_440, 720, true],
  ['a narrow window on a desktop', 1_023, 1_023, false],
  ['a barely wide enough window', 1_024, 1_009, true],
  ['a phone', 390, 390, false],
  ['a tablet in portrait orientation', 820, 820, false],
  ['a tablet in landscape orientation', 1_180, 1_180, true],
  ['a phone’s in-app browser without an outer width', 0, 390, false],
])('uses the outer width for %s (outer %i px, inner %i px, room: %s)', (_, outer, inner, hasRoom) => {
  stubWindowWidth(outer, inner);
  expect(renderHook(useHasRoomForAdministration).result.current).toBe(hasRoom);
});

test.each([
  ['a zoom of 200 %', 720, 2, true, true],
  ['a narrow window', 900, 1, true, false],
  ['a phone', 412, 2.6, false, false],
])('compensates for zoom in Firefox only if the device has a mouse: %s', (_, px, density, hasMouse, hasRoom) => {
  stubWindowWidth(px);
  vi.stubGlobal('mozInnerScreenX', 0);
  vi.stubGlobal('devicePixelRatio', density);
  stubPageWidth(hasMouse);
  expect(renderHook(useHasRoomForAdministration).result.current).toBe(hasRoom);
});

test('updates when the window is resized', () => {
  stubWindowWidth(1_440);
  const { result } = renderHook(useHasRoomForAdministration);
  act(() => stubWindowWidth(900));
  expect(result.current).toBe(false);
  act(() => stubWindowWidth(1_024));
  expect(result.current).toBe(true);
});
