import type { MouseEvent } from 'react';
import { type RefObject, useEffect } from 'react';

/** Focuses the page's heading, which makes screen readers announce it. Focuses the page if it has no heading yet. */
export function focusHeading(main: HTMLElement | null): void {
  const heading = main?.querySelector('h1') ?? undefined;
  if (heading) {
    heading.tabIndex = -1;
    // A heading isn't a control, so it doesn't get a focus ring.
    heading.style.outline = 'none';
  }
  (heading ?? main)?.focus({ preventScroll: true });
}

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';
const ROW = 'li, tr';
/** Overlays that a button opens. */
const OVERLAY = '[role=dialog], [role=alertdialog], [role=menu]';

/** Where the keyboard focus is in the page. */
interface FocusPosition {
  /** The focused element and its ancestors, innermost first. */
  path: readonly Element[];
  /** Rows of the surrounding list or table when the element was focused. */
  rows: readonly Element[];
}

/**
 * Restores the focus when the focused element disappears, e.g. with a deleted row, because browsers then move it to
 * the start of the document. Focuses the same control in the next row, otherwise the nearest remaining control,
 * otherwise the page's heading. Dialogs and menus manage their own focus. If one closes without returning the focus,
 * the element that opened it is focused.
 */
export function useFocusRecovery(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let position: FocusPosition = { path: [], rows: [] };
    /** The overlay that was focused after that position, if any. */
    let overlay: Element | null = null;
    let frame = 0;
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      overlay = target.closest(OVERLAY);
      if (!overlay) position = positionOf(target);
    };
    const restore = () => {
      const [last] = position.path;
      if (!last || document.activeElement !== document.body) return;
      if (document.querySelector('[role=dialog][data-state=open], [role=alertdialog][data-state=open]')) return;
      if (last.isConnected) {
        // During fast interaction, a menu can focus itself again and then lose focus when it closes, so restore the
        // focus.
        if (overlay?.matches('[data-state=open]') === false && last instanceof HTMLElement) {
          last.focus({ preventScroll: true });
        }
        return;
      }
      const next = main.current && (nextRowOf(position) ?? nearest(position, main.current));
      if (next) next.focus({ preventScroll: true });
      else focusHeading(main.current);
    };
    // Waits for a frame after the change, because React and dialogs often move the focus themselves.
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

function positionOf(target: Element): FocusPosition {
  const path: Element[] = [];
  for (let at: Element | null = target; at; at = at.parentElement) path.push(at);
  return { path, rows: [...(target.closest(ROW)?.parentElement?.children ?? [])] };
}

/** Returns the same control in the row after the removed row, or in the row before it. */
function nextRowOf({ path, rows }: FocusPosition): HTMLElement | undefined {
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

function nearest({ path }: FocusPosition, main: HTMLElement): HTMLElement | undefined {
  const near = path.find((one) => one.isConnected);
  return near && near !== main && main.contains(near) ? controlsIn(near)[0] : undefined;
}

const controlsIn = (element: Element): HTMLElement[] => [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];

/**
 * Props that keep a button below form fields from taking focus on mousedown. Otherwise, pressing the button would
 * validate the focused field, and the field's error message would move the button away from the pointer.
 */
export const keepFieldFocus = { onMouseDown: (event: MouseEvent) => event.preventDefault() } as const;
