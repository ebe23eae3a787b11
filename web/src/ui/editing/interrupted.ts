import { useState } from 'react';
import { currentSession } from '#lib/session/session.ts';
import { findDraftOnPage } from './drafts.ts';

/** Finds a form on this page that was open when a session ended, and returns its draft name without the prefix. */
export const findInterruptedForm = (beginning: string): string | undefined =>
  findDraftOnPage(currentSession()?.profile.suid ?? '', beginning);

/**
 * Returns a dialog's open state, which starts as true if a session ended while the dialog was open. @param name the
 * dialog's draft name
 */
export const useOpenIfInterrupted = (name: string) => useState(() => findInterruptedForm(name) === '');

/**
 * Returns the list item that a dialog edits, 'new' for a new item, or undefined while the dialog is closed. If a
 * session ended while the dialog was open, it reopens once the list is loaded.
 * @param beginning prefix of the dialog's draft names, which end with the item's ID or `new`
 */
export function useEditedItem<Item extends object>(
  beginning: string,
  items: readonly Item[] | undefined,
  idOf: (item: Item) => string,
) {
  const [chosen, setChosen] = useState(() => findInterruptedForm(beginning));
  const edited = chosen === 'new' ? ('new' as const) : items?.find((item) => idOf(item) === chosen);
  const edit = (item: Item | 'new') => setChosen(item === 'new' ? item : idOf(item));
  return { edited, edit, close: () => setChosen(undefined) };
}
