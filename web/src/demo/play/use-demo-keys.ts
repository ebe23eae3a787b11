import { useCallback, useEffect, useRef } from 'react';

const TYPED_INTO = 'input:not([type=radio], [type=checkbox], [type=color]), textarea, select, [contenteditable]';

/** Returns true if the key press enters text. */
const isTyping = ({ target }: KeyboardEvent): boolean =>
  target !== null && 'matches' in target && (target as Element).matches(TYPED_INTO);

/**
 * Reports keys pressed without modifiers, both in this page and in the windows passed to `listenIn`, because a
 * focused frame receives key presses instead of the page.
 */
export function useDemoKeys(onKey: (key: string) => void, isOn: boolean): { listenIn: (page: Window | null) => void } {
  const current = useRef({ onKey, isOn });
  useEffect(() => {
    current.current = { onKey, isOn };
  }, [onKey, isOn]);
  const listen = useCallback((event: KeyboardEvent) => {
    const isAlone = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
    if (!current.current.isOn || !isAlone || event.defaultPrevented || isTyping(event)) return;
    current.current.onKey(event.key.toLowerCase());
  }, []);
  useEffect(() => {
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [listen]);
  const listenIn = useCallback((page: Window | null) => page?.addEventListener('keydown', listen), [listen]);
  return { listenIn };
}
