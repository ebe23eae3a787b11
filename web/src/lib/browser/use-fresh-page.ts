import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router-dom';
import { focusHeading } from './focus.ts';

/**
 * A new page starts at its top, and its heading takes the focus, so that keyboards and screen readers start there too;
 * also that of the first one, after a sign-in. A page that was opened by its address or reloaded is left to the
 * browser.
 */
export function useFreshPage(screenKey: string) {
  const main = useRef<HTMLDivElement>(null);
  const how = useNavigationType();
  const shown = useRef(how === 'POP' ? screenKey : undefined);
  useEffect(() => {
    if (shown.current === screenKey) return;
    shown.current = screenKey;
    focusHeading(main.current);
    // Back and forward: the browser restores the position itself.
    if (how !== 'POP') window.scrollTo(0, 0);
    return headingLater(main.current);
  }, [screenKey, how]);
  return main;
}

/**
 * Where the page is still loading, the focus waits in it for the heading. Nothing is taken from what was focused
 * meanwhile.
 */
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
