import { type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, resolvePath, type To } from 'react-router-dom';
import { onPopStateFirst } from './popstate-first.ts';

/** A path and its query string. */
export interface PageLocation {
  pathname: string;
  search: string;
}

/** Asks before a form is left. */
export interface Guard {
  /** Returns true if a location still belongs to the form, e.g. another tab of it. */
  isInside: (location: PageLocation) => boolean;
}

/** A navigation that waits for the user's decision. */
interface PendingNavigation {
  by: Guard;
  location: PageLocation;
  go: () => void;
}

/** The last guard is the topmost, e.g. that of a dialog above the page. */
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

/** Adds a guard, and returns a function that removes it. */
export function addGuard(next: Guard): () => void {
  guards = [...guards, next];
  return () => {
    guards = guards.filter((guard) => guard !== next);
    if (pending?.by === next) setPending(undefined);
  };
}

/** Navigates without asking, after the input was saved or discarded. */
export function leaveWithoutAsking(navigation: () => void): void {
  const suspended = guards;
  guards = [];
  navigation();
  guards = suspended;
}

/** Returns the state of the navigation that waits for a guard, with functions to stay or leave. */
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

/** Returns true if a guard blocks the navigation, and lets the topmost one ask the user. */
function isBlocked(location: PageLocation, go: () => void, candidates = guards): boolean {
  const by = candidates.findLast(({ isInside }) => !isInside(location));
  if (by) setPending({ by, location, go });
  return by !== undefined;
}

const below = (guard: Guard) => guards.slice(0, guards.indexOf(guard));

/** Returns a copy, because `window.location` is live. */
const currentLocation = (): PageLocation => ({ pathname: window.location.pathname, search: window.location.search });
const locationOf = (to: To): PageLocation => resolvePath(to, window.location.pathname);

/** Returns the router's index of a history entry. */
function indexOf(state: unknown): number | undefined {
  return typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number'
    ? state.idx
    : undefined;
}

let shownIndex: number | undefined;
/** Meaning of the next popstate event: our own revert, or the navigation that the user confirmed. */
let expected: 'reverted' | 'allowed' | undefined;

/** Reverts Back and Forward, which are reported only afterwards, and repeats them if the user decides to leave. */
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
 * Lets forms ask before they are left, by wrapping the router's navigator. Each form decides which locations still belong
 * to it: for a page those with its path, for a dialog only its own address.
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
