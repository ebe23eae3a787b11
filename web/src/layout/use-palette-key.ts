import { useLayoutEffect, useState } from 'react';

/** Opens and closes the palette, also with Ctrl K or ⌘ K; `wasOpened` says when its code has to be loaded. */
export function usePaletteKey() {
  const [state, setState] = useState({ isOpen: false, wasOpened: false });
  // Registered with the page, not after its first paint, so that an early key press counts too.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setState(({ isOpen }) => ({ isOpen: !isOpen, wasOpened: true }));
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return {
    ...state,
    open: () => setState({ isOpen: true, wasOpened: true }),
    close: () => setState((present) => ({ ...present, isOpen: false })),
  };
}
