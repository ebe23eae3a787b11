import { type RefObject, useEffect } from 'react';

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';

/**
 * Keeps the keyboard's place: where the focused element disappears, e.g. the row of what was just deleted, browsers drop
 * the focus to the start of the document. Then the nearest thing that is left takes it, at last `main` itself. Dialogs
 * keep their own focus.
 */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let place: Element[] = [];
    let frame = 0;
    const remember = ({ target }: FocusEvent) => {
      place = [];
      for (let at = target as Element | null; at; at = at.parentElement) place.push(at);
    };
    const restore = () => {
      const [last, ...around] = place;
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      if (document.querySelector('[role=dialog][data-state=open], [role=alertdialog][data-state=open]')) return;
      const near = around.find((one) => one.isConnected);
      const next = near && main.current?.contains(near) ? near.querySelector<HTMLElement>(FOCUSABLE) : null;
      (near === main.current ? main.current : (next ?? main.current))?.focus({ preventScroll: true });
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
