import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { language } from '../models.ts';

/** The mails of which an organisation may change the words; `one-time-code` also goes out as a text message. */
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
 * The words of a mail. Both have variables, as templates of names have them: `${firstName}`, `${organisation|upper}`.
 * The body is paragraphs with blank lines between them, without greeting and name, which every mail has: `${code}`
 * alone is shown large, `[label](${link})` as a button, and a paragraph that begins with `> ` as small print.
 */
export const mailWords = z.object({
  subject: displayText(LIMITS.mailSubjectMaxLength),
  body: text(LIMITS.mailBodyMaxLength),
});
export type MailWords = z.output<typeof mailWords>;

export const mailText = mailWords.extend({
  name: mailName,
  /** That these words are in. */
  language,
  /** When it is sent. */
  about: z.string(),
  /** Whether these words are the organisation's own. */
  isOwn: z.boolean(),
  /** The languages in which it has words of the organisation's own. */
  ownIn: z.array(language),
  /** The portal's words. */
  standard: z.object({ subject: z.string(), body: z.string() }),
  variables: z.array(
    z.object({
      name: z.string(),
      /** What it stands for. */
      meaning: z.string(),
      /** Whether the body must have it, in a paragraph of its own: what it stands for opens something. */
      isNeeded: z.boolean(),
    }),
  ),
  version: z.string(),
});
export type MailText = z.output<typeof mailText>;

/** Of mails to people who have chosen no language, or are not members yet. */
export const mailLanguageForm = z.object({ language });
export type MailLanguageForm = z.output<typeof mailLanguageForm>;

export const mailLanguage = mailLanguageForm.extend({ version: z.string() });
export type MailLanguage = z.output<typeof mailLanguage>;

const access = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;
const area = 'Settings' as const;
const params = z.object({ name: mailName });
/** The language whose words are meant: a mail has words of its own in each. */
const query = z.object({ language: language.default('en') });

export const listMailTexts = endpoint({
  method: 'GET',
  path: '/org/mails',
  area,
  access,
  summary: 'The mails that the organisation sends, with their words in one language',
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
  summary: 'The language of mails to people who have chosen none, or are not members yet',
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
  summary:
    'Give a mail words of its own in one language; those that have been sent have them too when they are read again',
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
  summary: 'Give a mail the portal’s words of one language again',
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
  summary: 'How a mail would look with these words, for an invented person; nothing is saved',
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
  summary: 'Send the caller a mail with these words and invented values; nothing is saved',
  params,
  query,
  body: mailWords,
  reply: z.object({ to: z.string() }),
  refuses: ['ORG_EMAIL_LIMIT_REACHED'],
  events: ['mail-text.tried'],
});
