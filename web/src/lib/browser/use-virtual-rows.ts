import { type RefObject, useCallback, useDeferredValue, useEffect, useLayoutEffect, useState } from 'react';

/** Lists up to this length are rendered completely, so that Ctrl+F finds everything in them. */
const COMPLETE_MAX = 80;

/** Number of rows that fit on most screens. */
const FIRST_ROWS = 12;

/** Returns the rows to render: at first only those that are visible, then all, so that the first appear sooner. */
export const useFirstRows = <Row>(rows: readonly Row[]): readonly Row[] =>
  useDeferredValue(rows, rows.slice(0, FIRST_ROWS));

/** Number of rows rendered above and below the visible ones, so that scrolling and Tab find them there. */
const OVERSCAN = 5;

/** The rendered part of a list, as item indexes, and the space left for the rest, in px. */
export interface RowWindow {
  from: number;
  to: number;
  before: number;
  after: number;
}

interface Measures {
  /** Number of items in the list. */
  count: number;
  /** Items per row. */
  columns: number;
  /** Height of a row including the gap below it, in px. */
  rowHeight: number;
  /** How far the list's top is scrolled above the view's top, in px. Negative while it is below. */
  scrolled: number;
  /** Height of the view, in px. */
  viewHeight: number;
}

/** Returns the part of a list to render: the visible rows and a few around them. */
export function rowWindowOf({ count, columns, rowHeight, scrolled, viewHeight }: Measures): RowWindow {
  const rows = Math.ceil(count / columns);
  const rendered = Math.ceil(viewHeight / rowHeight) + 2 * OVERSCAN;
  const last = Math.max(0, rows - rendered);
  const first = Math.min(last, Math.max(0, Math.floor(scrolled / rowHeight) - OVERSCAN));
  const end = Math.min(rows, first + rendered);
  return {
    from: first * columns,
    to: Math.min(count, end * columns),
    before: first * rowHeight,
    after: (rows - end) * rowHeight,
  };
}

/** Marks an item of a virtual list with its key. */
export const ROW_KEY = 'data-suid';
const ITEM = `[${ROW_KEY}]`;

/** Returns the top and bottom of the window, or of the part of it in which a list with a maximum height scrolls. */
function viewOf(list: HTMLElement): { top: number; bottom: number } {
  for (let box = list.parentElement; box && box !== document.body; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight || getComputedStyle(box).overflowY !== 'auto') continue;
    const { top, bottom } = box.getBoundingClientRect();
    return { top: Math.max(0, top), bottom: Math.min(window.innerHeight, bottom) };
  }
  return { top: 0, bottom: window.innerHeight };
}

/** Measures the rendered items. Returns undefined without a layout, as in tests and hidden pages. */
function measure(list: HTMLElement, count: number): Measures | undefined {
  const tops = [...list.querySelectorAll(ITEM)].map((item) => item.getBoundingClientRect().top);
  const [top = 0] = tops;
  const following = tops.findIndex((other) => other > top + 1);
  if (following === -1) return undefined;
  const rows = Math.ceil(tops.length / following);
  const view = viewOf(list);
  return {
    count,
    columns: following,
    // The average, because rows of a table can differ on narrow screens.
    rowHeight: ((tops.at(-1) ?? 0) - top) / (rows - 1),
    scrolled: view.top - list.getBoundingClientRect().top,
    viewHeight: Math.max(0, view.bottom - view.top),
  };
}

/**
 * Renders only the items of a long list that are near the window, or near the visible part of a list that scrolls in a
 * box, so that the number of elements is constant. The items need the same height, `data-suid`, and a list that reserves
 * the space before and after them.
 */
export function useVirtualRows(list: RefObject<HTMLElement | null>, count: number): RowWindow {
  const isOn = count > COMPLETE_MAX;
  const [rendered, setRendered] = useState<RowWindow>({ from: 0, to: COMPLETE_MAX, before: 0, after: 0 });
  const update = useCallback(() => {
    const measures = list.current && measure(list.current, count);
    if (!list.current || !measures) return;
    const next = rowWindowOf(measures);
    setRendered((present) => {
      const isSame = present.from === next.from && present.to === next.to;
      // Don't move the list by rounding errors of the measurement.
      return isSame && Math.abs(present.after - next.after) < measures.rowHeight / 2 ? present : next;
    });
  }, [list, count]);

  useLayoutEffect(() => {
    if (isOn) update();
  });
  useEffect(() => {
    if (!isOn) return;
    const onScroll = () => {
      keepFocus(list.current);
      update();
    };
    const observer = new ResizeObserver(update);
    if (list.current) observer.observe(list.current);
    // Scrolling in a box doesn't bubble, but is captured.
    window.addEventListener('scroll', onScroll, { passive: true, capture: true });
    window.addEventListener('resize', update);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', onScroll, { capture: true });
      window.removeEventListener('resize', update);
    };
  }, [isOn, list, update]);

  if (!isOn) return { from: 0, to: count, before: 0, after: 0 };
  // A shortened list may have scrolled past its new end.
  const to = Math.min(rendered.to, count);
  return { ...rendered, from: Math.min(rendered.from, to), to };
}

/** Moves the focus from an item that is far out of sight, and about to disappear, to the list. Tab continues there. */
function keepFocus(list: HTMLElement | null): void {
  const item = document.activeElement?.closest(ITEM);
  if (!list || !item || !list.contains(item)) return;
  const { top, bottom, height } = item.getBoundingClientRect();
  const reach = (OVERSCAN - 1) * height;
  const view = viewOf(list);
  if (bottom > view.top - reach && top < view.bottom + reach) return;
  list.tabIndex = -1;
  list.style.outline = 'none';
  list.focus({ preventScroll: true });
}
