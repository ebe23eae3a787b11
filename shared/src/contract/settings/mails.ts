import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, portalText, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { language } from '../models.ts';

/** Emails that an organisation can customise. `one-time-code` is also sent as a text message. */
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
 * An email's subject and body. Both can contain variables, in the syntax of name templates: `${firstName}`,
 * `${organisation|upper}`. The body consists of paragraphs separated by blank lines, without the greeting, which is
 * added to every email. A lone `${code}` is displayed large, `[label](${link})` as a button, and a paragraph that
 * starts with `> ` in small print.
 */
export const mailWords = z.object({
  /** Subject of the email, which can contain variables such as `${firstName}`. */
  subject: displayText(LIMITS.mailSubjectMaxLength),
  /** Body of the email, as text with variables. */
  body: text(LIMITS.mailBodyMaxLength),
});
export type MailWords = z.output<typeof mailWords>;

export const mailText = mailWords.extend({
  name: mailName,
  /** Language of the subject and body. */
  language,
  /** Description of the event that triggers the email. */
  about: portalText(z.string()),
  /** True if the organisation has customised this email. */
  isOwn: z.boolean(),
  /** Languages in which the organisation has customised this email. */
  ownIn: z.array(language),
  /** The default subject and body. */
  standard: z.object({ subject: z.string(), body: z.string() }),
  variables: z.array(
    z.object({
      name: z.string(),
      /** Description of the variable. */
      meaning: portalText(z.string()),
      /** True if the body must contain the variable in its own paragraph, because the variable grants access. */
      isNeeded: z.boolean(),
    }),
  ),
  version: z.string(),
});
export type MailText = z.output<typeof mailText>;

/** Language for emails to people who haven't chosen a language or aren't members yet. */
export const mailLanguageForm = z.object({ language });
export type MailLanguageForm = z.output<typeof mailLanguageForm>;

export const mailLanguage = mailLanguageForm.extend({ version: z.string() });
export type MailLanguage = z.output<typeof mailLanguage>;

const access = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;
const area = 'Settings' as const;
const params = z.object({ name: mailName });
/** Language of the email's copy. Each language has its own copy. */
const query = z.object({ language: language.default('en') });

export const listMailTexts = endpoint({
  method: 'GET',
  path: '/org/mails',
  area,
  access,
  summary: 'List the emails that the organisation sends, with their copy in one language',
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
  summary: "Set the language for emails to people who haven't chosen a language or aren't members yet",
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
    "Set an email's copy in one language; emails that were already sent also show the new copy when they are read again",
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
  summary: "Restore an email's default copy in one language",
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
  summary: 'Preview an email with this copy for a fictional person; nothing is saved',
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
  summary: 'Send yourself an email with this copy and sample values; nothing is saved',
  params,
  query,
  body: mailWords,
  reply: z.object({ to: z.string() }),
  refuses: ['ORG_EMAIL_LIMIT_REACHED'],
  events: ['mail-text.tried'],
});
