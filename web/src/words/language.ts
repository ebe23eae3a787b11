import type { Language } from '@orchestrate/shared';
import { readStored, writeStored } from '#lib/browser/stored.ts';

const KEY = 'orchestrate.language';

/** The languages with words of their own, each with its own name for itself. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };
const OFFERED = Object.keys(NAMES) as Language[];

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
  OFFERED.filter((tag) => tag !== pageLanguage()).map((tag) => [tag, NAMES[tag]]);

/** Remembers the language in this browser and draws the page again in it. */
export function speak(language: Language): void {
  writeStored(KEY, language);
  // Where nothing can be stored, the page would come back as it is, and be drawn again for ever.
  if (readStored(KEY) === language) window.location.reload();
}

/** Draws the page in the language of the person who is signed in, where that is another one. */
export function speakAs({ language }: { language: Language | null }): void {
  const spoken = pageLanguage();
  if (language && spoken !== PSEUDO && spoken !== language) speak(language);
}
