import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, secret, text } from '../../fields.ts';
import { authState } from '../models.ts';

/**
 * Sign-in to the portal through the organisation's external OpenID provider (decision 088). The first two endpoints
 * are browser navigations: failures redirect to a page below `/static`, or return a refusal to clients that accept
 * JSON.
 */
export const beginExternalSignIn = endpoint({
  method: 'GET',
  path: '/oidc/login',
  area: 'Session and profile',
  summary: "Send a browser to the organisation's external OpenID provider",
  access: { who: 'public' },
  query: z.object({ orgCode: text(40).toLowerCase() }),
  isCounted: true,
  redirects: 'everybody',
  reply: z.object({}),
  refuses: ['OIDC_NOT_CONFIGURED', 'OIDC_USER_ORG_NOT_FOUND', 'IP_NOT_VALID'],
});

export const returnFromProvider = endpoint({
  method: 'GET',
  path: '/oidc/callback',
  area: 'Session and profile',
  summary: 'Receive the browser from the external OpenID provider',
  access: { who: 'public' },
  /** Parameters defined in RFC 6749 §4.1.2 and RFC 9207. */
  query: z.object({
    state: secret(text(512)).optional(),
    code: secret(text(4_096)).optional(),
    iss: text(2_000).optional(),
    error: text(200).optional(),
    error_description: z.string().max(4_096).optional(),
  }),
  isCounted: true,
  redirects: 'everybody',
  reply: z.object({}),
  refuses: [
    'OIDC_NOT_CONFIGURED',
    'OIDC_USER_ORG_NOT_FOUND',
    'OIDC_USER_EMAIL_NOT_FOUND',
    'USER_INACTIVE',
    'USER_NOT_REGISTERED_FOR_ORG',
    'LOGIN_NO_CONSENT',
    'EXPIRED',
    'IP_NOT_VALID',
    'AUTHENTICATION_INCOMPLETE',
  ],
  events: ['external-identity.approval-requested'],
});

export const exchangeExternalSignIn = endpoint({
  method: 'POST',
  path: '/oidc/exchange',
  area: 'Session and profile',
  summary: 'Exchange the code from an external sign-in for tokens; works once',
  access: { who: 'public' },
  body: z.object({ code: secret(text(64)) }),
  reply: authState,
  /**
   * AUTHENTICATION_INCOMPLETE (74) until the user's own device has approved the sign-in, LOGIN_NO_CONSENT (58) once
   * the device has denied the sign-in.
   */
  refuses: ['EXPIRED', 'USER_INACTIVE', 'IP_NOT_VALID', 'AUTHENTICATION_INCOMPLETE', 'LOGIN_NO_CONSENT'],
  events: ['external-identity.linked'],
});

/** An account at an external provider that a member can sign in with. */
const externalIdentity = z.object({
  id: z.string(),
  /** The provider's issuer URL. */
  issuer: z.string(),
  /** The account's email at the time it was linked. */
  email: z.string(),
  linkedAt: z.string(),
  lastUsedAt: z.string(),
});
export type ExternalIdentity = z.output<typeof externalIdentity>;

export const listExternalIdentities = endpoint({
  method: 'GET',
  path: '/user/external-identities',
  area: 'People',
  summary: 'List the accounts at external providers that a member can sign in with',
  access: { who: 'member', own: true, reports: ['GET_ALL_REPORTEES'], others: ['SEARCH_USER'] },
  query: z.object({ suid: id.optional() }),
  reply: z.object({ identities: z.array(externalIdentity) }),
});

export const removeExternalIdentity = endpoint({
  method: 'POST',
  path: '/user/external-identities/remove',
  area: 'People',
  summary: 'Unlink an account at an external provider; sessions that it started end immediately',
  access: { who: 'member', own: true, others: ['UPDATE_USER'] },
  unversioned: 'deletes',
  body: z.object({ id, suid: id.optional() }),
  reply: z.object({}),
  events: ['external-identity.unlinked'],
});
