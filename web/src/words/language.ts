import type { Language } from '@orchestrate/shared';
import { readStored, writeStored } from '#lib/browser/stored.ts';

const KEY = 'orchestrate.language';

/** The supported languages, with their own names. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };
const OFFERED = Object.keys(NAMES) as Language[];

/** Pseudo-locale for testing right-to-left pages: mirrored English. It isn't offered in the menu. */
export const PSEUDO = 'ar-XB';

export const isLanguage = (tag: string | null | undefined): tag is Language => OFFERED.some((each) => each === tag);

/** Returns the best of the browser's languages (RFC 4647 §3.4, lookup), or English if none is supported. */
function spoken(): Language {
  for (const tag of navigator.languages) {
    const [language] = tag.toLowerCase().split('-');
    if (isLanguage(language)) return language;
  }
  return 'en';
}

/** Returns the language chosen in this browser; null for the browser's own. */
function chosen(): Language | typeof PSEUDO | null {
  const stored = readStored(KEY);
  return isLanguage(stored) || stored === PSEUDO ? stored : null;
}

/** Returns the language of this page: the chosen one, or else the browser's. */
export const pageLanguage = (): Language | typeof PSEUDO => chosen() ?? spoken();

/** Returns the other supported languages, with their own names. */
export const otherLanguages = (): (readonly [Language, string])[] =>
  OFFERED.filter((tag) => tag !== pageLanguage()).map((tag) => [tag, NAMES[tag]]);

/** Stores the language in this browser and reloads the page. */
export function speak(language: Language): void {
  writeStored(KEY, language);
  // Without storage, the page would reload in the same language for ever.
  if (readStored(KEY) === language) window.location.reload();
}

/** Switches to the signed-in user's language, if it is another one. */
export function speakAs({ language }: { language: Language | null }): void {
  const spoken = pageLanguage();
  if (language && spoken !== PSEUDO && spoken !== language) speak(language);
}
