import type { schema } from '@orchestrate/db';
import type { AppType } from '@orchestrate/shared';
import type { MailText } from '../mail-text.ts';

/** All message kinds except the test email for a customised text. */
export type MessageName = Exclude<schema.MessageTemplate, 'tried'>;

/** The wording of the portal's emails and text messages in one language. */
export interface PortalWords {
  /** Default email texts. */
  texts: Readonly<Record<MessageName, MailText>>;
  /** First line of every message. */
  greeting: (firstName: string) => string;
  /** Small print of every email, which explains why the recipient gets the email. */
  reason: (organisation: string) => string;
  /** Notices that replace a code or link that is no longer valid. */
  codeGone: string;
  linkGone: string;
  /** App and device names used in messages, by app type. */
  app: Readonly<Record<AppType, string>>;
  device: Readonly<Record<AppType, string>>;
  /** Label before the time in a security alert. */
  time: string;
  /** Sample security alert for previews. */
  alert: schema.SecurityAlertText;
}
