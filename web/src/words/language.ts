import { readStored, writeStored } from '../lib/browser/stored.ts';

const KEY = 'orchestrate.language';

/** The languages with words of their own, each with its own name for itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

/** The languages that are offered: those whose words are complete. */
const OFFERED: readonly Language[] = ['en', 'de'];

/** A test of right-to-left pages: English, drawn from the right. Only chosen by its tag. */
export const PSEUDO = 'ar-XB';

export const isLanguage = (tag: string | null | undefined): tag is Language => OFFERED.some((each) => each === tag);

/** The best of the browser's languages (RFC 4647 §3.4, lookup); English where the portal speaks none of them. */
function spoken(): Language {
  for (const tag of navigator.languages) {
    const [language] = tag.toLowerCase().split('-');
    if (isLanguage(language)) return language;
  }
  return 'en';
}

/** What was chosen in this browser; null for the browser's own language. */
function chosen(): Language | typeof PSEUDO | null {
  const stored = readStored(KEY);
  return isLanguage(stored) || stored === PSEUDO ? stored : null;
}

/** The language of this page: the one chosen, else the browser's. */
export const pageLanguage = (): Language | typeof PSEUDO => chosen() ?? spoken();

/** The languages that this page does not speak, each with its own name for itself. */
export const otherLanguages = (): (readonly [Language, string])[] =>
  OFFERED.filter((tag) => tag !== pageLanguage()).map((tag) => [tag, LANGUAGES[tag]]);

/** Remembers the language in this browser and draws the page again in it. */
export function speak(language: Language): void {
  writeStored(KEY, language);
  window.location.reload();
}
