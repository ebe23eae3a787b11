import { useLayoutEffect } from 'react';

/** What a press outside begins with. */
const OUTSIDE: ReadonlySet<string> = new Set(['pointerdown', 'focusin']);

/**
 * Dialogs close when somebody presses outside them, and those of a page in a frame also listen in the window around it.
 * On the stage that window is another place: a press there does not leave the dialog. So while the
 * stage is open, its window takes no such listeners; those of React and of its own parts are on its document.
 */
export function useOwnWindow(): void {
  useLayoutEffect(() => {
    const listen = window.addEventListener;
    window.addEventListener = (...[type, ...rest]: Parameters<typeof listen>) => {
      if (!OUTSIDE.has(type)) listen.call(window, type, ...rest);
    };
    return () => {
      window.addEventListener = listen;
    };
  }, []);
}
