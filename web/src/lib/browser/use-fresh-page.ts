import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router-dom';
import { focusHeading } from './focus.ts';

/**
 * Scrolls a new page to its top and focuses its heading, so that keyboards and screen readers start there too, including
 * the first page after a sign-in. Pages opened by their URL or reloaded are left to the browser.
 */
export function useFreshPage(screenKey: string) {
  const main = useRef<HTMLDivElement>(null);
  const how = useNavigationType();
  const shown = useRef(how === 'POP' ? screenKey : undefined);
  useEffect(() => {
    if (shown.current === screenKey) return;
    shown.current = screenKey;
    focusHeading(main.current);
    // On Back and Forward, the browser restores the scroll position.
    if (how !== 'POP') window.scrollTo(0, 0);
    return headingLater(main.current);
  }, [screenKey, how]);
  return main;
}

/** Focuses the heading when a loading page has rendered it, unless another element was focused in the meantime. */
function headingLater(main: HTMLElement | null): (() => void) | undefined {
  if (!main || document.activeElement !== main) return undefined;
  const observer = new MutationObserver(() => {
    const isThere = main.querySelector('h1') !== null;
    if (isThere || document.activeElement !== main) observer.disconnect();
    if (isThere && document.activeElement === main) focusHeading(main);
  });
  observer.observe(main, { childList: true, subtree: true });
  return () => observer.disconnect();
}
