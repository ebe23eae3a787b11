import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, portalText, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { language } from '../models.ts';

/** Emails whose texts an organisation can change; `one-time-code` is also sent as a text message. */
export const MAILS = [
  'activation-code',
  'invitation',
  'new-device',
  'device-lost',
  'one-time-code',
  'email-code',
  'email-change',
  'email-changed',
  'security-alert',
  'sign-up-known',
] as const;
export const mailName = z.enum(MAILS);
export type MailName = z.output<typeof mailName>;

/**
 * Texts of an email. Both can contain variables, in the syntax of name templates: `${firstName}`,
 * `${organisation|upper}`. The body consists of paragraphs separated by blank lines, without the greeting, which every
 * email has: a lone `${code}` is displayed large, `[label](${link})` as a button, and a paragraph that starts with `> `
 * in small print.
 */
export const mailWords = z.object({
  subject: displayText(LIMITS.mailSubjectMaxLength),
  body: text(LIMITS.mailBodyMaxLength),
});
export type MailWords = z.output<typeof mailWords>;

export const mailText = mailWords.extend({
  name: mailName,
  /** Language of these texts. */
  language,
  /** The event that sends it. */
  about: portalText(z.string()),
  /** True if these texts are the organisation's own. */
  isOwn: z.boolean(),
  /** Languages with the organisation's own texts. */
  ownIn: z.array(language),
  /** The default texts. */
  standard: z.object({ subject: z.string(), body: z.string() }),
  variables: z.array(
    z.object({
      name: z.string(),
      /** Meaning of the variable. */
      meaning: portalText(z.string()),
      /** True if the body must contain it in its own paragraph, because it grants access. */
      isNeeded: z.boolean(),
    }),
  ),
  version: z.string(),
});
export type MailText = z.output<typeof mailText>;

/** Language of emails to people who have chosen none, or are not members yet. */
export const mailLanguageForm = z.object({ language });
export type MailLanguageForm = z.output<typeof mailLanguageForm>;

export const mailLanguage = mailLanguageForm.extend({ version: z.string() });
export type MailLanguage = z.output<typeof mailLanguage>;

const access = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;
const area = 'Settings' as const;
const params = z.object({ name: mailName });
/** The language of the texts; each language has its own. */
const query = z.object({ language: language.default('en') });

export const listMailTexts = endpoint({
  method: 'GET',
  path: '/org/mails',
  area,
  access,
  summary: 'List the emails that the organisation sends, with their texts in one language',
  query,
  reply: z.object({ mails: z.array(mailText), mailLanguage }),
});

export const saveMailLanguage = endpoint({
  method: 'PUT',
  path: '/org/mail-language',
  area,
  access,
  versioned: 'mail-language',
  current: mailLanguage,
  summary: 'Set the language of emails to people who have chosen none, or are not members yet',
  body: mailLanguageForm,
  reply: z.object({ mailLanguage }),
  events: ['mail-language.updated'],
});

export const saveMailText = endpoint({
  method: 'PUT',
  path: '/org/mails/:name',
  area,
  access,
  versioned: 'mail-text',
  current: mailText,
  summary: 'Set the texts of an email in one language; sent emails also show them when they are read again',
  params,
  query,
  body: mailWords,
  reply: z.object({ mail: mailText }),
  events: ['mail-text.updated'],
});

export const deleteMailText = endpoint({
  method: 'DELETE',
  path: '/org/mails/:name',
  area,
  access,
  unversioned: 'deletes',
  summary: 'Restore the default texts of an email in one language',
  params,
  query,
  reply: z.object({ mail: mailText }),
  events: ['mail-text.updated'],
});

export const previewMailText = endpoint({
  method: 'POST',
  path: '/org/mails/:name/preview',
  area,
  access,
  unversioned: 'reads',
  summary: 'Preview an email with these texts for a made-up person; nothing is saved',
  params,
  query,
  body: mailWords,
  reply: z.object({ subject: z.string(), text: z.string(), html: z.string() }),
  events: [],
});

export const tryMailText = endpoint({
  method: 'POST',
  path: '/org/mails/:name/try',
  area,
  access,
  unversioned: 'acts',
  summary: 'Send the caller an email with these texts and made-up values; nothing is saved',
  params,
  query,
  body: mailWords,
  reply: z.object({ to: z.string() }),
  refuses: ['ORG_EMAIL_LIMIT_REACHED'],
  events: ['mail-text.tried'],
});
