import { type MailContent, mailMessage, type OutgoingMail } from './mail-message.ts';
import { mailTime } from './mail-time.ts';

/** Tells a person that a device has been added, in case it was not theirs. */
export function newDeviceMail(
  id: string,
  { deviceName, ...to }: Pick<MailContent, 'organisation' | 'member' | 'now'> & { deviceName: string },
): OutgoingMail {
  return mailMessage(id, {
    ...to,
    subject: `New device: ${deviceName}`,
    paragraphs: [
      `The device “${deviceName}” was added to your account at ${to.organisation.name} on ${mailTime(to.now)}. It can now approve your sign-ins.`,
      'If this was not you, sign in and report the device lost at once, or contact your Administrator.',
    ],
  });
}
