import type { MailName } from '@orchestrate/shared';

/** What administrators call the mails. */
export const MAIL_TITLES: Readonly<Record<MailName, string>> = {
  'activation-code': 'Activation code',
  invitation: 'Invitation',
  'new-device': 'New device',
  'device-lost': 'Device reported lost',
  'one-time-code': 'One-time code',
  'email-code': 'Confirm an address',
  'email-change': 'Address about to change',
  'email-changed': 'Address has changed',
  'security-alert': 'Security alert',
  'sign-up-known': 'Signed up already',
};
