import { type schema, schema as tables } from '@orchestrate/db';
import type { Language } from '@orchestrate/shared';
import type { Brand } from './letter.ts';
import type { MailValues } from './mail-text.ts';
import { GERMAN } from './words/german.ts';
import type { MessageName, PortalWords } from './words/portal-words.ts';

const ENGLISH: PortalWords = {
  texts: {
    'activation-code': {
      subject: 'Your activation code for ${organisation}',
      body: `This is your activation code for the \${type} authenticator app:

\${code}

Enter it in the app together with your email address and the organisation code “\${orgCode}”. It can be used once, until \${expiresAt}.

> We’ll never ask you for this code. If you didn’t expect it, you can ignore this email.`,
    },

    invitation: {
      subject: 'You are invited to ${organisation}',
      body: `You have been invited to sign in to \${organisation} without a password, using the authenticator app on your \${device}.

[Activate your account](\${link})

After you open the link, we’ll email you the code that activates the app.

> The link can be used once, from \${validFrom} until \${expiresAt}. If you didn’t expect this invitation, you can ignore this email.`,
    },

    'new-device': {
      subject: 'New device: ${deviceName}',
      body: `The device “\${deviceName}” was added to your account at \${organisation} on \${at}. It can now approve your sign-ins.

If this wasn’t you, sign in and report the device lost immediately, or contact your administrator.

[Sign in](\${link})`,
    },

    'device-lost': {
      subject: 'Device reported lost: ${deviceName}',
      body: `The device “\${deviceName}” was reported lost on \${at}. It can no longer approve sign-ins, and every session it approved has been signed out.

If this was a mistake, add the device again in the portal. If you have no other device, ask your administrator for a new activation code.

[Sign in](\${link})`,
    },

    'one-time-code': {
      subject: 'Your one-time code for ${organisation}',
      body: `This is your one-time code to join \${organisation}:

\${code}

It can be used once, until \${expiresAt}.

> If you didn’t ask to join, you can ignore this message.`,
    },

    'email-code': {
      subject: 'Confirm your email address for ${organisation}',
      body: `To confirm that this is your email address, enter this code in your profile at \${organisation}:

\${code}

It can be used once, until \${expiresAt}.

> If you don’t have an account there or didn’t request this, you can ignore this message. Nothing will change.`,
    },

    'email-change': {
      subject: 'Your email address at ${organisation} is about to change',
      body: `On \${at}, someone signed in to your account at \${organisation} asked to replace this address with \${newEmail}. The change takes effect once the code sent to the new address is entered, by \${expiresAt} at the latest.

If this wasn’t you, sign in, open “Edit profile” and choose “Cancel the change”, or ask your administrator to do so. Then check your devices.

[Sign in](\${link})`,
    },

    'email-changed': {
      subject: 'Your email address at ${organisation} has changed',
      body: `Your account at \${organisation} has used the address \${newEmail} since \${at}. We no longer send emails to this address.

If this wasn’t you, contact your administrator immediately.`,
    },

    'security-alert': {
      subject: 'Security: ${alert}',
      body: `\${what}

\${details}

\${advice}

[Sign in](\${link})

> You’re receiving this because you can change the security settings of \${organisation}. Further alerts of the same kind within an hour aren’t emailed, but they are all listed in Activity.`,
    },

    'sign-up-known': {
      subject: 'You already have an account at ${organisation}',
      body: `Someone tried to sign up at \${organisation} with your email address on \${at}, from the IP address \${ip}. You already have an account there, so nothing has changed.

If this was you, sign in with your authenticator app. If you don’t have a device, ask your administrator for an activation code.

[Sign in](\${link})

> If this wasn’t you, you don’t have to do anything: we haven’t revealed that you have an account.`,
    },
  },
  greeting: (firstName) => `Hello ${firstName},`,
  reason: (organisation) =>
    `You’re receiving this email because you are a member of, or were invited to, ${organisation}.`,
  codeGone: '(This code is no longer valid.)',
  linkGone: '(This link is no longer valid.)',
  app: { mobile: 'mobile', desktop: 'desktop' },
  device: { mobile: 'phone', desktop: 'computer' },
  time: 'Time',
  alert: {
    subject: 'someone is guessing activation codes',
    what: 'Many wrong activation codes were entered from one network.',
    details: [['Address', '203.0.113.7']],
    advice: 'If you don’t recognise this network, block it under Security.',
  },
};

