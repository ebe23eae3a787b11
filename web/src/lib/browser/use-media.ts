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
