import { isDeepStrictEqual } from 'node:util';
import { ANY_VERSION, type ConfigurationPart } from '../../core/configuration/configuration-part.ts';
import { clean, saveMail, wordsOf } from './mail-texts.ts';

/** The words that a file gives the mails of an organisation. */
export const configuredMails: ConfigurationPart = ({ deps, actor, file: { given } }) =>
  (given.mails ?? []).map(({ name, ...words }, at) => ({
    path: ['mails', at],
    placeOf: (field) => ['mails', at, field],
    prepare: () => () => {
      const { subject, body } = wordsOf(deps.db, actor.orgCode, name);
      // The portal's own words are not made the organisation's.
      if (!isDeepStrictEqual(clean(words), { subject, body })) saveMail(deps, actor, name, words, ANY_VERSION);
    },
  }));
