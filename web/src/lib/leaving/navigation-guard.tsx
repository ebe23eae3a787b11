import { type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, resolvePath, type To } from 'react-router-dom';
import { onPopStateFirst } from './popstate-first.ts';

/** Something that asks before it is left. */
interface Guard {
  /** Whether a path still belongs to it, e.g. another tab of the same form. */
  isInside: (pathname: string) => boolean;
}

/** A navigation that is waiting for an answer. */
interface Held {
  go: () => void;
}

let guard: Guard | undefined;
let held: Held | undefined;
const listeners = new Set<() => void>();

function hold(next: Held | undefined): void {
  held = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Holds every navigation until the answer is called. */
export function putGuard(next: Guard): () => void {
  guard = next;
  return () => {
    if (guard !== next) return;
    guard = undefined;
    hold(undefined);
  };
}

/** Navigates without asking, because the input is saved or discarded. */
export function leaveFreely(navigation: () => void): void {
  const asked = guard;
  guard = undefined;
  navigation();
  guard = asked;
}

/** The waiting navigation, with its two answers. */
export function useHeldNavigation() {
  const waiting = useSyncExternalStore(subscribe, () => held);
  return {
    isHeld: waiting !== undefined,
    stay: () => hold(undefined),
    leave: () => {
      hold(undefined);
      if (waiting) leaveFreely(waiting.go);
    },
  };
}

function holds(pathname: string, go: () => void): boolean {
  if (!guard || guard.isInside(pathname)) return false;
  hold({ go });
  return true;
}

const pathOf = (to: To) => resolvePath(to, window.location.pathname).pathname;

/** The position of this entry in the browser's history, as the router numbers them. */
function indexOf(state: unknown): number | undefined {
  return typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number'
    ? state.idx
    : undefined;
}

let shownIndex: number | undefined;
/** What the next such event is: our own undoing, or the navigation that was allowed. */
let expected: 'undone' | 'allowed' | undefined;

/**
 * Back and Forward are reported only after they have happened: so they are undone, and done again if the person wants
 * to leave.
 */
function onPop(event: PopStateEvent): void {
  const index = indexOf(event.state);
  const wasExpected = expected;
  expected = undefined;
  if (wasExpected === 'undone') {
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
  if (!holds(window.location.pathname, again)) {
    shownIndex = index;
    return;
  }
  event.stopImmediatePropagation();
  expected = 'undone';
  window.history.go(-steps);
}

function noteShown(): void {
  shownIndex = indexOf(window.history.state);
}

onPopStateFirst(onPop);

/**
 * Lets a form ask before it is left (decision 041): the router inside gets a navigator that waits for the answer.
 * Changes of the search only, such as opening a dialog, stay on the page and need no answer.
 */
export function NavigationGuard({ children }: { children: ReactNode }) {
  const context = useContext(NavigationContext);
  const { navigator } = context;
  noteShown();
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
            noteShown();
          };
          if (!holds(pathOf(to[0]), go)) go();
        },
        replace: (...to: Parameters<typeof navigator.replace>) => {
          const go = () => navigator.replace(...to);
          if (!holds(pathOf(to[0]), go)) go();
        },
      },
    }),
    [context, navigator],
  );
  return <NavigationContext.Provider value={guarded}>{children}</NavigationContext.Provider>;
}
