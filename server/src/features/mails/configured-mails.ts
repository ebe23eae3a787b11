import { isDeepStrictEqual } from 'node:util';
import type { ConfigurationPart } from '#core/configuration/configuration-part.ts';
import { ANY_VERSION } from '#platform/http/versions.ts';
import { saveMailLanguage } from './mail-language.ts';
import { mailWordsOf, normaliseLineBreaks, saveMail } from './mail-texts.ts';

/** Imports the email language and texts from a file. */
export const configuredMails: ConfigurationPart = ({ deps, actor, file: { given } }) => {
  const { mailLanguage, mails = [] } = given;
  const ofLanguage = {
    path: ['mailLanguage'],
    prepare: () => () => {
      if (mailLanguage) saveMailLanguage(deps, actor, mailLanguage, ANY_VERSION);
    },
  };
  const ofWords = mails.map(({ name, language = 'en', ...words }, at) => ({
    path: ['mails', at],
    placeOf: (field: string) => ['mails', at, field],
    prepare: () => () => {
      const key = { name, language };
      const { subject, body } = mailWordsOf(deps.db, actor.orgCode, key);
      // Don't save the portal's default texts as custom texts.
      if (!isDeepStrictEqual(normaliseLineBreaks(words), { subject, body }))
        saveMail(deps, actor, key, words, ANY_VERSION);
    },
  }));
  return [ofLanguage, ...ofWords];
};
