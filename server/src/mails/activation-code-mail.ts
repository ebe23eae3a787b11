import type { AppType } from '@orchestrate/shared';
import { type MailContent, mailMessage, type OutgoingMail } from './mail-message.ts';
import { mailTime } from './mail-time.ts';

/** Brings a person the code with which the authenticator app is activated. */
export function activationCodeMail(
  id: string,
  {
    type,
    code,
    expiresAt,
    ...to
  }: Pick<MailContent, 'organisation' | 'member' | 'now'> & { type: AppType; code: string; expiresAt: number },
): OutgoingMail {
  return mailMessage(id, {
    ...to,
    subject: `Your activation code for ${to.organisation.name}`,
    code,
    paragraphs: [
      `This is your activation code for the ${type} authenticator app:`,
      `Enter it in the app together with your e-mail address and the organisation code “${to.organisation.orgCode}”. It can be used once, until ${mailTime(expiresAt)}.`,
      'Nobody will ever ask you for this code. If you did not expect it, you can ignore this mail.',
    ],
  });
}
