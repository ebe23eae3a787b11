import type { schema } from '@orchestrate/db';
import { type Brand, type Letter, note, text } from './letter.ts';
import { mailTime } from './mail-time.ts';

type Facts = schema.MessageFacts;

type Templates = { [Template in schema.MessageTemplate]: (brand: Brand, facts: Facts[Template]) => Letter };

/** The words of every mail. */
export const templates: Templates = {
  'activation-code': ({ name, orgCode }, { firstName, type, code, expiresAt }) => ({
    subject: `Your activation code for ${name}`,
    firstName,
    blocks: [
      text(`This is your activation code for the ${type} authenticator app:`),
      { kind: 'code', code },
      text(
        `Enter it in the app together with your e-mail address and the organisation code “${orgCode}”. It can be used once, until ${mailTime(expiresAt)}.`,
      ),
      note('Nobody will ever ask you for this code. If you did not expect it, you can ignore this mail.'),
    ],
  }),

  invitation: ({ name }, { firstName, type, link, validFrom, expiresAt }) => ({
    subject: `You are invited to ${name}`,
    firstName,
    blocks: [
      text(
        `You have been invited to sign in to ${name} without a password: the authenticator app on your ${DEVICE[type]} takes its place.`,
      ),
      { kind: 'link', label: 'Activate your account', href: link },
      text('The link brings you a second mail, with the code that activates the app.'),
      note(
        `The link can be used once, from ${mailTime(validFrom)} until ${mailTime(expiresAt)}. If you did not expect this invitation, you can ignore this mail.`,
      ),
    ],
  }),

  'new-device': ({ name }, { firstName, deviceName, at }) => ({
    subject: `New device: ${deviceName}`,
    firstName,
    blocks: [
      text(
        `The device “${deviceName}” was added to your account at ${name} on ${mailTime(at)}. It can now approve your sign-ins.`,
      ),
      text('If this was not you, sign in and report the device lost at once, or contact your Administrator.'),
    ],
  }),

  'device-lost': (_brand, { firstName, deviceName, at }) => ({
    subject: `Device reported lost: ${deviceName}`,
    firstName,
    blocks: [
      text(
        `The device “${deviceName}” was reported lost on ${mailTime(at)}. It can no longer approve sign-ins, and everything that was signed in with it has been signed out.`,
      ),
      text(
        'If this was a mistake, add the device again in the portal. If you have no other device, ask your Administrator for a new activation code.',
      ),
    ],
  }),

  'one-time-code': ({ name }, { firstName, code, expiresAt }) => ({
    subject: `Your one-time code for ${name}`,
    firstName,
    blocks: [
      text(`This is your one-time code to join ${name}:`),
      { kind: 'code', code },
      text(`It can be used once, until ${mailTime(expiresAt)}.`),
      note('If you did not ask to join, you can ignore this message.'),
    ],
  }),

  'email-code': ({ name }, { firstName, code, expiresAt }) => ({
    subject: `Confirm your e-mail address for ${name}`,
    firstName,
    blocks: [
      text(`This code proves that you read mail at this address. Enter it on your page at ${name}:`),
      { kind: 'code', code },
      text(`It can be used once, until ${mailTime(expiresAt)}.`),
      note('If you have no account there, or did not ask for this, you can ignore this message: nothing changes.'),
    ],
  }),

  'email-change': ({ name }, { firstName, newEmail, at, expiresAt }) => ({
    subject: `Your e-mail address at ${name} is about to change`,
    firstName,
    blocks: [
      text(
        `On ${mailTime(at)} somebody signed in to your account at ${name} asked to replace this address with ${newEmail}. The change takes effect once the code sent to the new address is entered, by ${mailTime(expiresAt)} at the latest.`,
      ),
      text(
        'If this was not you, sign in, open “Edit profile” and choose “Cancel the change”, or ask your Administrator to do so. Then check your devices.',
      ),
    ],
  }),

  'email-changed': ({ name }, { firstName, newEmail, at }) => ({
    subject: `Your e-mail address at ${name} has changed`,
    firstName,
    blocks: [
      text(
        `Since ${mailTime(at)} your account at ${name} uses the address ${newEmail}. Mail no longer goes to this one.`,
      ),
      text('If this was not you, contact your Administrator at once.'),
    ],
  }),

  'security-alert': ({ name }, { firstName, subject, what, details, advice, at }) => ({
    subject: `Security: ${subject}`,
    firstName,
    blocks: [
      text(what),
      ...[...details, ['Time', mailTime(at)] as const].map(([label, value]) => text(`${label}: ${value}`)),
      text(advice),
      note(
        `You receive this because you can change the security settings of ${name}. Further alerts of the same kind within an hour are not mailed; Activity lists them all.`,
      ),
    ],
  }),

  'sign-up-known': ({ name }, { firstName, ip, at }) => ({
    subject: `You already have an account at ${name}`,
    firstName,
    blocks: [
      text(
        `Somebody tried to sign up at ${name} with your e-mail address on ${mailTime(at)}, from the address ${ip}. You already have an account there, so nothing was changed.`,
      ),
      text(
        'If this was you, sign in with your authenticator app. If you have no device yet, or no longer have it, ask your Administrator for an activation code.',
      ),
      note('If this was not you, there is nothing to do: nobody was told that you have an account.'),
    ],
  }),
};

const DEVICE = { mobile: 'phone', desktop: 'computer' };
