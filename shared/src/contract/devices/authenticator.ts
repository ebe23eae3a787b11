import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import {
  activationCode,
  code,
  displayText,
  email,
  id,
  jws,
  nameText,
  orgCode,
  portalText,
  secret,
  text,
} from '../../fields.ts';
import { appType } from '../members/activation.ts';
import { confirmation, profile } from '../models.ts';

/** The public key of a device's P-256 key pair (RFC 7518 §6.2). */
export const publicKey = z.object({
  /** Key type. */
  kty: z.literal('EC'),
  /** Elliptic curve. */
  crv: z.literal('P-256'),
  /** X coordinate: 32 bytes in base64url. */
  x: z.string().regex(/^[\w-]{43}$/, 'P-256 coordinates must have 43 base64url characters'),
  /** Y coordinate: 32 bytes in base64url. */
  y: z.string().regex(/^[\w-]{43}$/, 'P-256 coordinates must have 43 base64url characters'),
});
export type PublicKey = z.output<typeof publicKey>;

/** How a device describes itself. */
export const deviceDescription = z.object({ name: nameText(60), type: appType, platform: displayText(60) });
export type DeviceDescription = z.output<typeof deviceDescription>;

/** A request awaiting the member's answer on the device. */
export const pendingChallenge = z.object({
  challengeId: secret(z.string()),
  kind: z.enum(['login', 'app-login', 'verbal', 'test', 'approval']),
  orgCode: z.string(),
  orgName: z.string(),
  appName: z.string().optional(),
  /** Approval: the action, as in `POST user/approval`, and the statement to approve. */
  action: z.string().optional(),
  statement: portalText(z.string()).optional(),
  requester: z.object({ ip: z.string(), userAgent: z.string(), fullName: z.string().optional() }),
  /** Two-digit numbers. The browser displays one of them. */
  numberChoices: z.array(z.string()).optional(),
  /** True if the organisation requires the app's PIN before an approval. */
  appLock: z.boolean(),
  requestedAt: z.string(),
  expiresAt: z.string(),
});
export type PendingChallenge = z.output<typeof pendingChallenge>;

/** A registered device's signed request: the device ID and a compact JWS whose payload is the command. */
const signedCall = z.object({ zid: id.optional(), jws });

/** Claims of every device JWS (contract §14). `iat` is in seconds, and each `jti` can be used only once. */
export const deviceClaims = z.object({
  // A copy of `orgCode`, whose absence is reported as a missing organisation (24). The absence of this copy is
  // reported as a missing claim.
  aud: orgCode.clone(),
  iat: z.number().int(),
  jti: text(64),
  /**
   * Thumbprint of the signing key (RFC 7638). Optional; if present, a refusal can distinguish a wrong key from wrong
   * content.
   */
  jkt: text(64).optional(),
});
/** Payloads of signed commands, extending `deviceClaims`. */
export const activateClaims = deviceClaims.extend({ email });
export const pairClaims = deviceClaims.extend({ aid: secret(text(64)) });
export const pairStatusClaims = deviceClaims.extend({ pairingId: secret(id).optional() });
export const resolveClaims = deviceClaims.extend({ code });
export const denyReason = z.enum(['not-me', 'cancel']);
export type DenyReason = z.output<typeof denyReason>;
export const respondClaims = deviceClaims.extend({
  challengeId: secret(id),
  decision: z.enum(['approve', 'deny']),
  number: text(2).optional(),
  reason: denyReason.optional(),
});

const SIGNATURE_REFUSALS = [
  'SIGNATURE_MISMATCH',
  'EXPIRED',
  'REQUESTER_ZID_MISSING',
  'DEVICE_NOT_TRUSTED',
  'DEVICE_INACTIVE',
  'DESKTOP_APP_REMOVED',
  'USER_INACTIVE',
] as const;

export const activate = endpoint({
  method: 'POST',
  path: '/authenticator/activate',
  area: 'Authenticator',
  summary: 'Register a device with an activation code',
  access: { who: 'device' },
  body: z.object({ orgCode, email, activationCode, device: deviceDescription, publicKey, proof: jws }),
  reply: z.object({
    zid: z.string(),
    suid: z.string(),
    orgName: z.string(),
    profile,
    /** Present if the code came from the member's own session and the member has or had another device. */
    confirmation: confirmation.optional(),
  }),
  events: ['device.activated', 'member.activated', 'attack.activation-guessing'],
  refuses: [
    'SIGNATURE_MISMATCH',
    'ORG_CODE_NOT_FOUND',
    'ORG_EMAIL_NOT_FOUND',
    'ACTIVATION_CODE_NOT_FOUND',
    'EXPIRED',
    'ACCOUNT_LOCKED',
    'ACTIVATION_CODE_MISMATCH',
    'DESKTOP_APP_NOT_ENABLED',
    'MOBILE_APP_NOT_ENABLED',
    'AUTHENTICATOR_DISALLOWED',
    'DEVICE_ADD_LIMIT_REACHED',
    'ORG_ALREADY_ENABLED',
    'MOBILE_UNVERIFIED',
    'USER_INACTIVE',
  ],
});

