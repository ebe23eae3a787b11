import { type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, resolvePath, type To } from 'react-router-dom';
import { onPopStateFirst } from './popstate-first.ts';

/** A path and its search, as in an address. */
export interface Place {
  pathname: string;
  search: string;
}

/** Something that asks before it is left. */
export interface Guard {
  /** Whether a place still belongs to it, e.g. another tab of the same form. */
  isInside: (place: Place) => boolean;
}

/** A navigation that is waiting for an answer. */
interface Held {
  by: Guard;
  place: Place;
  go: () => void;
}

/** The last one is on top, e.g. the dialog above the page. */
let guards: readonly Guard[] = [];
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
  guards = [...guards, next];
  return () => {
    guards = guards.filter((guard) => guard !== next);
    if (held?.by === next) hold(undefined);
  };
}

/** Navigates without asking, because the input is saved or discarded. */
export function leaveFreely(navigation: () => void): void {
  const asked = guards;
  guards = [];
  navigation();
  guards = asked;
}

/** The navigation that waits for this guard, with its two answers. */
export function useHeldNavigation(guard: Guard) {
  const waiting = useSyncExternalStore(subscribe, () => (held?.by === guard ? held : undefined));
  return {
    isHeld: waiting !== undefined,
    stay: () => hold(undefined),
    leave: () => {
      hold(undefined);
      if (waiting && !holds(waiting.place, waiting.go, below(guard))) leaveFreely(waiting.go);
    },
  };
}

/** Asks the topmost guard that the navigation would leave. */
function holds(place: Place, go: () => void, asked = guards): boolean {
  const by = asked.findLast(({ isInside }) => !isInside(place));
  if (by) hold({ by, place, go });
  return by !== undefined;
}

const below = (guard: Guard) => guards.slice(0, guards.indexOf(guard));

/** A copy, because the location changes with the page. */
const shownPlace = (): Place => ({ pathname: window.location.pathname, search: window.location.search });
const placeOf = (to: To): Place => resolvePath(to, window.location.pathname);

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
  if (!holds(shownPlace(), again)) {
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
 * Lets a form ask before it is left (decision 040): the router inside gets a navigator that waits for the answer.
 * Each form says which places still belong to it: for a page those with its path, for a dialog only its own address.
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
          if (!holds(placeOf(to[0]), go)) go();
        },
        replace: (...to: Parameters<typeof navigator.replace>) => {
          const go = () => navigator.replace(...to);
          if (!holds(placeOf(to[0]), go)) go();
        },
      },
    }),
    [context, navigator],
  );
  return <NavigationContext.Provider value={guarded}>{children}</NavigationContext.Provider>;
}
