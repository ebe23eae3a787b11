import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, orgCode } from '../../fields.ts';
import { appClaims } from './app-claims.ts';
import { eachAppAccess as access } from './app-fields.ts';
import { samlClaimFields } from './saml-fields.ts';

const claimValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** Claims by name, in JSON form (OpenID Connect Core 1.0 §2, §5.1). */
export const claims = z.record(z.string(), claimValue);
export type Claims = z.output<typeof claims>;

const oidcPreview = z.object({
  protocol: z.literal('oidc'),
  /**
   * ID token claims for a client that requests every scope, excluding claims of a specific sign-in: nonce, session
   * and hashes.
   */
  idToken: claims,
  userinfo: claims,
  /** Claims of an access token for an API, or of an opaque token's introspection. */
  accessToken: claims,
  /** Claims granted by each scope. */
  scopes: z.record(z.string(), z.array(z.string())),
});

const samlPreview = z.object({
  protocol: z.literal('saml'),
  nameId: z.string(),
  nameIdFormat: z.string(),
  attributes: z.array(z.object({ name: z.string(), format: z.string(), value: z.string() })),
  /** The unsigned response, which no service provider accepts. */
  xml: z.string(),
});

/** Data an application would receive about a member who can use it. */
export const appPreview = z.discriminatedUnion('protocol', [oidcPreview, samlPreview]);
export type AppPreview = z.output<typeof appPreview>;

const reply = z.object({
  preview: appPreview,
  /** True if the member can use the application. */
  mayUse: z.boolean(),
});
const refuses = ['ORG_APP_MISSING', 'UNSUPPORTED_ACTION', 'USER_INACTIVE', 'USER_NOT_REGISTERED_FOR_ORG'] as const;

/**
 * Preview of the data an application receives. For members other than the signed-in user, SEARCH_USER is also
 * required; otherwise the result is INVALID_PERMISSIONS.
 */
export const previewApp = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/preview',
  area: 'Applications',
  access,
  summary:
    'Preview, unsigned, what an OIDC or SAML application receives about a member, or about the signed-in user if `suid` is omitted',
  params: z.object({ orgCode, appId: id }),
  query: z.object({ suid: id.optional() }),
  reply,
  refuses,
});

/** Like `previewApp`, but with unsaved settings: `claims` for an OIDC application, `saml` for a SAML application. */
export const previewAppDraft = endpoint({
  method: 'POST',
  path: '/orgs/:orgCode/apps/:appId/preview',
  area: 'Applications',
  access,
  summary: 'Preview what an application receives about a member with these settings, without saving them',
  unversioned: 'reads',
  params: z.object({ orgCode, appId: id }),
  body: z
    .object({ suid: id.optional(), claims: appClaims.optional(), saml: samlClaimFields.optional() })
    .refine(({ claims, saml }) => claims === undefined || saml === undefined, {
      path: ['saml'],
      message: 'claims and saml cannot be combined',
    }),
  reply,
  refuses,
  // A preview doesn't modify any data, so there is no audit event.
  events: [],
});
