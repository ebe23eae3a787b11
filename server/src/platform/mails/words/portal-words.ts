import type { schema } from '@orchestrate/db';
import type { AppType } from '@orchestrate/shared';
import type { MailText } from '../mail-text.ts';

/** All messages except the test email for a changed text. */
export type MailName = Exclude<schema.MessageTemplate, 'tried'>;

/** The portal's texts for emails and text messages in one language. */
export interface PortalWords {
  /** Default texts of emails. */
  texts: Readonly<Record<MailName, MailText>>;
  /** First line of all messages. */
  greeting: (firstName: string) => string;
  /** Small print of all emails: why the recipient gets it. */
  reason: (organisation: string) => string;
  /** Replace a code or link that is no longer valid. */
  codeGone: string;
  linkGone: string;
  /** Values of variables. */
  app: Readonly<Record<AppType, string>>;
  device: Readonly<Record<AppType, string>>;
  /** Label of the time in a security alert. */
  time: string;
  /** Sample security alert for a preview. */
  alert: schema.SecurityAlertText;
}
