import { loadPart } from '#lib/browser/lazy-part.ts';
import { spokenLanguage } from './words.ts';

let say = (sentence: string): string => sentence;

async function load(): Promise<void> {
  const [{ translatorOf }, { default: sentences }] = await Promise.all([
    loadPart(() => import('./server/translator.ts')),
    loadPart(() => import('./server/de.json')),
  ]);
  say = translatorOf(sentences);
}

/** Resolves once `said` knows what it can know. The first page does not wait for it: nothing has been said by then. */
export const sentencesLoaded: Promise<void> =
  spokenLanguage === 'de' ? load().catch(() => undefined) : Promise.resolve();

/** What the server, or the contract, says in English, in the language of this page; as it is where it is not known. */
export const said = (sentence: string): string => say(sentence);
