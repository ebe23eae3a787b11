import { type schema, schema as tables } from '@orchestrate/db';
import type { Language } from '@orchestrate/shared';
import type { Brand } from './letter.ts';
import type { MailValues } from './mail-text.ts';
import { mailTime } from './mail-time.ts';
import { ENGLISH } from './words/english.ts';
import { GERMAN } from './words/german.ts';
import type { MailName, PortalWords } from './words/portal-words.ts';

type Facts = schema.MessageFacts;

/** A kind of mail, and what its words may say. */
export interface MailKind<Template extends MailName = MailName> {
  /** For administrators: when it is sent. */
  about: string;
  /** What each variable stands for, beside those of every mail. */
  variables: Readonly<Record<string, string>>;
  valuesOf: (facts: Facts[Template], said: Said) => MailValues;
  /** For a preview. `now` in milliseconds. */
  sampleAt: (now: number, words: PortalWords) => Facts[Template];
}

/** How the values of one language are written. */
interface Said {
  words: PortalWords;
  /** A time in milliseconds since the epoch. */
  time: (at: number) => string;
}

/** What the portal says, by language. */
export const PORTAL_WORDS: Readonly<Record<Language, PortalWords>> = { en: ENGLISH, de: GERMAN };

/** For `valuesOf`. */
export const saidIn = (language: Language): Said => ({
  words: PORTAL_WORDS[language],
  time: (at) => mailTime(at, language),
});

type Kinds = { [Name in MailName]: MailKind<Name> };

const HOUR = 3_600_000;
const SOMEBODY = { firstName: 'Robin' };
const CODE_END = 'until when the code can be used';

/** Every mail. */
export const MAIL_KINDS: Kinds = {
  'activation-code': {
    about: 'Someone gets a new activation code for their authenticator app',
    variables: { type: 'mobile or desktop', code: 'the activation code', expiresAt: CODE_END },
    valuesOf: ({ type, code, expiresAt }, { words, time }) => ({
      type: words.app[type],
      code,
      expiresAt: time(expiresAt),
    }),
    sampleAt: (now) => ({ ...SOMEBODY, type: 'mobile', code: '482913', expiresAt: now + 24 * HOUR }),
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
      ...SOMEBODY,
      type: 'mobile',
      link: 'https://portal.example/activate?token=sample',
      validFrom: now,
      expiresAt: now + 72 * HOUR,
    }),
  },

  'new-device': {
    about: 'A device was added to someone’s account',
    variables: { deviceName: 'the name of the device', at: 'when it was added' },
    valuesOf: ({ deviceName, at }, { time }) => ({ deviceName, at: time(at) }),
    sampleAt: (now) => ({ ...SOMEBODY, deviceName: 'Pixel 10', at: now }),
  },

  'device-lost': {
    about: 'A device was reported lost',
    variables: { deviceName: 'the name of the device', at: 'when it was reported' },
    valuesOf: ({ deviceName, at }, { time }) => ({ deviceName, at: time(at) }),
    sampleAt: (now) => ({ ...SOMEBODY, deviceName: 'Pixel 10', at: now }),
  },

  'one-time-code': {
    about: 'Someone signs up and verifies their address or number; also sent as a text message',
    variables: { code: 'the one-time code', expiresAt: CODE_END },
    valuesOf: ({ code, expiresAt }, { time }) => ({ code, expiresAt: time(expiresAt) }),
    sampleAt: (now) => ({ ...SOMEBODY, code: '482913', expiresAt: now + HOUR / 6 }),
  },

  'email-code': {
    about: 'Someone verifies an email address',
    variables: { code: 'the code to enter', expiresAt: CODE_END },
    valuesOf: ({ code, expiresAt }, { time }) => ({ code, expiresAt: time(expiresAt) }),
    sampleAt: (now) => ({ ...SOMEBODY, code: '482913', expiresAt: now + HOUR / 6 }),
  },

  'email-change': {
    about: 'Someone’s address is about to change; sent to the current one',
    variables: {
      newEmail: 'the new address',
      at: 'when it was asked for',
      expiresAt: 'until when it can be confirmed',
    },
    valuesOf: ({ newEmail, at, expiresAt }, { time }) => ({ newEmail, at: time(at), expiresAt: time(expiresAt) }),
    sampleAt: (now) => ({ ...SOMEBODY, newEmail: 'robin@example.com', at: now, expiresAt: now + HOUR / 6 }),
  },

  'email-changed': {
    about: 'Someone’s address has changed; sent to the previous one',
    variables: { newEmail: 'the new address', at: 'since when' },
    valuesOf: ({ newEmail, at }, { time }) => ({ newEmail, at: time(at) }),
    sampleAt: (now) => ({ ...SOMEBODY, newEmail: 'robin@example.com', at: now }),
  },

  'security-alert': {
    about: 'A possible attack was detected; sent to everyone who can change the security settings',
    variables: {
      alert: 'what happened, in a few words',
      what: 'what happened, in a sentence or two',
      details: 'who, from where and when, each in a line',
      advice: 'what to do now',
    },
    valuesOf: ({ subject, what, details, advice, at }, { words, time }) => ({
      alert: subject,
      what,
      details: [...details, [words.time, time(at)] as const].map(([label, value]) => `${label}: ${value}`),
      advice,
    }),
    sampleAt: (now, { alert }) => ({ ...SOMEBODY, ...alert, at: now }),
  },

  'sign-up-known': {
    about: 'Someone tried to sign up with a member’s address',
    variables: { ip: 'the network address', at: 'when' },
    valuesOf: ({ ip, at }, { time }) => ({ ip, at: time(at) }),
    sampleAt: (now) => ({ ...SOMEBODY, ip: '203.0.113.7', at: now }),
  },
};

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
