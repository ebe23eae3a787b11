import { type FocusEvent, type KeyboardEvent, useRef } from 'react';

/**
 * For a button that goes on being pressed: the pages in the frames take the focus when something opens in them, and get
 * it here only from somebody who moves it there.
 */
export function useKeptFocus() {
  const isTabbing = useRef(false);
  return {
    onKeyDown({ key }: KeyboardEvent) {
      isTabbing.current = key === 'Tab';
    },
    onBlur({ currentTarget: button }: FocusEvent<HTMLElement>) {
      // Where it has gone is known a moment later.
      setTimeout(() => {
        const taker = document.activeElement;
        const isTaken = taker instanceof HTMLIFrameElement && !taker.matches(':hover') && !isTabbing.current;
        if (isTaken) button.focus();
      });
    },
  };
}
