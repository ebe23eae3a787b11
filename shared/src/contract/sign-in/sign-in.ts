import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, optionalText, orgCode, secret, text } from '../../fields.ts';
import { passkeyRequestOptions } from '../devices/passkeys.ts';
import { authState, deviceType, language, profile } from '../models.ts';

export const loginMode = z.enum(['QID', 'DID', 'PUSH', 'COOKIE', 'WEBAUTHN']);
export type LoginMode = z.output<typeof loginMode>;

const beginBody = z.object({
  orgCode: orgCode.optional(),
  mode: loginMode,
  /** The user's email or primary attribute, for PUSH. */
  primaryAttr: text(254).optional(),
  /**
   * True to send the request to the device that approved remembering this browser, instead of the devices of
   * `primaryAttr`. Only for PUSH.
   */
  remembered: z.boolean().optional(),
  /** ID of the pending application sign-in. Absent if the user is signing in to the portal. */
  appLoginId: secret(id).optional(),
  /** True if the user confirmed that they want to sign in to the application (`needsConfirmation`). Only for COOKIE. */
  confirmed: z.boolean().optional(),
});

/** A newly started sign-in. */
const startedSignIn = z.object({
  loginId: secret(z.string()),
  mode: loginMode,
  /** Code to scan, part of the URL in the QR code. */
  qid: secret(z.string()).optional(),
  /** Code to type, eight characters. */
  did: secret(z.string()).optional(),
  /** The two-digit number to compare on the device. */
  matchNumber: z.string().optional(),
  /** Options for the browser's passkey request, which allow any passkey of this portal. */
  passkey: passkeyRequestOptions.optional(),
  /** Seconds until the sign-in expires. */
  idTimeout: z.number().int().optional(),
  /**
   * Token to exchange as after any other sign-in. Present if the browser is remembered, because the sign-in is then
   * approved immediately.
   */
  exchangeToken: secret(z.string()).optional(),
});

/** Result of exchanging an approved sign-in for tokens. */
const signedIn = authState.extend({
  /** Time until which this browser is remembered. Absent if it isn't. */
  rememberedUntil: z.string().optional(),
});

/** POST user/login: starts a sign-in, or exchanges an approved sign-in for tokens (contract §8). */
export const login = endpoint({
  method: 'POST',
  path: '/user/login',
  area: 'Session and profile',
  summary: 'Start a sign-in, or exchange an approved sign-in for tokens',
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
  // The sign-in history records the outcome, so there is no audit event.
  events: [],
});

export const loginState = endpoint({
  method: 'GET',
  path: '/user/login/:loginId',
  area: 'Session and profile',
  summary: "Get a sign-in's state, for clients without sockets",
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
  // Like an expired sign-in, a withdrawn sign-in leaves no trace.
  events: [],
});

export const refresh = endpoint({
  method: 'POST',
  path: '/refresh',
  area: 'Session and profile',
  summary:
    'Exchange a refresh token for a new pair of tokens; replaying a refresh token revokes the whole token family',
  access: { who: 'public' },
  body: z.object({ refreshToken: secret(text(256)) }),
  reply: z.object({ token: secret(z.string()), refreshToken: secret(z.string()) }),
  refuses: ['INVALID_SESSION', 'IP_NOT_VALID'],
  // A refresh continues an existing session, so there is no audit event.
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
     * Page that continues with signing out of the applications. Present if signing out of the portal also ends this
     * browser's application sign-ins.
     */
    continueAt: secret(z.string()).optional(),
  }),
  // Signing out only changes the user's own session, so there is no audit event.
  events: [],
});

export const getProfile = endpoint({
  method: 'GET',
  path: '/profile',
  area: 'Session and profile',
  summary: 'Get your profile',
  access: { who: 'signed-in' },
  reply: z.object({ profile }),
});

export const setLanguage = endpoint({
  method: 'PUT',
  path: '/profile/language',
  unversioned: 'one field',
  area: 'Session and profile',
  summary: "Set your portal language in all browsers; null for the browser's language",
  access: { who: 'signed-in' },
  body: z.object({ language: language.nullable() }),
  reply: z.object({ profile }),
  // The language is a personal preference, so changes to it are not recorded.
  events: [],
});

/** The member whom a browser remembers, as the sign-in page displays them. */
const rememberedMember = z.object({
  fullName: z.string(),
  /** Name of the device that approved remembering the browser. */
  deviceName: z.string(),
  deviceType,
  /** True if a device must approve the sign-in, because step-up authentication is on. */
  needsApproval: z.boolean(),
});
export type RememberedMember = z.output<typeof rememberedMember>;

export const getRememberedMember = endpoint({
  method: 'GET',
  path: '/user/remembered',
  area: 'Session and profile',
  summary: "Get the member whom this browser's cookie remembers",
  access: { who: 'public' },
  query: z.object({ orgCode, appLoginId: secret(id).optional() }),
  reply: z.object({
    /** Null without a valid cookie. */
    member: rememberedMember.nullable(),
  }),
  refuses: ['ORG_CODE_NOT_FOUND', 'IP_NOT_VALID', 'ID_DOESNOT_EXIST', 'EXPIRED'],
});

export const forgetRememberedMember = endpoint({
  method: 'POST',
  path: '/user/remembered/forget',
  unversioned: 'deletes',
  area: 'Session and profile',
  summary: "Forget the member whom this browser's cookie remembers; does nothing without a valid cookie",
  access: { who: 'public' },
  body: z.object({ orgCode }),
  reply: z.object({}),
  // Like signing out, it only affects this browser, so there is no audit event.
  events: [],
});

/** A browser that can sign its user in again without the device for a limited time. */
const rememberedBrowser = z.object({
  id: z.string(),
  userAgent: z.string(),
  ip: z.string(),
  /** Time at which a device approved the sign-in that started remembering the browser. */
  createdAt: z.string(),
  lastUsedAt: z.string(),
  expiresAt: z.string(),
  /** True for the browser that makes this call. */
  isThis: z.boolean(),
});
export type RememberedBrowser = z.output<typeof rememberedBrowser>;

export const listBrowsers = endpoint({
  method: 'GET',
  path: '/user/browsers',
  area: 'Session and profile',
  summary: 'List the browsers that remember you',
  access: { who: 'signed-in' },
  reply: z.object({ browsers: z.array(rememberedBrowser) }),
});

export const forgetBrowser = endpoint({
  method: 'POST',
  path: '/user/browsers/forget',
  unversioned: 'deletes',
  area: 'Session and profile',
  summary: 'Stop remembering you in one browser',
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
  summary: 'Stop remembering you in all browsers',
  access: { who: 'signed-in' },
  reply: z.object({
    /** How many remembered browsers were removed. */
    forgotten: z.number().int(),
  }),
  refuses: ['ID_DOESNOT_EXIST'],
  events: ['browser.forgotten'],
});
