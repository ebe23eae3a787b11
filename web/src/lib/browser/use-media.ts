import { useSyncExternalStore } from 'react';
import { BREAKPOINTS } from '#theme/tokens.ts';

function subscribeToMedia(query: string, listener: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

const WIDE = `(min-width: ${BREAKPOINTS.sm}px)`;

/** Returns true if the page is at least 1024 px wide, taking zoom into account. Determines the layout. */
export const useIsDesktop = (): boolean =>
  useSyncExternalStore(
    (listener) => subscribeToMedia(WIDE, listener),
    () => window.matchMedia(WIDE).matches,
  );

const ROOM_FOR_PREVIEW = '(min-width: 1280px)';

/** Returns true if a preview fits beside a list. */
export const useHasRoomForPreview = (): boolean =>
  useSyncExternalStore(
    (listener) => subscribeToMedia(ROOM_FOR_PREVIEW, listener),
    () => window.matchMedia(ROOM_FOR_PREVIEW).matches,
  );

const BESIDE_FORM = '(min-width: 1400px)';
const BESIDE_TABLE = '(min-width: 1680px)';

/** Returns true if there is room for a column next to a form, or a table, and its side tabs. */
export function useHasRoomForAside(next: 'form' | 'table' = 'form'): boolean {
  const query = next === 'form' ? BESIDE_FORM : BESIDE_TABLE;
  return useSyncExternalStore(
    (listener) => subscribeToMedia(query, listener),
    () => window.matchMedia(query).matches,
  );
}

/** Window name of the frames in which the demo displays portal pages. */
export const DEMO_FRAME = 'orchestrate-stage';

function subscribeToSize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/** Returns the window width, ignoring zoom. Some in-app browsers report no outer width. */
function outerWidth(): number {
  const width = window.outerWidth || window.innerWidth;
  // In Firefox, zooming in also reduces the outer width and raises the pixel ratio. A high-density screen raises the
  // ratio too, which makes its windows seem wider than they are.
  const isFirefox = 'mozInnerScreenX' in window;
  return isFirefox && window.matchMedia('(hover: hover) and (pointer: fine)').matches
    ? width * window.devicePixelRatio
    : width;
}

/**
 * Returns true if there is room for the administration screens, which the spec excludes on mobile screens (spec 1 §1,
 * §9). Uses the outer width, because zoom reduces only the inner width. The demo always displays these screens.
 */
export const useHasRoomForAdministration = (): boolean =>
  useSyncExternalStore(subscribeToSize, () => outerWidth() >= BREAKPOINTS.sm || window.name === DEMO_FRAME);

/** Returns true if keyboard shortcuts use ⌘ instead of Ctrl. */
export const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent);
