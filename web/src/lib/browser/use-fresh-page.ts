import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router-dom';
import { focusHeading } from './focus.ts';

/**
 * Scrolls a new page to the top and focuses its heading, so that keyboard and screen reader users start there too,
 * including on the first page after a sign-in. The browser handles pages that are opened by URL or reloaded.
 */
export function useFreshPage(screenKey: string) {
  const main = useRef<HTMLDivElement>(null);
  const how = useNavigationType();
  const shown = useRef(how === 'POP' ? screenKey : undefined);
  useEffect(() => {
    if (shown.current === screenKey) return;
    shown.current = screenKey;
    focusHeading(main.current);
    // Skip Back and Forward, after which the browser restores the scroll position.
    if (how !== 'POP') window.scrollTo(0, 0);
    return headingLater(main.current);
  }, [screenKey, how]);
  return main;
}

/** Focuses the heading as soon as a loading page renders it, unless another element was focused in the meantime. */
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
