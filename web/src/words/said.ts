import { spokenLanguage } from './words.ts';

let say = (sentence: string): string => sentence;

if (spokenLanguage === 'de')
  // Not waited for: what the server says comes later than the page.
  void import('./server/translator.ts')
    .then(async ({ translatorOf }) => {
      say = translatorOf((await import('./server/de.json')).default);
    })
    .catch(() => undefined);

/** What the server, or the contract, says in English, in the language of this page; as it is where it is not known. */
export const said = (sentence: string): string => say(sentence);
