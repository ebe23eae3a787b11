import { loadPart } from '#lib/browser/lazy-part.ts';
import { spokenLanguage } from './words.ts';

let translate = (text: string): string => text;

async function load(): Promise<void> {
  const [{ translatorOf }, { default: sentences }] = await Promise.all([
    loadPart(() => import('./server/translator.ts')),
    loadPart(() => import('./server/de.json')),
  ]);
  translate = translatorOf(sentences);
}

/** Resolves when the translations are loaded. The first page doesn't wait for it, because it has no server texts. */
export const serverTextsLoaded: Promise<void> =
  spokenLanguage === 'de' ? load().catch(() => undefined) : Promise.resolve();

/** Translates an English text of the server or the contract to the page's language; returns unknown texts unchanged. */
export const translateServerText = (text: string): string => translate(text);
