import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, optionalText, orgCode, secret, text } from '../../fields.ts';
import { passkeyRequestOptions } from '../devices/passkeys.ts';
import { authState, language, profile } from '../models.ts';

export const loginMode = z.enum(['QID', 'DID', 'PUSH', 'COOKIE', 'WEBAUTHN']);
export type LoginMode = z.output<typeof loginMode>;

const beginBody = z.object({
  orgCode: orgCode.optional(),
  mode: loginMode,
  /** Email or primary attribute of the person, for PUSH. */
  primaryAttr: text(254).optional(),
  /** The sign-in is to an application, not to the portal. */
  appLoginId: secret(id).optional(),
  /** For COOKIE: the person confirmed that they want to sign in to the application (`needsConfirmation`). */
  confirmed: z.boolean().optional(),
});

/** A sign-in that has begun. */
const begun = z.object({
  loginId: secret(z.string()),
  mode: loginMode,
  /** The code to scan: part of the address in the QR code. */
  qid: secret(z.string()).optional(),
  /** The code to type: eight characters. */
  did: secret(z.string()).optional(),
  /** The two digits to compare on the device. */
  matchNumber: z.string().optional(),
  /** The request for the browser: any passkey of this portal. */
  passkey: passkeyRequestOptions.optional(),
  /** Seconds until the sign-in expires. */
  idTimeout: z.number().int().optional(),
  /** A remembered browser is approved immediately; exchange the token as after any other sign-in. */
  exchangeToken: secret(z.string()).optional(),
});

/** After the exchange. */
const signedIn = authState.extend({
  /** Until when this browser is remembered; absent where it is not. */
  rememberedUntil: z.string().optional(),
});

/** POST user/login: begins a sign-in, or exchanges an approved one for tokens (contract §8). */
export const login = endpoint({
  method: 'POST',
  path: '/user/login',
  area: 'Session and profile',
  summary: 'Begin a sign-in, or exchange an approved one for tokens',
  access: { who: 'public' },
  body: z.union([z.object({ loginId: secret(id), exchangeToken: secret(text(128)) }), beginBody]),
  reply: signedIn,
  news: ['LOGIN_INIT', 'LOGIN_SUCCESS'],
  newsReply: { to: beginBody, fields: begun },
  refuses: [
    'ORG_CODE_NOT_FOUND',
    'ORG_MISSING',
    'ID_DOESNOT_EXIST',
    'USER_NOT_REGISTERED_FOR_ORG',
    'USER_INACTIVE',
    'USER_IN_MULTIPLE_ORGS',
    'DID_NOT_ENABLED',
    'WEBAUTHN_NOT_ENABLED',
    'COOKIE_ABSENT',
    'COOKIE_LOGIN_DISABLED',
    'COOKIE_EXPIRED',
    'AUTHENTICATION_INCOMPLETE',
    'LOGIN_NO_CONSENT',
    'EXPIRED',
    'IP_NOT_VALID',
  ],
  refusalStatus: 400,
  // The sign-in history records the outcome.
  events: [],
});

export const loginState = endpoint({
  method: 'GET',
  path: '/user/login/:loginId',
  area: 'Session and profile',
  summary: 'The state of a sign-in, for clients without sockets',
  access: { who: 'public' },
  params: z.object({ loginId: secret(id) }),
  reply: z.object({
    state: z.enum(['init', 'pending', 'rejected', 'success', 'expired']),
    deviceName: z.string().optional(),
    exchangeToken: secret(z.string()).optional(),
  }),
  news: [
    'LOGIN_INIT',
    'LOGIN_PENDING',
    'LOGIN_REJECTED',
    'LOGIN_SUCCESS',
    'QR_LOGIN_NOT_DONE',
    'TYPE_CODE_LOGIN_NOT_DONE',
    'EXPIRED',
  ],
});

export const withdrawLogin = endpoint({
  method: 'POST',
  path: '/user/login/withdraw',
  unversioned: 'acts',
  area: 'Session and profile',
  summary: 'Withdraw a sign-in that is waiting for its device; does nothing if it has ended',
  access: { who: 'public' },
  body: z.object({ loginId: secret(id) }),
  reply: z.object({}),
  refuses: ['ID_DOESNOT_EXIST'],
  // Like a sign-in that expires, it leaves no trace.
  events: [],
});

export const refresh = endpoint({
  method: 'POST',
  path: '/refresh',
  area: 'Session and profile',
  summary: 'Exchange a refresh token for a new pair; a replay revokes the whole family',
  access: { who: 'public' },
  body: z.object({ refreshToken: secret(text(256)) }),
  reply: z.object({ token: secret(z.string()), refreshToken: secret(z.string()) }),
  refuses: ['INVALID_SESSION', 'IP_NOT_VALID'],
  // Continues an existing session.
  events: [],
});

export const logout = endpoint({
  method: 'POST',
  path: '/logout',
  unversioned: 'acts',
  area: 'Session and profile',
  summary: 'End this session; from any address',
  isFromAnywhere: true,
  access: { who: 'signed-in' },
  body: z.object({ refreshToken: secret(optionalText(256)).optional() }),
  reply: z.object({
    /** The page that goes on to the applications, where logging out of the portal ends those of this browser too. */
    continueAt: secret(z.string()).optional(),
  }),
  // It changes only the caller's own session.
  events: [],
});

export const getProfile = endpoint({
  method: 'GET',
  path: '/profile',
  area: 'Session and profile',
  summary: 'The profile of the caller',
  access: { who: 'signed-in' },
  reply: z.object({ profile }),
});

export const setLanguage = endpoint({
  method: 'PUT',
  path: '/profile/language',
  unversioned: 'one field',
  area: 'Session and profile',
  summary: 'In which language the caller reads the portal, in every browser; null for that of the browser',
  access: { who: 'signed-in' },
  body: z.object({ language: language.nullable() }),
  reply: z.object({ profile }),
  // How a page reads is nobody else's business.
  events: [],
});

/** A browser that may sign its person in again without the device, for a while. */
const rememberedBrowser = z.object({
  id: z.string(),
  userAgent: z.string(),
  ip: z.string(),
  /** When a device approved the sign-in that made the browser remembered. */
  createdAt: z.string(),
  lastUsedAt: z.string(),
  expiresAt: z.string(),
  /** Whether it is the calling browser. */
  isThis: z.boolean(),
});
export type RememberedBrowser = z.output<typeof rememberedBrowser>;

export const listBrowsers = endpoint({
  method: 'GET',
  path: '/user/browsers',
  area: 'Session and profile',
  summary: 'The browsers that remember the caller',
  access: { who: 'signed-in' },
  reply: z.object({ browsers: z.array(rememberedBrowser) }),
});

export const forgetBrowser = endpoint({
  method: 'POST',
  path: '/user/browsers/forget',
  unversioned: 'deletes',
  area: 'Session and profile',
  summary: 'No longer remember the caller in a browser',
  access: { who: 'signed-in' },
  body: z.object({ id }),
  reply: z.object({}),
  events: ['browser.forgotten'],
});

export const forgetBrowsers = endpoint({
  method: 'POST',
  path: '/user/browsers/forget-all',
  unversioned: 'deletes',
  area: 'Session and profile',
  summary: 'No longer remember the caller in any browser',
  access: { who: 'signed-in' },
  reply: z.object({
    /** How many there were. */
    forgotten: z.number().int(),
  }),
  refuses: ['ID_DOESNOT_EXIST'],
  events: ['browser.forgotten'],
});
