import { type RefObject, useEffect, useEffectEvent } from 'react';
import { areShortcutsOn, isForPage } from './shortcut-keys.ts';
import { ROW_KEY } from './use-virtual-rows.ts';

interface ListKeys {
  list: RefObject<HTMLElement | null>;
  /** Key of the row shown in the preview, which is the current row while the focus is there. */
  peeked: string | undefined;
  /** Opens the preview of a row. Undefined if there is no preview. */
  onPeek: ((key: string) => void) | undefined;
}

/**
 * Keys of a list: J and K focus the link of the next and previous row, X selects the current row, and Space opens its
 * preview. Enter opens the focused link anyway.
 */
export function useListKeys({ list, peeked, onPeek }: ListKeys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !isForPage(event)) return;
    const run = actionFor(event);
    if (!run) return;
    event.preventDefault();
    run();
  });

  function actionFor({ key, target }: KeyboardEvent): (() => void) | undefined {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(`[${ROW_KEY}]`) ?? [])];
    const focused = rows.findIndex((row) => row.contains(document.activeElement));
    const at = focused === -1 ? rows.findIndex((row) => row.getAttribute(ROW_KEY) === peeked) : focused;
    const row = rows[at];
    const rowKey = row?.getAttribute(ROW_KEY);
    if (key === ' ' && onPeek && rowKey && target instanceof HTMLAnchorElement && row?.contains(target))
      return () => onPeek(rowKey);
    if (!areShortcutsOn()) return undefined;
    const letter = key.toLowerCase();
    const next = at === -1 ? rows.findIndex(isInView) : at + (letter === 'j' ? 1 : -1);
    if ((letter === 'j' || letter === 'k') && rows[next]) return () => focusRow(rows[next]);
    const box = row?.querySelector<HTMLInputElement>('input[type=checkbox]');
    return letter === 'x' && box ? () => box.click() : undefined;
  }

  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

const isInView = (row: Element) => row.getBoundingClientRect().top >= 0;

/** Focuses the link of a row. */
export function focusRow(row: Element | null | undefined): void {
  row?.querySelector('a')?.focus({ preventScroll: true });
  // Respects the row's scroll margins, unlike the browser's own scrolling to the link.
  row?.scrollIntoView?.({ block: 'nearest' });
}
