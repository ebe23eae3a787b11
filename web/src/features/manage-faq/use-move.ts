import { useEffect, useRef, useState } from 'react';
import { toastRefusal } from '../../lib/toast-refusal.ts';
import { useInvalidate } from '../../lib/use-endpoint.ts';
import { type FaqItem, idOf, nameOf } from './faq-tree.ts';
import { useFaqWrites } from './use-faq-writes.ts';

export type Direction = 'up' | 'down';

/** The id of the button that moves something, so that the focus finds it again where it has gone. */
export const moveButtonId = (item: FaqItem, direction: Direction): string => `${direction}-${idOf(item)}`;

/** Moves one thing by one place. The button keeps the focus; `news` says where the thing now stands. */
export function useMove() {
  const { move } = useFaqWrites();
  const invalidate = useInvalidate();
  const [news, setNews] = useState('');
  const [moved, setMoved] = useState<{ button: string; at: number }>();
  const isMoving = useRef(false);

  // The row may have been taken out of the page and put in again, and its button has lost the focus with it.
  useEffect(() => {
    if (moved) document.getElementById(moved.button)?.focus();
  }, [moved]);

  const moveBy = async (item: FaqItem, direction: Direction) => {
    // A second move before the first is done would count from a place that is no longer true.
    if (isMoving.current) return;
    isMoving.current = true;
    const place = item.place + (direction === 'up' ? -1 : 1);
    try {
      await move(item, place);
      setNews(`${nameOf(item)} is now ${place + 1} of ${item.count}`);
      setMoved({ button: moveButtonId(item, direction), at: place });
    } catch (failure) {
      toastRefusal(failure);
      await invalidate('FAQ');
    } finally {
      isMoving.current = false;
    }
  };
  return { moveBy, news };
}
