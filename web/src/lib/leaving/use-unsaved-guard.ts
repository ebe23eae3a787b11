import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../session/session.ts';
import { type Guard, type Place, putGuard, useHeldNavigation } from './navigation-guard.tsx';

/**
 * While `isDirty`, a navigation to a place that is not `isInside` waits for an answer, and the browser asks before the
 * page is closed.
 */
export function useUnsavedGuard(isDirty: boolean, isInside: (place: Place) => boolean) {
  const here = useRef(isInside);
  const [guard] = useState<Guard>(() => ({ isInside: (place) => here.current(place) }));
  const isSignedIn = useSession() !== null;
  const isOn = isDirty && isSignedIn;
  const navigation = useHeldNavigation(guard);

  useLayoutEffect(() => {
    here.current = isInside;
  });
  // Before the screens' own effects, because one of them may navigate.
  useLayoutEffect(() => (isOn ? putGuard(guard) : undefined), [isOn, guard]);

  useAskedUnload(isOn);
  return navigation;
}

/** While `isDirty`, the browser asks before the page is closed or loaded again. */
export function useAskedUnload(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isDirty]);
}
