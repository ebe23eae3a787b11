import { type KeyboardEvent, useEffect, useRef } from 'react';

/**
 * For a button that goes on being pressed: the pages in the frames take the focus when something opens in them, or when
 * the hand types there, and get it only from somebody who moves it there.
 * @param isBusy while the hand acts, which needs the focus where it types
 */
export function useButtonFocus(isBusy: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const isTabbing = useRef(false);
  const isTaken = useRef(false);
  const busy = useRef(isBusy);

  function giveBack(): void {
    isTaken.current = false;
    if (document.activeElement instanceof HTMLIFrameElement) button.current?.focus();
  }

  useEffect(() => {
    busy.current = isBusy;
    if (!isBusy && isTaken.current) giveBack();
  });

  return {
    ref: button,
    onKeyDown({ key }: KeyboardEvent) {
      isTabbing.current = key === 'Tab';
    },
    onFocus() {
      isTaken.current = false;
    },
    onBlur() {
      // Where it has gone is known a moment later.
      setTimeout(() => {
        const taker = document.activeElement;
        isTaken.current = taker instanceof HTMLIFrameElement && !taker.matches(':hover') && !isTabbing.current;
        if (isTaken.current && !busy.current) giveBack();
      });
    },
  };
}
