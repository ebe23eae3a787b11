import { type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, resolvePath, type To } from 'react-router-dom';
import { onPopStateFirst } from './popstate-first.ts';

/** A path with its query string. */
export interface PageLocation {
  pathname: string;
  search: string;
}

/** Asks the user before they leave a form. */
export interface Guard {
  /** Returns true if a location doesn't leave the form, e.g. another of its tabs. */
  isInside: (location: PageLocation) => boolean;
}

/** A navigation that is waiting for the user's decision. */
interface PendingNavigation {
  by: Guard;
  location: PageLocation;
  go: () => void;
}

/** Active guards. The last is topmost, e.g. the guard of a dialog above the page. */
let guards: readonly Guard[] = [];
let pending: PendingNavigation | undefined;
const listeners = new Set<() => void>();

function setPending(next: PendingNavigation | undefined): void {
  pending = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds a guard and returns a function that removes it. */
export function addGuard(next: Guard): () => void {
  guards = [...guards, next];
  return () => {
    guards = guards.filter((guard) => guard !== next);
    if (pending?.by === next) setPending(undefined);
  };
}

/** Navigates without asking. Call it after the input was saved or discarded. */
export function leaveWithoutAsking(navigation: () => void): void {
  const suspended = guards;
  guards = [];
  navigation();
  guards = suspended;
}

/** Returns true in `isPending` if a navigation is waiting for this guard, and functions to stay or leave. */
export function usePendingNavigation(guard: Guard) {
  const waiting = useSyncExternalStore(subscribe, () => (pending?.by === guard ? pending : undefined));
  return {
    isPending: waiting !== undefined,
    stay: () => setPending(undefined),
    leave: () => {
      setPending(undefined);
      if (waiting && !isBlocked(waiting.location, waiting.go, below(guard))) leaveWithoutAsking(waiting.go);
    },
  };
}

/** Returns true if a guard blocks the navigation. The topmost guard that blocks it then asks the user. */
function isBlocked(location: PageLocation, go: () => void, candidates = guards): boolean {
  const by = candidates.findLast(({ isInside }) => !isInside(location));
  if (by) setPending({ by, location, go });
  return by !== undefined;
}

const below = (guard: Guard) => guards.slice(0, guards.indexOf(guard));

/** Returns a copy of the location, because `window.location` is live. */
const currentLocation = (): PageLocation => ({ pathname: window.location.pathname, search: window.location.search });
const locationOf = (to: To): PageLocation => resolvePath(to, window.location.pathname);

/** Returns the router's index for a history entry. */
function indexOf(state: unknown): number | undefined {
  return typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number'
    ? state.idx
    : undefined;
}

let shownIndex: number | undefined;
/** Cause of the next popstate event: our own revert, or the navigation that the user confirmed. */
let expected: 'reverted' | 'allowed' | undefined;

/**
 * Handles Back and Forward, which browsers report only afterwards: reverts a blocked navigation, and repeats it if
 * the user decides to leave.
 */
function onPop(event: PopStateEvent): void {
  const index = indexOf(event.state);
  const wasExpected = expected;
  expected = undefined;
  if (wasExpected === 'reverted') {
    event.stopImmediatePropagation();
    return;
  }
  if (wasExpected === 'allowed') {
    shownIndex = index;
    return;
  }
  const from = shownIndex;
  if (index === undefined || from === undefined || index === from) return;
  const steps = index - from;
  const again = () => {
    expected = 'allowed';
    window.history.go(steps);
  };
  if (!isBlocked(currentLocation(), again)) {
    shownIndex = index;
    return;
  }
  event.stopImmediatePropagation();
  expected = 'reverted';
  window.history.go(-steps);
}

function recordIndex(): void {
  shownIndex = indexOf(window.history.state);
}

onPopStateFirst(onPop);

/**
 * Lets forms ask before the user leaves, by wrapping the router's navigator. Each form decides which locations are
 * still part of it: for a page, all locations with its path; for a dialog, only its own address.
 */
export function NavigationGuard({ children }: { children: ReactNode }) {
  const context = useContext(NavigationContext);
  const { navigator } = context;
  recordIndex();
  const guarded = useMemo(
    () => ({
      ...context,
      navigator: {
        createHref: navigator.createHref,
        ...(navigator.encodeLocation && { encodeLocation: navigator.encodeLocation }),
        go: navigator.go,
        push: (...to: Parameters<typeof navigator.push>) => {
          const go = () => {
            navigator.push(...to);
            recordIndex();
          };
          if (!isBlocked(locationOf(to[0]), go)) go();
        },
        replace: (...to: Parameters<typeof navigator.replace>) => {
          const go = () => navigator.replace(...to);
          if (!isBlocked(locationOf(to[0]), go)) go();
        },
      },
    }),
    [context, navigator],
  );
  return <NavigationContext.Provider value={guarded}>{children}</NavigationContext.Provider>;
}
