import { z } from 'zod';
import { id, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';

/** Claims set by the protocol itself (RFC 7519 §4.1, OpenID Connect Core 1.0 §2, Back-Channel Logout 1.0 §2.4). */
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
/** Scope syntax from RFC 6749 §3.3. */
const SCOPE_PATTERN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export const CLAIM_TYPES = ['text', 'list', 'boolean', 'number'] as const;

/**
 * An additional claim for an OIDC application. If several claims have the same name, the first one that applies to
 * the member is used.
 */
export const appClaim = z.object({
  /** Name of the claim. */
  name: text(200)
    .regex(NAME_PATTERN, 'Use letters, digits and symbols without spaces')
    .refine((name) => !RESERVED_CLAIMS.includes(name), 'This claim is set by the protocol. Choose another name'),
  /** A constant, or a template of member fields as for SAML. Claims with an empty value are omitted. */
  value: text(500),
  /** JSON type of the value. List entries are separated by commas. */
  type: z.enum(CLAIM_TYPES).default('text'),
  /** Scope that a client must request to get this claim; empty for all clients. */
  scope: z
    .literal('')
    .or(text(60).regex(SCOPE_PATTERN, 'Use letters, digits and symbols without spaces'))
    .refine((scope) => scope !== 'offline_access', 'This scope is reserved for refresh tokens')
    .default(''),
  /**
   * Roles whose members get the claim, in addition to members of `groups`. If both are empty, all members get it.
   */
  roles: z.array(id).max(100).default([]),
  /** IDs of groups whose members get the claim, in addition to members of `roles`. */
  groups: z.array(id).max(LIMITS.groupsOfApp).default([]),
  /** True to include the claim in ID tokens. */
  idToken: z.boolean().default(true),
  /** True to include the claim in userinfo responses. */
  userinfo: z.boolean().default(true),
  /**
   * True to include the claim in access tokens (RFC 9068), or in their introspection (RFC 7662) if they are opaque.
   * Service clients have no other tokens, so theirs always contain it.
   */
  accessToken: z.boolean().default(false),
});
export type AppClaim = z.output<typeof appClaim>;

export const appClaims = z.array(appClaim).max(LIMITS.claimsOfApp, `You can add at most ${LIMITS.claimsOfApp} claims`);
