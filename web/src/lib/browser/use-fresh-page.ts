import { type RefObject, useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
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

/** Scrolls to the section that the URL's fragment names and focuses its heading, once the screen has rendered it. */
export function useSectionTarget(main: RefObject<HTMLElement | null>): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` changes if the user opens the same URL again.
  useEffect(() => {
    const id = hash.slice(1);
    if (id === '' || !main.current) return;
    const show = () => {
      const section = document.getElementById(id);
      const heading = section?.tagName === 'SECTION' ? section.querySelector('h2') : null;
      if (!section || !heading) return false;
      heading.tabIndex = -1;
      heading.style.outline = 'none';
      heading.focus({ preventScroll: true });
      section.scrollIntoView({ block: 'start' });
      return true;
    };
    if (show()) return;
    const observer = new MutationObserver(() => {
      if (show()) observer.disconnect();
    });
    observer.observe(main.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [hash, key, main]);
}
