import { useEffect, useRef } from 'react';

/**
 * Focuses an element on mount if the button that opened it is gone: otherwise keyboards and screen readers would
 * restart at the top of the page. The element needs `tabIndex={-1}`.
 */
export function useFocusOnMount(isWanted: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const isWantedAtFirst = useRef(isWanted);
  useEffect(() => {
    if (isWantedAtFirst.current) element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}
