import { z } from 'zod';
import { email, id, optionalText, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { publicKey } from '../devices/authenticator.ts';
import { appType } from '../members/activation.ts';
import { accountStatus, deviceType, language } from '../models.ts';
import { base64, moment } from './fields.ts';

const passkey = z.lazy(() =>
  z.strictObject({
    credentialId: text(1_024),
    /** COSE_Key, base64. */
    publicKey: base64,
    counter: z.int().min(0).default(0),
    transports: z.array(text(40)).max(20).default([]),
    backedUp: z.boolean().default(false),
    /** Whether it can be backed up; null where it is not known yet. */
    backupEligible: z.boolean().nullable().default(null),
  }),
);

export const worldDevice = z.lazy(() =>
  z.strictObject({
    /** Its `zid`; made where not given. */
    id: id.optional(),
    type: deviceType.default('mobile'),
    name: text(100).optional(),
    nickName: optionalText(50).default(''),
    platform: text(100).default('Simulated'),
    status: z.enum(['active', 'paused', 'removed', 'lost']).default('active'),
    registeredAt: moment.optional(),
    lastLoginAt: moment.optional(),
    /** When a new device can start to approve changes; without it, the device already can. */
    approvesFrom: moment.optional(),
    /**
     * Its key pair: with `d` the portal simulates the device, without `d` somebody else has it. Made where not given;
     * null for a device that never signs.
     */
    key: z
      .strictObject({
        ...publicKey.shape,
        d: z
          .string()
          .regex(/^[\w-]{43}$/, 'P-256 keys must have 43 base64url characters')
          .optional(),
      })
      .nullable()
      .optional(),
    /** Of a security key or passkey. */
    passkey: passkey.optional(),
  }),
);

/** The activation code of an app. It has come by mail, like any other. */
const worldCode = z.lazy(() =>
  z.strictObject({
    type: appType.default('mobile'),
    code: z
      .string()
      .regex(/^\d{6}$/, 'Activation codes must have six digits')
      .optional(),
    issuedAt: moment.optional(),
    expiresAt: moment.optional(),
    usedAt: moment.optional(),
    wrongTries: z.int().min(0).default(0),
    wrongTriesInAll: z.int().min(0).optional(),
    wrongTriesByNetwork: z.record(z.string(), z.int().min(0)).default({}),
    /** Whether the mail that brought it is in the outbox. */
    mailed: z.boolean().default(true),
  }),
);

/** An invitation that was mailed; its link is in the mail alone. */
const worldInvitation = z.lazy(() =>
  z.strictObject({
    type: appType.default('mobile'),
    /** SHA-256 of the token in its link, base64url; made where not given, so that nobody has the link. */
    id: id.optional(),
    /** Where it was mailed to; the person's address where not given. */
    email: email.optional(),
    invitedAt: moment.optional(),
    /** From when its link can be followed; at once where not given. */
    validFrom: moment.optional(),
    /** When the link ends. */
    expiresAt: moment.optional(),
    /** When it last mailed a code. */
    usedAt: moment.optional(),
    /** When it stopped being open. */
    closedAt: moment.optional(),
    /** The address or id of the person who invited them. */
    invitedBy: text(254).optional(),
  }),
);

/** One sign-in of the history. */
const worldLogin = z.lazy(() =>
  z.strictObject({
    id: id.optional(),
    at: moment,
    /** The device's id. */
    device: id.nullable().optional(),
    deviceName: optionalText(200).default(''),
    deviceType: deviceType.nullable().default(null),
    /** The application's id; '' for the portal itself. */
    appId: optionalText(64).default(''),
    appName: optionalText(200).default('Portal'),
    mode: text(20).default('QID'),
    ip: optionalText(64).default('127.0.0.1'),
    status: z.enum(['Success', 'Failed']).default('Success'),
    reason: optionalText(100).nullable().default(null),
    disownedAt: moment.optional(),
  }),
);

/** An account at an external provider that signs the person in. */
const worldIdentity = z.lazy(() =>
  z.strictObject({
    id: id.optional(),
    issuer: text(2_000),
    subject: text(500),
    email: optionalText(254).default(''),
    linkedAt: moment.optional(),
    approvedAt: moment.optional(),
    lastUsedAt: moment.optional(),
  }),
);

export const worldPerson = z.lazy(() =>
  z.strictObject({
    email,
    /** Their `suid`; made from the organisation and the address where not given. */
    id: id.optional(),
    firstName: optionalText(100).optional(),
    lastName: optionalText(100).optional(),
    primaryAttr: text(254).optional(),
    mobileNumber: z
      .string()
      .regex(/^\+[1-9]\d{6,14}$/, 'Enter a number such as +46701234567')
      .optional(),
    role: text(60).default('USER'),
    status: accountStatus.default('active'),
    /** What enabling the person restores. */
    statusBeforePause: accountStatus.optional(),
    isManager: z.boolean().default(false),
    /** The address or id of a person of the same organisation. */
    manager: text(254).optional(),
    hasPermissionForMobileApp: z.boolean().default(true),
    hasPermissionForWindowsApp: z.boolean().default(true),
    /** In which they read the portal; that of the browser where not given. */
    language: language.optional(),
    createdAt: moment.optional(),
    lastSeenAt: moment.optional(),
    /** Null: it has not been verified. Newcomers' addresses are not, everybody else's were at `createdAt`. */
    emailVerifiedAt: moment.nullable().optional(),
    externalId: text(1_000).optional(),
    userName: text(1_000).optional(),
    provisionedAt: moment.optional(),
    /**
     * What a directory says beside the fields of this portal, in SCIM's words; those of the enterprise extension in
     * `enterprise`, those of `scimSchemas` in `extensions` by their URN.
     */
    directoryAttributes: z
      .record(z.string(), z.json())
      .refine((said) => JSON.stringify(said).length <= LIMITS.directoryAttributes, 'Too many characters')
      .optional(),
    /** One simulated phone where not given; none for people who have not registered. */
    devices: z.array(worldDevice).max(1_000).optional(),
    activationCodes: z.array(worldCode).max(2).default([]),
    invitations: z.array(worldInvitation).max(1_000).default([]),
    logins: z.array(worldLogin).max(100_000).default([]),
    identities: z.array(worldIdentity).max(1_000).default([]),
  }),
);

export type WorldPerson = z.output<typeof worldPerson>;
export type WorldDevice = z.output<typeof worldDevice>;
export type WorldInvitation = z.output<typeof worldInvitation>;
