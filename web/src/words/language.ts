import type { Language } from '@orchestrate/shared';
import { readStored, writeStored } from '#lib/browser/stored.ts';

const KEY = 'orchestrate.language';

/** Supported languages and their native names. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };
const OFFERED = Object.keys(NAMES) as Language[];

/** Pseudo-locale for testing right-to-left pages: mirrored English. Not listed in the language menu. */
export const PSEUDO_LOCALE = 'ar-XB';

export const isLanguage = (tag: string | null | undefined): tag is Language => OFFERED.some((each) => each === tag);

/** Returns the best match for the browser's languages (RFC 4647 §3.4, lookup), or English if none is supported. */
function browserLanguage(): Language {
  for (const tag of navigator.languages) {
    const [language] = tag.toLowerCase().split('-');
    if (isLanguage(language)) return language;
  }
  return 'en';
}

/** Returns the language chosen in this browser, or null to use the browser's own language. */
function chosen(): Language | typeof PSEUDO_LOCALE | null {
  const stored = readStored(KEY);
  return isLanguage(stored) || stored === PSEUDO_LOCALE ? stored : null;
}

/** Returns this page's language: the chosen language, or the browser's if none is chosen. */
export const pageLanguage = (): Language | typeof PSEUDO_LOCALE => chosen() ?? browserLanguage();

/** Returns the other supported languages and their native names. */
export const otherLanguages = (): (readonly [Language, string])[] =>
  OFFERED.filter((tag) => tag !== pageLanguage()).map((tag) => [tag, NAMES[tag]]);

/** Stores the language in this browser and reloads the page. */
export function changeLanguage(language: Language): void {
  writeStored(KEY, language);
  // Without working storage, the page would keep reloading in the same language.
  if (readStored(KEY) === language) window.location.reload();
}

/** Switches to the signed-in user's language if the page is in another language. */
export function switchToLanguageOf({ language }: { language: Language | null }): void {
  const current = pageLanguage();
  if (language && current !== PSEUDO_LOCALE && current !== language) changeLanguage(language);
}
