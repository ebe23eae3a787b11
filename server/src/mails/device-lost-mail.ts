import { type MailContent, mailMessage, type OutgoingMail } from './mail-message.ts';
import { mailTime } from './mail-time.ts';

/** Tells a person that a device has been reported lost, and what that means. */
export function deviceLostMail(
  id: string,
  { deviceName, ...to }: Pick<MailContent, 'organisation' | 'member' | 'now'> & { deviceName: string },
): OutgoingMail {
  return mailMessage(id, {
    ...to,
    subject: `Device reported lost: ${deviceName}`,
    paragraphs: [
      `The device “${deviceName}” was reported lost on ${mailTime(to.now)}. It can no longer approve sign-ins, and everything that was signed in with it has been signed out.`,
      'If this was a mistake, add the device again in the portal. If you have no other device, ask your Administrator for a new activation code.',
    ],
  });
}
