import { type RefObject, useEffect } from 'react';

/** Calls `reach` whenever the element is about to come into view, as long as `reach` is given. */
export function useInSight(element: RefObject<Element | null>, reach: (() => void) | undefined): void {
  useEffect(() => {
    if (!element.current || !reach) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && reach(), {
      rootMargin: '240px',
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  });
}
