import type { schema } from '@orchestrate/db';
import type { AppType } from '@orchestrate/shared';
import type { MailText } from '../mail-text.ts';

/** Every message but the one that tries words out. */
export type MailName = Exclude<schema.MessageTemplate, 'tried'>;

/** What the portal itself says in mails and text messages, in one language. */
export interface PortalWords {
  /** Unless an organisation has others. */
  texts: Readonly<Record<MailName, MailText>>;
  /** The first line of every message. */
  greeting: (firstName: string) => string;
  /** Below every mail: why somebody gets it. */
  reason: (organisation: string) => string;
  /** Stand where a code or a link was that can no longer be used. */
  codeGone: string;
  linkGone: string;
  /** What variables stand for. */
  app: Readonly<Record<AppType, string>>;
  device: Readonly<Record<AppType, string>>;
  /** The label of the time of a security alert. */
  time: string;
  /** An invented security alert, for a preview. */
  alert: schema.SecurityAlertText;
}
