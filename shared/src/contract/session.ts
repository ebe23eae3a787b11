import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, optionalText, orgCode, text } from '../fields.ts';
import { authState, profile } from './models.ts';

export const loginMode = z.enum(['QID', 'DID', 'PUSH', 'COOKIE', 'WEBAUTHN']);
export type LoginMode = z.output<typeof loginMode>;

/** A sign-in that has begun, or the auth state once the exchange is made. */
const loginReply = z.object({
  loginId: z.string().optional(),
  mode: loginMode.optional(),
  /** To be scanned: part of the address in the QR code. */
  qid: z.string().optional(),
  /** To be typed: eight characters. */
  did: z.string().optional(),
  /** To be compared on the device: two digits. */
  matchNumber: z.string().optional(),
  /** Seconds until the sign-in expires. */
  idTimeout: z.number().int().optional(),
  ...authState.partial().shape,
});

/** POST user/login: begins a sign-in, or exchanges an approved one for tokens (design contract §2). */
export const login = endpoint({
  method: 'POST',
  path: '/user/login',
  area: 'Session and profile',
  summary: 'Begin a sign-in, or exchange an approved one for tokens',
  access: { who: 'public' },
  body: z.union([
    z.object({ loginId: id, exchangeToken: text(128) }),
    z.object({
      orgCode: orgCode.optional(),
      mode: loginMode,
      /** E-mail or primary attribute of the person, for PUSH. */
      primaryAttr: text(254).optional(),
      /** The sign-in is to an application, not to the portal. */
      appLoginId: id.optional(),
    }),
  ]),
  reply: loginReply,
  news: ['LOGIN_INIT'],
  refuses: [
    'ORG_CODE_NOT_FOUND',
    'ORG_MISSING',
    'USER_NOT_REGISTERED_FOR_ORG',
    'USER_INACTIVE',
    'USER_IN_MULTIPLE_ORGS',
    'DID_NOT_ENABLED',
    'WEBAUTHN_NOT_ENABLED',
    'COOKIE_ABSENT',
    'COOKIE_LOGIN_DISABLED',
    'AUTHENTICATION_INCOMPLETE',
    'LOGIN_NO_CONSENT',
    'EXPIRED',
    'IP_NOT_VALID',
  ],
  refusalStatus: 400,
});

export const loginState = endpoint({
  method: 'GET',
  path: '/user/login/:loginId',
  area: 'Session and profile',
  summary: 'The state of a sign-in, for clients without sockets',
  access: { who: 'public' },
  params: z.object({ loginId: id }),
  reply: z.object({
    state: z.enum(['init', 'pending', 'rejected', 'success', 'expired']),
    deviceName: z.string().optional(),
    exchangeToken: z.string().optional(),
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

export const refresh = endpoint({
  method: 'POST',
  path: '/refresh',
  area: 'Session and profile',
  summary: 'Exchange a refresh token for a new pair; a replay revokes the whole family',
  access: { who: 'public' },
  body: z.object({ refreshToken: text(256) }),
  reply: z.object({ token: z.string(), refreshToken: z.string() }),
});

export const logout = endpoint({
  method: 'POST',
  path: '/logout',
  area: 'Session and profile',
  summary: 'End this session',
  access: { who: 'signed-in' },
  body: z.object({ refreshToken: optionalText(256).optional() }),
  reply: z.object({}),
});

export const getProfile = endpoint({
  method: 'GET',
  path: '/profile',
  area: 'Session and profile',
  summary: 'The profile of the caller',
  access: { who: 'signed-in' },
  reply: z.object({ profile }),
});
