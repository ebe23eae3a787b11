import { i18n, type Messages } from '@lingui/core';
import { PRIVATE_SEGMENTS } from '@orchestrate/shared';
import { loadPart } from '#lib/browser/lazy-part.ts';
import { PSEUDO_LOCALE, pageLanguage } from './language.ts';

/** Imports a message catalogue lazily. */
export type Catalogue = () => Promise<{ messages: Messages }>;

const language = pageLanguage();

/** Language of the loaded messages. */
export const spokenLanguage = language === PSEUDO_LOCALE ? 'en' : language;

/** Loads a catalogue's messages. */
export async function addWords(load: Catalogue | undefined): Promise<void> {
  const { messages } = (await load?.()) ?? { messages: {} };
  i18n.load(language, language === PSEUDO_LOCALE ? (await import('./pseudo.ts')).mirrorMessages(messages) : messages);
}

let translate = (text: string): string => text;

async function loadSharedTexts(): Promise<void> {
  const { SHARED_GERMAN, translatorOf } = await loadPart(() => import('@orchestrate/shared/words'));
  translate = translatorOf(SHARED_GERMAN);
}

/**
 * Resolves once `translateShared` can translate. The first page doesn't wait for this, because it doesn't display any
 * shared messages yet.
 */
export const sharedTextsLoaded: Promise<void> =
  spokenLanguage === 'de' ? loadSharedTexts().catch(() => undefined) : Promise.resolve();

/**
 * Returns a message from the shared package, such as a field's error, in this page's language. The server translates
 * its responses itself.
 */
export const translateShared = (text: string): string => translate(text);

document.documentElement.lang = language;
document.documentElement.dir = language === PSEUDO_LOCALE ? 'rtl' : 'ltr';

/** The messages of the first code. Private pages load a copy of them in the file of their other messages. */
const FIRST_WORDS = {
  en: () => import('#features/sign-in/shared/words/en.po'),
  de: () => import('#features/sign-in/shared/words/de.po'),
  'private en': () => import('#features/sign-in/shared/words/en.po?lingui'),
  'private de': () => import('#features/sign-in/shared/words/de.po?lingui'),
} satisfies Record<string, Catalogue>;

const isPrivate = PRIVATE_SEGMENTS.some((segment) => segment === window.location.pathname.split('/')[1]);

// Every module with messages imports this module, so none of them runs before the first page's messages are loaded.
await addWords(() =>
  loadPart<{ messages: Messages }>(FIRST_WORDS[isPrivate ? (`private ${spokenLanguage}` as const) : spokenLanguage]),
).catch(() => undefined);
i18n.activate(language);

export { i18n };
