import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { useSession } from '../session/session.ts';
import { putGuard, useHeldNavigation } from './navigation-guard.tsx';

/**
 * While `isDirty`, a navigation away from the screen waits for an answer, and the browser asks before the page is
 * closed. `within`: the path below which everything belongs to the screen; the present path where absent.
 */
export function useUnsavedGuard(isDirty: boolean, within?: string) {
  const { pathname } = useLocation();
  const root = within ?? pathname;
  const isSignedIn = useSession() !== null;
  const isOn = isDirty && isSignedIn;
  const navigation = useHeldNavigation();

  // Before the screens' own effects, because one of them may navigate.
  useLayoutEffect(() => {
    if (!isOn) return;
    return putGuard({ isInside: (path) => path === root || path.startsWith(`${root}/`) });
  }, [isOn, root]);

  const unload = useRef((event: BeforeUnloadEvent) => event.preventDefault());
  useEffect(() => {
    if (!isOn) return;
    const ask = unload.current;
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isOn]);

  return navigation;
}