const OPTIONS = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC', year: 'numeric' } as const;
const FORMS = {
  en: () => new Intl.DateTimeFormat('en-GB', { ...OPTIONS, day: '2-digit', month: 'short' }),
  de: () => new Intl.DateTimeFormat('de-DE', { ...OPTIONS, day: 'numeric', month: 'long' }),
} as const satisfies Record<Language, () => Intl.DateTimeFormat>;

const formats: Partial<Record<Language, Intl.DateTimeFormat>> = {};

/** Returns a language's cached formatter. Creating a formatter takes 9 ms, so it is created with the first email. */
function formatOf(language: Language): Intl.DateTimeFormat {
  formats[language] ??= FORMS[language]();
  return formats[language];
}

/** Formats a time in UTC, e.g. `05 Jan 2026, 14:30 UTC` or `5. Januar 2026 um 14:30 UTC`. */
const mailTime = (time: number, language: Language): string => `${formatOf(language).format(time)} UTC`;

type Facts = schema.MessageFacts;

/** An email type: its description, variables and sample values. */
export interface MailKind<Template extends MessageName = MessageName> {
  /** Description for administrators: when this kind of email is sent. */
  about: string;
  /** Descriptions of the email's variables, in addition to the common variables. */
  variables: Readonly<Record<string, string>>;
  valuesOf: (facts: Facts[Template], formats: ValueFormats) => MailValues;
  /**
   * Returns sample facts for a preview.
   * @param now current time, in milliseconds since the epoch
   */
  sampleAt: (now: number, words: PortalWords) => Facts[Template];
}

/** Functions that format values in one language. */
interface ValueFormats {
  words: PortalWords;
  /** Formats a time in milliseconds since the epoch. */
  time: (at: number) => string;
}

/** The wording of the portal's messages, by language. */
export const PORTAL_WORDS: Readonly<Record<Language, PortalWords>> = { en: ENGLISH, de: GERMAN };

/** Returns the formatters for `valuesOf`. */
export const valueFormats = (language: Language): ValueFormats => ({
  words: PORTAL_WORDS[language],
  time: (at) => mailTime(at, language),
});

type Kinds = { [Name in MessageName]: MailKind<Name> };

const HOUR = 3_600_000;
const RECIPIENT = { firstName: 'Robin' };
const CODE_END = 'until when the code can be used';
const SIGN_IN_LINK = { link: 'the address of your organisation’s sign-in page' };