export const pair = endpoint({
  method: 'POST',
  path: '/authenticator/pair',
  area: 'Authenticator',
  summary: 'Connect a new device with an add-device code from the portal',
  access: { who: 'device' },
  body: z.object({ orgCode, aid: secret(text(64)), device: deviceDescription, publicKey, proof: jws }),
  reply: z.object({
    pairingId: secret(z.string()),
    orgName: z.string(),
    /** Two characters the member enters in the portal. Present only if the add-device code was typed. */
    verificationCode: z.string().optional(),
    expiresAt: z.string(),
  }),
  refuses: [
    'SIGNATURE_MISMATCH',
    'ORG_CODE_NOT_FOUND',
    'EXPIRED',
    'DEVICE_ADD_LIMIT_REACHED',
    'ORG_ALREADY_ENABLED',
    'DESKTOP_APP_NOT_ENABLED',
    'MOBILE_APP_NOT_ENABLED',
    'AUTHENTICATOR_DISALLOWED',
    'USER_INACTIVE',
  ],
  // Nothing is recorded yet, because the device isn't registered until its owner has confirmed it.
  events: [],
});

export const pairStatus = endpoint({
  method: 'POST',
  path: '/authenticator/pair/status',
  area: 'Authenticator',
  summary:
    "Check whether the portal has confirmed the new device. The request is signed with the device's key, without `kid` until it has a zid",
  access: { who: 'device' },
  body: z.object({ pairingId: secret(id), jws }),
  reply: z.object({
    status: z.enum(['notify', 'complete', 'denied', 'expired']),
    zid: z.string().optional(),
    suid: z.string().optional(),
    profile: profile.optional(),
    /** Present with `complete` if the member has or had another device. */
    confirmation: confirmation.optional(),
  }),
  news: ['ADD_DEVICE_NO_CONSENT', 'INVALID_VALIDATION_CODE', 'EXPIRED', 'DEVICE_ADD_LIMIT_REACHED'],
  refuses: ['SIGNATURE_MISMATCH', 'EXPIRED', 'ID_DOESNOT_EXIST'],
  // Checking the status doesn't modify any data, so there is no audit event.
  events: [],
});

export const resolve = endpoint({
  method: 'POST',
  path: '/authenticator/resolve',
  area: 'Authenticator',
  summary: 'Open the request behind a scanned or typed code. For a device test, this completes the test',
  access: { who: 'device' },
  body: signedCall,
  reply: z.object({ challenge: pendingChallenge }),
  news: ['TEST_DEVICE_SUCCESS'],
  refuses: [
    ...SIGNATURE_REFUSALS,
    'DID_NOT_ENABLED',
    'DESKTOP_DOES_NOT_SUPPORT_DID',
    'AUTHENTICATOR_DISALLOWED',
    'AUTHENTICATION_INCOMPLETE',
  ],
  // Opening a request doesn't modify any audited data, so there is no audit event.
  events: [],
});

export const respond = endpoint({
  method: 'POST',
  path: '/authenticator/respond',
  area: 'Authenticator',
  summary: 'Approve or deny a request, once. Denying it as “not me” reports it and ends the requester’s other sign-ins',
  access: { who: 'device' },
  body: signedCall,
  reply: z.object({
    /** After `reason: 'not-me'`: how many of the same requester's other sign-ins were ended. */
    endedSignIns: z.number().int().optional(),
  }),
  refuses: [
    ...SIGNATURE_REFUSALS,
    'ID_DOESNOT_EXIST',
    'FAILED',
    'INVALID_VALIDATION_CODE',
    'AUTHENTICATOR_DISALLOWED',
    'AUTHENTICATION_INCOMPLETE',
  ],
  // The outcome is also recorded in the sign-in history.
  events: ['fraud.reported', 'device.confirmed', 'device.deleted'],
});

export const pending = endpoint({
  method: 'POST',
  path: '/authenticator/pending',
  area: 'Authenticator',
  summary: "List the pending requests for this device's owner",
  access: { who: 'device' },
  body: signedCall,
  reply: z.object({ challenges: z.array(pendingChallenge) }),
  refuses: [...SIGNATURE_REFUSALS],
  // Listing requests doesn't modify any data, so there is no audit event.
  events: [],
});
