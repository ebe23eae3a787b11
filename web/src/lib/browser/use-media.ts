import { useSyncExternalStore } from 'react';
import { BREAKPOINTS } from '#theme/pixels.ts';

function subscribeToMedia(query: string, listener: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

const WIDE = `(min-width: ${BREAKPOINTS.sm}px)`;

/** Whether the page is at least 1024 px wide, which decides its layout. Zoom counts. */
export const useIsDesktop = (): boolean =>
  useSyncExternalStore(
    (listener) => subscribeToMedia(WIDE, listener),
    () => window.matchMedia(WIDE).matches,
  );

/** The name of the windows in which the stage shows the portal's pages. */
export const STAGE_FRAME = 'orchestrate-stage';

function subscribeToSize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/** The width of the window without zoom. Some in-app browsers don't know their outer width. */
function outerWidth(): number {
  const width = window.outerWidth || window.innerWidth;
  // In Firefox zoom makes the outer width smaller, too, and the pixels larger. On a dense screen, whose pixels are also
  // larger, this makes a window count as wider than it is.
  const isFirefox = 'mozInnerScreenX' in window;
  return isFirefox && window.matchMedia('(hover: hover) and (pointer: fine)').matches
    ? width * window.devicePixelRatio
    : width;
}

/**
 * Whether administrators' screens are shown: not on small and extra-small screens, which the spec counts as mobile
 * (spec 1 §1, §9). The outer width of the window decides, because zoom makes only the inner one smaller. On the stage
 * they are always shown.
 */
export const useHasRoom = (): boolean =>
  useSyncExternalStore(subscribeToSize, () => outerWidth() >= BREAKPOINTS.sm || window.name === STAGE_FRAME);
