import { useSyncExternalStore } from 'react';
import { BREAKPOINTS } from '#theme/pixels.ts';

function subscribeToMedia(query: string, listener: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

const WIDE = `(min-width: ${BREAKPOINTS.sm}px)`;

/** True if the page is at least 1024 px wide, including zoom. Decides the layout. */
export const useIsDesktop = (): boolean =>
  useSyncExternalStore(
    (listener) => subscribeToMedia(WIDE, listener),
    () => window.matchMedia(WIDE).matches,
  );

/** Window name of the frames in which the demo displays the portal's pages. */
export const DEMO_FRAME = 'orchestrate-stage';

function subscribeToSize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/** Returns the window's width without zoom. Some in-app browsers report no outer width. */
function outerWidth(): number {
  const width = window.outerWidth || window.innerWidth;
  // In Firefox, zoom also shrinks the outer width and raises the pixel ratio. A dense screen raises the ratio too, so
  // there a window counts as wider than it is.
  const isFirefox = 'mozInnerScreenX' in window;
  return isFirefox && window.matchMedia('(hover: hover) and (pointer: fine)').matches
    ? width * window.devicePixelRatio
    : width;
}

/**
 * True if there is room for the administration screens, which the spec excludes on mobile screens (spec 1 §1, §9). The
 * outer width decides, because zoom shrinks only the inner one. In the demo they are always displayed.
 */
export const useHasRoom = (): boolean =>
  useSyncExternalStore(subscribeToSize, () => outerWidth() >= BREAKPOINTS.sm || window.name === DEMO_FRAME);
