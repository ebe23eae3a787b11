import { type DragEvent, useRef, useState } from 'react';
import { type FaqItem, idOf } from './faq-tree.ts';

/** Where the dragged item would be dropped, before or after one of its siblings. */
interface Target {
  id: string;
  side: 'before' | 'after';
  /** Position after the move. */
  position: number;
}

export interface Drag {
  /** Returns the props for an item's drag handle. */
  handleProps: (item: FaqItem) => {
    draggable: true;
    onDragStart: (event: DragEvent<HTMLElement>) => void;
    onDragEnd: () => void;
  };
  /** Returns the props for an item's row, on which its siblings can be dropped. */
  rowProps: (item: FaqItem) => {
    'data-row': '';
    'data-dropping': Target['side'] | undefined;
    onDragOver: (event: DragEvent<HTMLElement>) => void;
    onDrop: (event: DragEvent<HTMLElement>) => void;
  };
}

/** Returns true if two items are siblings. Only siblings can be reordered. */
function areSiblings(one: FaqItem, other: FaqItem): boolean {
  if (one.kind === 'record') return other.kind === 'record' && one.subcategoryId === other.subcategoryId;
  if (one.kind === 'subcategory') return other.kind === 'subcategory' && one.categoryId === other.categoryId;
  return other.kind === 'category';
}

function targetOf(dragged: FaqItem, over: FaqItem, { clientY, currentTarget }: DragEvent<HTMLElement>): Target {
  const { top, height } = currentTarget.getBoundingClientRect();
  const side = clientY < top + height / 2 ? 'before' : 'after';
  const gap = side === 'before' ? over.position : over.position + 1;
  return { id: idOf(over), side, position: gap > dragged.position ? gap - 1 : gap };
}

/**
 * Reorders siblings by drag and drop. Calls `refuse` if an item is dropped anywhere else in the tree. The arrow
 * buttons do the same without a pointer.
 */
export function useDrag(moveTo: (item: FaqItem, position: number) => void, refuse: (item: FaqItem) => void): Drag {
  const [dragged, setDragged] = useState<FaqItem>();
  const [target, setTarget] = useState<Target>();
  /** True while the pointer is over an invalid drop target, where browsers fire no drop event. */
  const isElsewhere = useRef(false);
  const end = () => {
    isElsewhere.current = false;
    setDragged(undefined);
    setTarget(undefined);
  };
  return {
    handleProps: (item) => ({
      draggable: true,
      onDragStart: (event) => {
        event.dataTransfer.effectAllowed = 'move';
        // Firefox only starts a drag with data.
        event.dataTransfer.setData('text/plain', '');
        const row = event.currentTarget.closest('[data-row]');
        if (row) event.dataTransfer.setDragImage(row, 0, 0);
        setDragged(item);
      },
      onDragEnd: () => {
        if (isElsewhere.current) refuse(item);
        end();
      },
    }),
    rowProps: (item) => ({
      'data-row': '',
      'data-dropping': target?.id === idOf(item) ? target.side : undefined,
      onDragOver: (event) => {
        if (!dragged) return;
        if (!areSiblings(dragged, item)) {
          // Wait for an ancestor to handle the event, because it may be a valid target. A category has no ancestor.
          if (item.kind !== 'category') return;
          isElsewhere.current = true;
          return setTarget(undefined);
        }
        event.preventDefault();
        event.stopPropagation();
        isElsewhere.current = false;
        const next = targetOf(dragged, item, event);
        if (next.id !== target?.id || next.side !== target.side) setTarget(next);
      },
      onDrop: (event) => {
        if (!dragged || !areSiblings(dragged, item)) return;
        event.preventDefault();
        event.stopPropagation();
        const { position } = targetOf(dragged, item, event);
        if (position !== dragged.position) moveTo(dragged, position);
        end();
      },
    }),
  };
}

/** Styles for a line at the drop position. */
export const droppingStyles = {
  '&[data-dropping=before]': { boxShadow: 'inset 0 2px {colors.brand.line}' },
  '&[data-dropping=after]': { boxShadow: 'inset 0 -2px {colors.brand.line}' },
} as const;
