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
  /** Email or primary attribute of the user, for PUSH. */
  primaryAttr: text(254).optional(),
  /** Present if the sign-in is to an application, not to the portal. */
  appLoginId: secret(id).optional(),
  /** For COOKIE: the user confirmed that they want to sign in to the application (`needsConfirmation`). */
  confirmed: z.boolean().optional(),
});

/** A sign-in that has started. */
const startedSignIn = z.object({
  loginId: secret(z.string()),
  mode: loginMode,
  /** The code to scan: part of the URL in the QR code. */
  qid: secret(z.string()).optional(),
  /** The code to type: eight characters. */
  did: secret(z.string()).optional(),
  /** The two digits to compare on the device. */
  matchNumber: z.string().optional(),
  /** The options for the browser: any passkey of this portal. */
  passkey: passkeyRequestOptions.optional(),
  /** Seconds until the sign-in expires. */
  idTimeout: z.number().int().optional(),
  /** A remembered browser is approved immediately; exchange the token as after any other sign-in. */
  exchangeToken: secret(z.string()).optional(),
});

/** The reply to an exchange. */
const signedIn = authState.extend({
  /** Time until which this browser is remembered, if it is. */
  rememberedUntil: z.string().optional(),
});

/** POST user/login: starts a sign-in, or exchanges an approved one for tokens (contract §8). */
export const login = endpoint({
  method: 'POST',
  path: '/user/login',
  area: 'Session and profile',
  summary: 'Start a sign-in, or exchange an approved one for tokens',
  access: { who: 'public' },
  body: z.union([z.object({ loginId: secret(id), exchangeToken: secret(text(128)) }), beginBody]),
  reply: signedIn,
  news: ['LOGIN_INIT', 'LOGIN_SUCCESS'],
  newsReply: { to: beginBody, fields: startedSignIn },
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
  summary: 'Get the state of a sign-in, for clients without sockets',
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
  summary: 'Withdraw a pending sign-in; does nothing if it has ended',
  access: { who: 'public' },
  body: z.object({ loginId: secret(id) }),
  reply: z.object({}),
  refuses: ['ID_DOESNOT_EXIST'],
  // Like an expired sign-in, it leaves no trace.
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
  summary: 'End this session; allowed from any address',
  isFromAnywhere: true,
  access: { who: 'signed-in' },
  body: z.object({ refreshToken: secret(optionalText(256)).optional() }),
  reply: z.object({
    /**
     * The page that continues with the applications, if logging out of the portal also ends this browser's sign-ins to
     * them.
     */
    continueAt: secret(z.string()).optional(),
  }),
  // It changes only the caller's own session.
  events: [],
});

export const getProfile = endpoint({
  method: 'GET',
  path: '/profile',
  area: 'Session and profile',
  summary: "Get the caller's profile",
  access: { who: 'signed-in' },
  reply: z.object({ profile }),
});

export const setLanguage = endpoint({
  method: 'PUT',
  path: '/profile/language',
  unversioned: 'one field',
  area: 'Session and profile',
  summary: "Set the language of the caller's portal in all browsers; null for the browser's language",
  access: { who: 'signed-in' },
  body: z.object({ language: language.nullable() }),
  reply: z.object({ profile }),
  // A personal preference, which is not recorded.
  events: [],
});

/** A browser that can sign its user in again without the device, for a while. */
const rememberedBrowser = z.object({
  id: z.string(),
  userAgent: z.string(),
  ip: z.string(),
  /** Time at which a device approved the sign-in that made the browser remembered. */
  createdAt: z.string(),
  lastUsedAt: z.string(),
  expiresAt: z.string(),
  /** True for the calling browser. */
  isThis: z.boolean(),
});
export type RememberedBrowser = z.output<typeof rememberedBrowser>;

export const listBrowsers = endpoint({
  method: 'GET',
  path: '/user/browsers',
  area: 'Session and profile',
  summary: 'List the browsers that remember the caller',
  access: { who: 'signed-in' },
  reply: z.object({ browsers: z.array(rememberedBrowser) }),
});

export const forgetBrowser = endpoint({
  method: 'POST',
  path: '/user/browsers/forget',
  unversioned: 'deletes',
  area: 'Session and profile',
  summary: 'Forget the caller in a browser',
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
  summary: 'Forget the caller in all browsers',
  access: { who: 'signed-in' },
  reply: z.object({
    /** Number of forgotten browsers. */
    forgotten: z.number().int(),
  }),
  refuses: ['ID_DOESNOT_EXIST'],
  events: ['browser.forgotten'],
});
