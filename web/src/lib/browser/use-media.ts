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

/** Whether administrators' screens are shown: on a desktop only (spec 1 §1), and on the stage at any width. */
export const useHasRoom = (): boolean => useIsDesktop() || window.name === STAGE_FRAME;
