import type { Messages } from '@lingui/core';
import { addWords, type Catalogue, sharedTextsLoaded, spokenLanguage } from './words.ts';

/** Catalogues by path, except the sign-in page's catalogue, which is loaded first. */
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
  // Allows a later page to retry.
  loading.catch(() => loaded.delete(folder));
  return loading;
}

/** Catalogues in the same file as the messages shared by all pages, for screens in the shell's chunk. */
const SHARED = ['layout', 'features/dashboard', 'features/devices'];

/**
 * Loads a folder's messages and the messages shared by all pages before the folder's code, whose constants contain
 * messages.
 * @param folder e.g. `features/members` or `lab`
 * @param page imports the page
 */
export async function withWords<Page>(folder: string, page: () => Promise<Page>): Promise<Page> {
  await Promise.all([...SHARED.map(loadOnce), loadOnce(folder), sharedTextsLoaded]);
  return page();
}
