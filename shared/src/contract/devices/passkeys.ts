import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, secret, text } from '../../fields.ts';
import { confirmation } from '../models.ts';
import { addDeviceApproval as approvalId } from '../sign-in/approvals.ts';

/**
 * Passkeys (W3C Web Authentication Level 3). Options and responses use the JSON forms of §5.1.8 and §5.1.9, limited
 * to what the portal needs.
 */
const base64url = (max: number) => text(max).regex(/^[\w-]+$/, "This isn't valid base64url");

const publicKeyType = z.literal('public-key');

/** Transports for reaching an authenticator, such as 'internal', 'usb' or 'hybrid'. */
const transports = z.array(text(32)).max(10);

/** Options for `navigator.credentials.create`. Times are in milliseconds. */
const creationOptions = z.object({
  challenge: secret(z.string()),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: publicKeyType, alg: z.number().int() })),
  /** The member's existing passkeys. An authenticator that already has one of these doesn't create another. */
  excludeCredentials: z.array(z.object({ type: publicKeyType, id: z.string(), transports: z.array(z.string()) })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
  timeout: z.number().int(),
});
export type PasskeyCreationOptions = z.output<typeof creationOptions>;

/** Options for `navigator.credentials.get`. They allow any passkey of this portal whose owner proves their presence. */
export const passkeyRequestOptions = z.object({
  challenge: secret(z.string()),
  rpId: z.string(),
  userVerification: z.literal('required'),
  timeout: z.number().int(),
});
export type PasskeyRequestOptions = z.output<typeof passkeyRequestOptions>;

const credential = z.object({
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: publicKeyType,
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
});

/** A new passkey, as returned by the browser. */
export const newPasskey = credential.extend({
  response: z.object({
    clientDataJSON: secret(base64url(8_192)),
    attestationObject: secret(base64url(32_768)),
    transports: transports.optional(),
  }),
});
export type NewPasskey = z.output<typeof newPasskey>;

/** A browser's proof of possession of a passkey. */
export const passkeyAssertion = credential.extend({
  response: z.object({
    clientDataJSON: secret(base64url(8_192)),
    authenticatorData: secret(base64url(8_192)),
    signature: secret(base64url(8_192)),
    userHandle: secret(base64url(128)).optional(),
  }),
});
export type PasskeyAssertion = z.output<typeof passkeyAssertion>;

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/device/passkey/options',
  unversioned: 'acts',
  area: 'Devices',
  summary: "Get the browser's options for adding a passkey",
  access: { who: 'signed-in' },
  body: z.object({ approvalId }),
  reply: z.object({
    registrationId: secret(z.string()),
    options: creationOptions,
    /** Time in which the passkey must be added, in seconds. */
    idTimeout: z.number().int(),
  }),
  refuses: ['WEBAUTHN_NOT_ENABLED', 'DEVICE_ADD_LIMIT_REACHED', 'AUTHENTICATION_INCOMPLETE'],
  // Getting the options doesn't register a passkey yet, so there is no audit event.
  events: [],
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/device/passkey',
  unversioned: 'creates',
  area: 'Devices',
  summary: 'Add the passkey that the browser created',
  access: { who: 'signed-in' },
  body: z.object({ registrationId: secret(id), credential: newPasskey }),
  reply: z.object({
    zid: z.string(),
    name: z.string(),
    /** Present if the member has or had another device. */
    confirmation: confirmation.optional(),
  }),
  refuses: [
    'WEBAUTHN_NOT_ENABLED',
    'DEVICE_ADD_LIMIT_REACHED',
    'SIGNATURE_MISMATCH',
    'ORG_ALREADY_ENABLED',
    'EXPIRED',
    'USER_INACTIVE',
  ],
  events: ['device.registered'],
});

/** Answers a sign-in started by POST user/login with mode WEBAUTHN, which is then exchanged like any other sign-in. */
export const approveByPasskey = endpoint({
  method: 'POST',
  path: '/user/login/passkey',
  area: 'Session and profile',
  summary: 'Approve a sign-in with a passkey',
  access: { who: 'public' },
  body: z.object({ loginId: secret(id), credential: passkeyAssertion }),
  reply: z.object({ exchangeToken: secret(z.string()), deviceName: z.string() }),
  news: ['LOGIN_SUCCESS'],
  refuses: [
    'ID_DOESNOT_EXIST',
    'WEBAUTHN_NOT_ENABLED',
    'SIGNATURE_MISMATCH',
    'DEVICE_NOT_TRUSTED',
    'DEVICE_INACTIVE',
    'USER_INACTIVE',
    'IP_NOT_VALID',
    'EXPIRED',
  ],
  refusalStatus: 400,
  // The sign-in history records the outcome, so there is no audit event.
  events: [],
});