export const MAIL_KINDS: Kinds = {
  'activation-code': {
    about: 'Someone gets a new activation code for their authenticator app',
    variables: { type: 'mobile or desktop', code: 'the activation code', expiresAt: CODE_END },
    valuesOf: ({ type, code, expiresAt }, { words, time }) => ({
      type: words.app[type],
      code,
      expiresAt: time(expiresAt),
    }),
    sampleAt: (now) => ({ ...RECIPIENT, type: 'mobile', code: '482913', expiresAt: now + 24 * HOUR }),
  },

  invitation: {
    about: 'Someone is invited',
    variables: {
      device: 'phone or computer',
      link: 'the address that activates the account',
      validFrom: 'from when the link can be used',
      expiresAt: 'until when the link can be used',
    },
    valuesOf: ({ type, link, validFrom, expiresAt }, { words, time }) => ({
      device: words.device[type],
      link,
      validFrom: time(validFrom),
      expiresAt: time(expiresAt),
    }),
    sampleAt: (now) => ({
      ...RECIPIENT,
      type: 'mobile',
      link: 'https://portal.example/activate?token=sample',
      validFrom: now,
      expiresAt: now + 72 * HOUR,
    }),
  },

  'new-device': {
    about: 'A device was added to a member’s account',
    variables: { deviceName: 'the name of the device', at: 'when it was added', ...SIGN_IN_LINK },
    valuesOf: ({ deviceName, at }, { time }) => ({ deviceName, at: time(at) }),
    sampleAt: (now) => ({ ...RECIPIENT, deviceName: 'Pixel 10', at: now }),
  },

  'device-lost': {
    about: 'A device was reported lost',
    variables: { deviceName: 'the name of the device', at: 'when it was reported', ...SIGN_IN_LINK },
    valuesOf: ({ deviceName, at }, { time }) => ({ deviceName, at: time(at) }),
    sampleAt: (now) => ({ ...RECIPIENT, deviceName: 'Pixel 10', at: now }),
  },

  'one-time-code': {
    about: 'Someone signs up and verifies their email address or phone number; also sent as a text message',
    variables: { code: 'the one-time code', expiresAt: CODE_END },
    valuesOf: ({ code, expiresAt }, { time }) => ({ code, expiresAt: time(expiresAt) }),
    sampleAt: (now) => ({ ...RECIPIENT, code: '482913', expiresAt: now + HOUR / 6 }),
  },

  'email-code': {
    about: 'Someone verifies an email address',
    variables: { code: 'the code to enter', expiresAt: CODE_END },
    valuesOf: ({ code, expiresAt }, { time }) => ({ code, expiresAt: time(expiresAt) }),
    sampleAt: (now) => ({ ...RECIPIENT, code: '482913', expiresAt: now + HOUR / 6 }),
  },

  'email-change': {
    about: 'A member’s email address is about to change; sent to the current address',
    variables: {
      newEmail: 'the new address',
      at: 'when it was asked for',
      expiresAt: 'until when it can be confirmed',
      ...SIGN_IN_LINK,
    },
    valuesOf: ({ newEmail, at, expiresAt }, { time }) => ({ newEmail, at: time(at), expiresAt: time(expiresAt) }),
    sampleAt: (now) => ({ ...RECIPIENT, newEmail: 'robin@example.com', at: now, expiresAt: now + HOUR / 6 }),
  },

  'email-changed': {
    about: 'A member’s email address has changed; sent to the previous address',
    variables: { newEmail: 'the new address', at: 'since when' },
    valuesOf: ({ newEmail, at }, { time }) => ({ newEmail, at: time(at) }),
    sampleAt: (now) => ({ ...RECIPIENT, newEmail: 'robin@example.com', at: now }),
  },

  'security-alert': {
    about: 'A possible attack was detected; sent to everyone who can change the security settings',
    variables: {
      alert: 'what happened, in a few words',
      what: 'what happened, in a sentence or two',
      details: 'who, from where and when, each in a line',
      advice: 'what to do now',
      ...SIGN_IN_LINK,
    },
    valuesOf: ({ subject, what, details, advice, at }, { words, time }) => ({
      alert: subject,
      what,
      details: [...details, [words.time, time(at)] as const].map(([label, value]) => `${label}: ${value}`),
      advice,
    }),
    sampleAt: (now, { alert }) => ({ ...RECIPIENT, ...alert, at: now }),
  },

  'sign-up-known': {
    about: 'Someone tried to sign up with a member’s address',
    variables: { ip: 'the network address', at: 'when', ...SIGN_IN_LINK },
    valuesOf: ({ ip, at }, { time }) => ({ ip, at: time(at) }),
    sampleAt: (now) => ({ ...RECIPIENT, ip: '203.0.113.7', at: now }),
  },
};

/** Variables that every email can use. */
export const COMMON_VARIABLES = {
  firstName: 'the first name of the person',
  organisation: 'the name of your organisation',
  orgCode: 'the code of your organisation',
} as const;

/** Returns the values of the common variables, and the sign-in page's address for emails without another link. */
export const commonValues = ({ name, orgCode, publicUrl }: Brand, facts: { firstName: string }): MailValues => ({
  firstName: facts.firstName,
  organisation: name,
  orgCode,
  link: `${publicUrl}/${encodeURIComponent(orgCode)}/sign-in`,
});

/** Returns the secret that an email's body must contain, if any. */
export const requiredSecretOf = (template: MessageName): 'code' | 'link' | undefined =>
  Object.entries(tables.MESSAGE_SECRETS).find(([name]) => name === template)?.[1].fact;
