import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { useInvalidate } from '#lib/api/use-write.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { type FaqItem, idOf, nameOf } from './faq-tree.ts';
import { useFaqWrites } from './use-faq-writes.ts';

export type Direction = 'up' | 'down';

/** Returns the DOM ID of the button that opens an item's menu, used to restore its focus after a move. */
export const menuButtonId = (item: FaqItem): string => `menu-${idOf(item)}`;

/**
 * Moves items among their siblings. The item's menu button keeps focus, and `announcement` contains the new position for
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

  const moveTo = async (item: FaqItem, position: number, isByMenu = false) => {
    // A second move before the first has finished would start from an outdated position.
    if (isMoving.current) return;
    isMoving.current = true;
    try {
      await move(item, position);
      setAnnouncement(t`${nameOf(item)} is now ${position + 1} of ${item.count}`);
      if (isByMenu) setMoved({ button: menuButtonId(item), at: position });
    } catch (failure) {
      toastRefusal(failure);
      await invalidate('FAQ');
    } finally {
      isMoving.current = false;
    }
  };
  const moveBy = (item: FaqItem, direction: Direction) =>
    moveTo(item, item.position + (direction === 'up' ? -1 : 1), true);
  return { moveBy, moveTo, announcement };
}
