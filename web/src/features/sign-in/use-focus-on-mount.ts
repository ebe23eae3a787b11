import { useEffect, useRef } from 'react';

/**
 * Moves the focus to an element as it appears, where the button that opened it is gone: otherwise keyboards and screen
 * readers would start again at the top of the page. The element needs `tabIndex={-1}`.
 */
export function useFocusOnMount(isWanted: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const isWantedAtFirst = useRef(isWanted);
  useEffect(() => {
    if (isWantedAtFirst.current) element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}
