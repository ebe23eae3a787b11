import { type RefObject, useEffect } from 'react';

/**
 * What has the focus may disappear: a request that is answered, a fault that is removed. Then the list that it was in
 * takes the focus, or the section, so that the keyboard goes on from there.
 */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const place = main.current;
    if (!place) return;
    /** The focused element, and where it is. */
    let path: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      path = [];
      for (let at = target instanceof HTMLElement ? target : null; at && at !== place; at = at.parentElement)
        path.push(at);
    };
    const watch = new MutationObserver(() => {
      const [focused] = path;
      if (!focused || focused.isConnected || document.activeElement !== document.body) return;
      const next = path.find((element) => element.isConnected)?.querySelector<HTMLElement>('button, a[href], input');
      (next ?? place).focus({ preventScroll: true });
    });
    place.addEventListener('focusin', remember);
    watch.observe(place, { childList: true, subtree: true });
    return () => {
      place.removeEventListener('focusin', remember);
      watch.disconnect();
    };
  }, [main]);
}
