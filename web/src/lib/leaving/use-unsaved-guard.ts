import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../session/session.ts';
import { addGuard, type Guard, type PageLocation, usePendingNavigation } from './navigation-guard.tsx';

/**
 * While `isDirty`, blocks navigations to locations that aren't `isInside` until the user decides, and makes the
 * browser ask before the page is closed.
 */
export function useUnsavedGuard(isDirty: boolean, isInside: (location: PageLocation) => boolean) {
  const latest = useRef(isInside);
  const [guard] = useState<Guard>(() => ({ isInside: (location) => latest.current(location) }));
  const isSignedIn = useSession() !== null;
  const isOn = isDirty && isSignedIn;
  const navigation = usePendingNavigation(guard);

  useLayoutEffect(() => {
    latest.current = isInside;
  });
  // Adds the guard before the screens' own effects run, because they can navigate.
  useLayoutEffect(() => (isOn ? addGuard(guard) : undefined), [isOn, guard]);

  useUnloadWarning(isOn);
  return navigation;
}

/** While `isDirty`, makes the browser ask before the page is closed or reloaded. */
export function useUnloadWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isDirty]);
}
