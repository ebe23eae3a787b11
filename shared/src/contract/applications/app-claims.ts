import { z } from 'zod';
import { id, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';

/** Claims that the protocol itself sets (RFC 7519 §4.1, OpenID Connect Core 1.0 §2, Back-Channel Logout 1.0 §2.4). */
export const RESERVED_CLAIMS: readonly string[] = [
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'nonce',
  'azp',
  'acr',
  'amr',
  'auth_time',
  'sid',
  'events',
  'at_hash',
  'c_hash',
  's_hash',
  'cnf',
  'client_id',
  'scope',
  '_claim_names',
  '_claim_sources',
  '__proto__',
];

const NAME_PATTERN = /^[\x21-\x7e]+$/;
/** Scope syntax of RFC 6749 §3.3. */
const SCOPE_PATTERN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export const CLAIM_TYPES = ['text', 'list', 'boolean', 'number'] as const;

/**
 * An additional claim for an OIDC application. Of several with one name, the first that applies to the member is used.
 */
export const appClaim = z.object({
  name: text(200)
    .regex(NAME_PATTERN, 'Use letters, digits and symbols without spaces')
    .refine((name) => !RESERVED_CLAIMS.includes(name), 'The protocol sets this claim'),
  /** A constant or a template of member fields, as for SAML; a claim with an empty value is left out. */
  value: text(500),
  /** JSON type of the value; list entries are separated by commas. */
  type: z.enum(CLAIM_TYPES).default('text'),
  /** Only for clients that request this scope; '' for all. */
  scope: z
    .literal('')
    .or(text(60).regex(SCOPE_PATTERN, 'Use letters, digits and symbols without spaces'))
    .refine((scope) => scope !== 'offline_access', 'This scope is for refresh tokens')
    .default(''),
  /** Only for members with one of these roles, or in one of these groups; both empty: all members. */
  roles: z.array(id).max(100).default([]),
  groups: z.array(id).max(LIMITS.groupsOfApp).default([]),
  idToken: z.boolean().default(true),
  userinfo: z.boolean().default(true),
});
export type AppClaim = z.output<typeof appClaim>;

export const appClaims = z.array(appClaim).max(LIMITS.claimsOfApp, `At most ${LIMITS.claimsOfApp} claims`);
