import { useState } from 'react';
import { currentSession } from '#lib/session/session.ts';
import { findDraftHere } from './drafts.ts';

/**
 * The rest of the name of the form on this page in which the signed-in person's session ended; undefined where there is
 * none whose name begins so.
 */
export const interruptedHere = (beginning: string): string | undefined =>
  findDraftHere(currentSession()?.profile.suid ?? '', beginning);

/** Whether a dialog is open: at once where a session ended in it. @param name under which its draft is kept */
export const useInterruptible = (name: string) => useState(() => interruptedHere(name) === '');

/**
 * Which item of a list a dialog edits, or 'new'; undefined while it is closed. Where a session ended in the dialog, it
 * is open again as soon as the list is there.
 * @param beginning of the names of its drafts, which end with the item's id or `new`
 */
export function useEdited<Item extends object>(
  beginning: string,
  items: readonly Item[] | undefined,
  idOf: (item: Item) => string,
) {
  const [chosen, setChosen] = useState(() => interruptedHere(beginning));
  const edited = chosen === 'new' ? ('new' as const) : items?.find((item) => idOf(item) === chosen);
  const edit = (item: Item | 'new') => setChosen(item === 'new' ? item : idOf(item));
  return { edited, edit, close: () => setChosen(undefined) };
}
