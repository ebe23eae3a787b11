import { i18n, type Messages } from '@lingui/core';
import { loadPart } from '#lib/browser/lazy-part.ts';
import { PSEUDO, pageLanguage } from './language.ts';

/** A file of messages, as Vite imports it. */
export type Catalogue = () => Promise<{ messages: Messages }>;

const language = pageLanguage();

/** The language whose words a page is drawn with. */
export const spokenLanguage = language === PSEUDO ? 'en' : language;

/** Adds the words of a file to those of the page. */
export async function addWords(load: Catalogue | undefined): Promise<void> {
  const { messages } = (await load?.()) ?? { messages: {} };
  i18n.load(language, language === PSEUDO ? (await import('./pseudo.ts')).mirrored(messages) : messages);
}

document.documentElement.lang = language;
document.documentElement.dir = language === PSEUDO ? 'rtl' : 'ltr';

// Every module with words imports this one, so none runs before the words of the first page are there.
await addWords(() =>
  loadPart<{ messages: Messages }>(
    spokenLanguage === 'de'
      ? () => import('#features/sign-in/shared/words/de.po')
      : () => import('#features/sign-in/shared/words/en.po'),
  ),
).catch(() => undefined);
i18n.activate(language);

export { i18n };
