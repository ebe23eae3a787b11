import { ANY_VERSION, type ConfigurationPart } from '../../core/configuration/configuration-part.ts';
import { saveMail } from './mail-texts.ts';

/** The words that a file gives the mails of an organisation. */
export const configuredMails: ConfigurationPart = ({ deps, actor, file: { given } }) =>
  (given.mails ?? []).map(({ name, ...words }, at) => ({
    path: ['mails', at],
    placeOf: (field) => ['mails', at, field],
    prepare: () => () => saveMail(deps, actor, name, words, ANY_VERSION),
  }));
