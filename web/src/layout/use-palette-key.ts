import { useLayoutEffect, useState } from 'react';

/** Opens and closes the palette, also with Ctrl K or ⌘ K; `wasOpened` says when its code is needed at all. */
export function usePaletteKey() {
  const [state, setState] = useState({ isOpen: false, wasOpened: false });
  // Together with the page, not after its first paint: a key pressed at once counts too.
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
