import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { useInvalidate } from '#lib/api/use-write.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { type FaqItem, idOf, nameOf } from './faq-tree.ts';
import { useFaqWrites } from './use-faq-writes.ts';

export type Direction = 'up' | 'down';

/** Returns the DOM ID of a move button, used to restore its focus after the move. */
export const moveButtonId = (item: FaqItem, direction: Direction): string => `${direction}-${idOf(item)}`;

/**
 * Moves items among their siblings. The pressed button keeps focus, and `announcement` contains the new position for
 * screen readers.
 */
export function useMove() {
  const { move } = useFaqWrites();
  const invalidate = useInvalidate();
  const [announcement, setAnnouncement] = useState('');
  const [moved, setMoved] = useState<{ button: string; at: number }>();
  const isMoving = useRef(false);

  // Moving the row may remove and reinsert it, which makes its button lose focus.
  useEffect(() => {
    if (moved) document.getElementById(moved.button)?.focus();
  }, [moved]);

  const moveTo = async (item: FaqItem, position: number, direction?: Direction) => {
    // A second move before the first has finished would start from an outdated position.
    if (isMoving.current) return;
    isMoving.current = true;
    try {
      await move(item, position);
      setAnnouncement(t`${nameOf(item)} is now ${position + 1} of ${item.count}`);
      if (direction) setMoved({ button: moveButtonId(item, direction), at: position });
    } catch (failure) {
      toastRefusal(failure);
      await invalidate('FAQ');
    } finally {
      isMoving.current = false;
    }
  };
  const moveBy = (item: FaqItem, direction: Direction) =>
    moveTo(item, item.position + (direction === 'up' ? -1 : 1), direction);
  return { moveBy, moveTo, announcement };
}
