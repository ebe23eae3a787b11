import { t } from '@lingui/core/macro';
import { LANGUAGES, type Language, type MailName } from '@orchestrate/shared';

/** Display names of the email languages. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: t`English`, de: t`German` };

/** Options for selecting a language. */
export const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));

/** Display names of the emails. */
export const MAIL_TITLES: Readonly<Record<MailName, string>> = {
  'activation-code': t`Activation code`,
  invitation: t`Invitation`,
  'new-device': t`New device`,
  'device-lost': t`Device reported lost`,
  'one-time-code': t`One-time code`,
  'email-code': t`Confirm an address`,
  'email-change': t`Address about to change`,
  'email-changed': t`Address has changed`,
  'security-alert': t`Security alert`,
  'sign-up-known': t`Already signed up`,
};
