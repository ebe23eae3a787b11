import { useSyncExternalStore } from 'react';
import { BREAKPOINTS } from '../../theme/pixels.ts';

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
}

/** False on small and extra-small screens, which the spec counts as mobile: narrower than 1024 px. */
export const useIsDesktop = (): boolean => useMedia(`(min-width: ${BREAKPOINTS.sm}px)`);

/** The name of the windows in which the stage shows the portal's pages. */
export const STAGE_FRAME = 'orchestrate-stage';

/**
 * Whether administrators' screens are shown: on a desktop only (spec 1 §1). Width alone does not tell, because zoom
 * leaves a large screen with the width of a small one; a mouse that can hover does. On the stage they are always shown.
 */
export function useHasRoom(): boolean {
  const hasMouse = useMedia('(hover: hover) and (pointer: fine)');
  return useIsDesktop() || hasMouse || window.name === STAGE_FRAME;
}
