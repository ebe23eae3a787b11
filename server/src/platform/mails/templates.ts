import { type schema, schema as tables } from '@orchestrate/db';
import type { Brand } from './letter.ts';
import type { MailText, MailValues } from './mail-text.ts';
import { mailTime } from './mail-time.ts';

type Facts = schema.MessageFacts;

/** A kind of mail: its words unless an organisation has others, and what they may say. */
export interface MailKind<Template extends MailName = MailName> {
  /** For administrators: when it is sent. */
  about: string;
  text: MailText;
  /** What each variable stands for, beside those of every mail. */
  variables: Readonly<Record<string, string>>;
  valuesOf: (facts: Facts[Template]) => MailValues;
  /** For a preview. `now` in milliseconds. */
  sampleAt: (now: number) => Facts[Template];
}

/** Every message but the one that tries words out. */
export type MailName = Exclude<schema.MessageTemplate, 'tried'>;

type Kinds = { [Name in MailName]: MailKind<Name> };

const HOUR = 3_600_000;
const SOMEBODY = { firstName: 'Robin' };
const CODE_END = 'until when the code can be used';

/** The words of every mail. */
export const MAIL_KINDS: Kinds = {
  'activation-code': {
    about: 'Somebody gets a new activation code for their authenticator app',
    text: {
      subject: 'Your activation code for ${organisation}',
      body: `This is your activation code for the \${type} authenticator app:

\${code}

Enter it in the app together with your e-mail address and the organisation code “\${orgCode}”. It can be used once, until \${expiresAt}.

> Nobody will ever ask you for this code. If you did not expect it, you can ignore this mail.`,
    },
    variables: { type: 'mobile or desktop', code: 'the activation code', expiresAt: CODE_END },
    valuesOf: ({ type, code, expiresAt }) => ({ type, code, expiresAt: mailTime(expiresAt) }),
    sampleAt: (now) => ({ ...SOMEBODY, type: 'mobile', code: '482913', expiresAt: now + 24 * HOUR }),
  },

  invitation: {
    about: 'Somebody is invited',
    text: {
      subject: 'You are invited to ${organisation}',
      body: `You have been invited to sign in to \${organisation} without a password: the authenticator app on your \${device} takes its place.

[Activate your account](\${link})

The link brings you a second mail, with the code that activates the app.

> The link can be used once, from \${validFrom} until \${expiresAt}. If you did not expect this invitation, you can ignore this mail.`,
    },
    variables: {
      device: 'phone or computer',
      link: 'the address that activates the account',
      validFrom: 'from when the link can be used',
      expiresAt: 'until when the link can be used',
    },
    valuesOf: ({ type, link, validFrom, expiresAt }) => ({
      device: DEVICE[type],
      link,
      validFrom: mailTime(validFrom),
      expiresAt: mailTime(expiresAt),
    }),
    sampleAt: (now) => ({
      ...SOMEBODY,
      type: 'mobile',
      link: 'https://portal.example/activate?token=sample',
      validFrom: now,
      expiresAt: now + 72 * HOUR,
    }),
  },

  'new-device': {
    about: 'A device was added to somebody’s account',
    text: {
      subject: 'New device: ${deviceName}',
      body: `The device “\${deviceName}” was added to your account at \${organisation} on \${at}. It can now approve your sign-ins.

If this was not you, sign in and report the device lost at once, or contact your Administrator.`,
    },
    variables: { deviceName: 'the name of the device', at: 'when it was added' },
    valuesOf: ({ deviceName, at }) => ({ deviceName, at: mailTime(at) }),
    sampleAt: (now) => ({ ...SOMEBODY, deviceName: 'Pixel 10', at: now }),
  },

  'device-lost': {
    about: 'A device was reported lost',
    text: {
      subject: 'Device reported lost: ${deviceName}',
      body: `The device “\${deviceName}” was reported lost on \${at}. It can no longer approve sign-ins, and everything that was signed in with it has been signed out.

If this was a mistake, add the device again in the portal. If you have no other device, ask your Administrator for a new activation code.`,
    },
    variables: { deviceName: 'the name of the device', at: 'when it was reported' },
    valuesOf: ({ deviceName, at }) => ({ deviceName, at: mailTime(at) }),
    sampleAt: (now) => ({ ...SOMEBODY, deviceName: 'Pixel 10', at: now }),
  },

  'one-time-code': {
    about: 'Somebody signs up, and proves their address or number; also sent as a text message',
    text: {
      subject: 'Your one-time code for ${organisation}',
      body: `This is your one-time code to join \${organisation}:

\${code}

It can be used once, until \${expiresAt}.

> If you did not ask to join, you can ignore this message.`,
    },
    variables: { code: 'the one-time code', expiresAt: CODE_END },
    valuesOf: ({ code, expiresAt }) => ({ code, expiresAt: mailTime(expiresAt) }),
    sampleAt: (now) => ({ ...SOMEBODY, code: '482913', expiresAt: now + HOUR / 6 }),
  },

  'email-code': {
    about: 'Somebody proves that they read mail at an address',
    text: {
      subject: 'Confirm your e-mail address for ${organisation}',
      body: `This code proves that you read mail at this address. Enter it on your page at \${organisation}:

\${code}

It can be used once, until \${expiresAt}.

> If you have no account there, or did not ask for this, you can ignore this message: nothing changes.`,
    },
    variables: { code: 'the code to enter', expiresAt: CODE_END },
    valuesOf: ({ code, expiresAt }) => ({ code, expiresAt: mailTime(expiresAt) }),
    sampleAt: (now) => ({ ...SOMEBODY, code: '482913', expiresAt: now + HOUR / 6 }),
  },

  'email-change': {
    about: 'Somebody’s address is about to change; sent to the present one',
    text: {
      subject: 'Your e-mail address at ${organisation} is about to change',
      body: `On \${at} somebody signed in to your account at \${organisation} asked to replace this address with \${newEmail}. The change takes effect once the code sent to the new address is entered, by \${expiresAt} at the latest.

If this was not you, sign in, open “Edit profile” and choose “Cancel the change”, or ask your Administrator to do so. Then check your devices.`,
    },
    variables: {
      newEmail: 'the new address',
      at: 'when it was asked for',
      expiresAt: 'until when it can be confirmed',
    },
    valuesOf: ({ newEmail, at, expiresAt }) => ({ newEmail, at: mailTime(at), expiresAt: mailTime(expiresAt) }),
    sampleAt: (now) => ({ ...SOMEBODY, newEmail: 'robin@example.com', at: now, expiresAt: now + HOUR / 6 }),
  },

  'email-changed': {
    about: 'Somebody’s address has changed; sent to the former one',
    text: {
      subject: 'Your e-mail address at ${organisation} has changed',
      body: `Since \${at} your account at \${organisation} uses the address \${newEmail}. Mail no longer goes to this one.

If this was not you, contact your Administrator at once.`,
    },
    variables: { newEmail: 'the new address', at: 'since when' },
    valuesOf: ({ newEmail, at }) => ({ newEmail, at: mailTime(at) }),
    sampleAt: (now) => ({ ...SOMEBODY, newEmail: 'robin@example.com', at: now }),
  },

  'security-alert': {
    about: 'Something points at an attack; sent to those who can change the security settings',
    text: {
      subject: 'Security: ${alert}',
      body: `\${what}

\${details}

\${advice}

> You receive this because you can change the security settings of \${organisation}. Further alerts of the same kind within an hour are not mailed; Activity lists them all.`,
    },
    variables: {
      alert: 'what happened, in a few words',
      what: 'what happened, in a sentence or two',
      details: 'who, from where and when, each in a line',
      advice: 'what to do now',
    },
    valuesOf: ({ subject, what, details, advice, at }) => ({
      alert: subject,
      what,
      details: [...details, ['Time', mailTime(at)] as const].map(([label, value]) => `${label}: ${value}`),
      advice,
    }),
    sampleAt: (now) => ({
      ...SOMEBODY,
      subject: 'somebody is guessing activation codes',
      what: 'Many wrong activation codes came from one network.',
      details: [['Address', '203.0.113.7']],
      advice: 'If you do not know this network, block it under Security.',
      at: now,
    }),
  },

  'sign-up-known': {
    about: 'Somebody tried to sign up with the address of a member',
    text: {
      subject: 'You already have an account at ${organisation}',
      body: `Somebody tried to sign up at \${organisation} with your e-mail address on \${at}, from the address \${ip}. You already have an account there, so nothing was changed.

If this was you, sign in with your authenticator app. If you have no device yet, or no longer have it, ask your Administrator for an activation code.

> If this was not you, there is nothing to do: nobody was told that you have an account.`,
    },
    variables: { ip: 'the network address', at: 'when' },
    valuesOf: ({ ip, at }) => ({ ip, at: mailTime(at) }),
    sampleAt: (now) => ({ ...SOMEBODY, ip: '203.0.113.7', at: now }),
  },
};

const DEVICE = { mobile: 'phone', desktop: 'computer' };

/** Variables of every mail. */
export const COMMON_VARIABLES = {
  firstName: 'the first name of the person',
  organisation: 'the name of your organisation',
  orgCode: 'the code of your organisation',
} as const;

export const commonValues = ({ name, orgCode }: Brand, { firstName }: { firstName: string }): MailValues => ({
  firstName,
  organisation: name,
  orgCode,
});

/** Which of its variables opens something, and must be in its body. */
export const secretOf = (template: MailName): 'code' | 'link' | undefined =>
  Object.entries(tables.SECRETS_OF_MESSAGES).find(([name]) => name === template)?.[1].fact;
