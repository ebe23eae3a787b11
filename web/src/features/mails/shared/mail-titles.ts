import { t } from '@lingui/core/macro';
import { LANGUAGES, type Language, type MailName } from '@orchestrate/shared';

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: t`English`, de: t`German` };

export const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));

export const MAIL_TITLES: Readonly<Record<MailName, string>> = {
  'activation-code': t`Activation code`,
  invitation: t`Invitation`,
  'new-device': t`New device`,
  'device-lost': t`Device reported lost`,
  'one-time-code': t`One-time code`,
  'email-code': t`Confirm an email address`,
  'email-change': t`Email address about to change`,
  'email-changed': t`Email address changed`,
  'security-alert': t`Security alert`,
  'sign-up-known': t`Already signed up`,
};
