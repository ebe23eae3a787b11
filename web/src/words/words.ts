import { i18n, type Messages } from '@lingui/core';
import { loadPart } from '#lib/browser/lazy-part.ts';
import { PSEUDO, pageLanguage } from './language.ts';

/** A lazily imported catalogue of messages. */
export type Catalogue = () => Promise<{ messages: Messages }>;

const language = pageLanguage();

/** The language of the loaded messages. */
export const spokenLanguage = language === PSEUDO ? 'en' : language;

/** Loads the messages of a catalogue. */
export async function addWords(load: Catalogue | undefined): Promise<void> {
  const { messages } = (await load?.()) ?? { messages: {} };
  i18n.load(language, language === PSEUDO ? (await import('./pseudo.ts')).mirrored(messages) : messages);
}

let translate = (text: string): string => text;

async function loadSharedTexts(): Promise<void> {
  const { SHARED_GERMAN, translatorOf } = await loadPart(() => import('@orchestrate/shared/words'));
  translate = translatorOf(SHARED_GERMAN);
}

/** Resolves once `translateShared` translates. The first page doesn't wait: it displays none of these texts yet. */
export const sharedTextsLoaded: Promise<void> =
  spokenLanguage === 'de' ? loadSharedTexts().catch(() => undefined) : Promise.resolve();

/**
 * Returns a text of the shared package, such as a field's message, in the language of this page. The server translates
 * its answers itself.
 */
export const translateShared = (text: string): string => translate(text);

document.documentElement.lang = language;
document.documentElement.dir = language === PSEUDO ? 'rtl' : 'ltr';

// Every module with messages imports this one, so none runs before the messages of the first page are loaded.
await addWords(() =>
  loadPart<{ messages: Messages }>(
    spokenLanguage === 'de'
      ? () => import('#features/sign-in/shared/words/de.po')
      : () => import('#features/sign-in/shared/words/en.po'),
  ),
).catch(() => undefined);
i18n.activate(language);

export { i18n };
