import { type RefObject, useEffect } from 'react';

/**
 * Gives the focus to the heading of the page, so that screen readers say where one is; to the page where it has none
 * yet.
 */
export function focusHeading(main: HTMLElement | null): void {
  const heading = main?.querySelector('h1') ?? undefined;
  if (heading) {
    heading.tabIndex = -1;
    // As the page itself, a heading is not a control, and shows no ring.
    heading.style.outline = 'none';
  }
  (heading ?? main)?.focus({ preventScroll: true });
}

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';
const ROW = 'li, tr';
/** What a button opens: when it closes, the keyboard is back in the page. */
const OPENED = '[role=dialog], [role=alertdialog], [role=menu]';

/** Where the keyboard is in the page. */
interface Place {
  /** The focused element and what it is in, innermost first. */
  path: readonly Element[];
  /** The rows of the list or table in which it is, as they were. */
  rows: readonly Element[];
}

/**
 * Keeps the keyboard's place: where the focused element disappears, e.g. the row of what was just deleted, browsers
 * drop the focus to the start of the document. Then the same control of the next row takes it; where there is none, the
 * nearest thing that is left, at last the heading of the page. Dialogs and menus keep their own focus; where one closes
 * and gives it to nothing, it returns to what opened it.
 */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let place: Place = { path: [], rows: [] };
    /** What had the focus after that, where something was opened there. */
    let opened: Element | null = null;
    let frame = 0;
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      opened = target.closest(OPENED);
      if (!opened) place = placeOf(target);
    };
    const restore = () => {
      const [last] = place.path;
      if (!last || document.activeElement !== document.body) return;
      if (document.querySelector('[role=dialog][data-state=open], [role=alertdialog][data-state=open]')) return;
      if (last.isConnected) {
        // A menu takes the focus once more where somebody is quick, and loses it as it closes.
        if (opened?.matches('[data-state=open]') === false && last instanceof HTMLElement) {
          last.focus({ preventScroll: true });
        }
        return;
      }
      const next = main.current && (nextRowOf(place) ?? nearest(place, main.current));
      if (next) next.focus({ preventScroll: true });
      else focusHeading(main.current);
    };
    // A frame later than React and dialogs, which often move the focus themselves.
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(restore);
      });
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [main]);
}

function placeOf(target: Element): Place {
  const path: Element[] = [];
  for (let at: Element | null = target; at; at = at.parentElement) path.push(at);
  return { path, rows: [...(target.closest(ROW)?.parentElement?.children ?? [])] };
}

/** The same control in the row after the one that is gone, else in the one before it. */
function nextRowOf({ path, rows }: Place): HTMLElement | undefined {
  const [last] = path;
  const at = rows.findIndex((row) => path.includes(row));
  const gone = rows[at];
  if (!last || !gone || gone.isConnected) return undefined;
  const control = (controlsIn(gone) as Element[]).indexOf(last);
  for (const row of [...rows.slice(at + 1), ...rows.slice(0, at).toReversed()]) {
    const controls = row.isConnected ? controlsIn(row) : [];
    const next = controls[control] ?? controls[0];
    if (next) return next;
  }
  return undefined;
}

function nearest({ path }: Place, main: HTMLElement): HTMLElement | undefined {
  const near = path.find((one) => one.isConnected);
  return near && near !== main && main.contains(near) ? controlsIn(near)[0] : undefined;
}

const controlsIn = (element: Element): HTMLElement[] => [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
