import { useState } from 'react';
import { currentSession } from '#lib/session/session.ts';
import { findDraftHere } from './drafts.ts';

/** Finds the form on this page that was interrupted by the end of the session, and returns its name after the prefix. */
export const findInterrupted = (beginning: string): string | undefined =>
  findDraftHere(currentSession()?.profile.suid ?? '', beginning);

/** Open state of a dialog; initially true if a session ended in it. @param name the name of its draft */
export const useOpenIfInterrupted = (name: string) => useState(() => findInterrupted(name) === '');

/**
 * The list item that a dialog edits, or 'new'; undefined while it is closed. If a session ended in the dialog, it opens
 * again once the list is loaded.
 * @param beginning prefix of the names of its drafts, which end with the item's id or `new`
 */
export function useEditedItem<Item extends object>(
  beginning: string,
  items: readonly Item[] | undefined,
  idOf: (item: Item) => string,
) {
  const [chosen, setChosen] = useState(() => findInterrupted(beginning));
  const edited = chosen === 'new' ? ('new' as const) : items?.find((item) => idOf(item) === chosen);
  const edit = (item: Item | 'new') => setChosen(item === 'new' ? item : idOf(item));
  return { edited, edit, close: () => setChosen(undefined) };
}
