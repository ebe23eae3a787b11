import { readStored, writeStored } from './stored.ts';

const KEY = 'orchestrate.shortcuts';

/** Returns true unless the user has turned single-key shortcuts off in this browser (WCAG 2.2, 2.1.4). */
export const areShortcutsOn = (): boolean => readStored(KEY) !== 'off';

export const setShortcutsOn = (isOn: boolean): void => writeStored(KEY, isOn ? null : 'off');

/** Open dialogs and menus. Closed ones can stay in the document. */
const OPEN_OVERLAY = ':is([role=dialog], [role=alertdialog], [role=menu]):not([data-state=closed], [hidden])';

/** Controls that letters are typed into. */
const TYPED_INTO = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]';

/** Returns true if a letter belongs to the page instead of the focused field or an open dialog or menu. */
export function isForPage({ target }: KeyboardEvent): boolean {
  if (document.querySelector(OPEN_OVERLAY)) return false;
  return !(target instanceof HTMLElement && target.closest(TYPED_INTO));
}
