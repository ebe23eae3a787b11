import type { Messages } from '@lingui/core';
import { sentencesLoaded } from './said.ts';
import { addWords, type Catalogue, spokenLanguage } from './words.ts';

/** The folders with words of their own, and a file for each language. Those of the sign-in page are loaded from the start. */
const FILES: Record<string, Catalogue> = import.meta.glob<{ messages: Messages }>([
  '../*/words/*.po',
  '../features/*/words/*.po',
  '!../features/sign-in/shared/words/*.po',
  '!../features/sign-in/words/*.po',
]);

const loaded = new Map<string, Promise<void>>();

function loadOnce(folder: string): Promise<void> {
  const known = loaded.get(folder);
  if (known !== undefined) return known;
  const loading = addWords(FILES[`../${folder}/words/${spokenLanguage}.po`]);
  loaded.set(folder, loading);
  // A later page tries again.
  loading.catch(() => loaded.delete(folder));
  return loading;
}

/**
 * Loads the words of a folder of pages, and those that all pages share, before its code: its constants hold words.
 * @param folder as in `features/members` or `lab`
 * @param page imports the page
 */
export async function withWords<Page>(folder: string, page: () => Promise<Page>): Promise<Page> {
  await Promise.all([loadOnce('layout'), loadOnce(folder), sentencesLoaded]);
  return page();
}
