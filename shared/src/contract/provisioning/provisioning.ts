import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, id, nameText, optionalText, portalText, queryNumber, secret, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { webAddress } from '../applications/app-fields.ts';

/** In days: a bearer token has a limited lifetime (RFC 6750 §5.3, RFC 7644 §7.4). */
export const TOKEN_LIFETIME_DAYS = [90, 180, 365, 730] as const;

/** The form for a new bearer token of another program. */
export const tokenForm = z.object({
  name: nameText(100),
  lifetimeDays: z.literal(TOKEN_LIFETIME_DAYS).default(365),
});
export type TokenForm = z.output<typeof tokenForm>;

/**
 * Reasons why credentials grant less than when they were created: `unknown-maker` if the creator was not recorded,
 * `maker-inactive` after the creator was disabled or deleted, `maker-lost` if the creator has fewer permissions now.
 */
const ceilingLimit = z.enum(['nothing', 'unknown-maker', 'maker-inactive', 'maker-lost']);
export type CeilingLimit = z.output<typeof ceilingLimit>;

/**
 * The settings of a provisioning client (spec 2 §3, SCIM credentials). User name and password are '' before the first
 * pair.
 */
const scimCredentials = z.object({
  endpoint: z.string(),
  username: z.string(),
  /** Also '' if `isPasswordHidden`. */
  password: secret(z.string()),
  /**
   * True if the credentials can grant a role that the caller could not, so that the caller cannot read the password.
   */
  isPasswordHidden: z.boolean(),
  /** Full name of the member who created them; null if unknown. */
  madeBy: z.string().nullable(),
  madeAt: z.string().nullable(),
  /** Names of the roles that a directory can currently grant with them. */
  roles: z.array(z.string()),
  limitedBy: ceilingLimit,
});
const scimAccess = { who: 'permission', permission: 'SCIM_PROVISIONING' } as const;

export const getScimCredentials = endpoint({
  method: 'GET',
  path: '/scim/basicauth',
  area: 'Settings',
  access: scimAccess,
  summary: 'Get the endpoint and credentials of the provisioning client',
  versioned: 'scim-credentials',
  reply: scimCredentials,
});

export const renewScimCredentials = endpoint({
  method: 'POST',
  path: '/scim/basicauth',
  area: 'Settings',
  access: scimAccess,
  summary: 'Create a new pair of credentials; the old one stops working',
  versioned: 'scim-credentials',
  current: scimCredentials,
  body: z.object({}),
  reply: scimCredentials,
  events: ['scim-credentials.renewed'],
});

/** A bearer token of a directory (RFC 6750), without the token itself. */
const scimToken = z.object({
  tokenId: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** Null before its first use. Accurate to the minute. */
  lastUsedAt: z.string().nullable(),
  /** Null for no expiry. */
  expiresAt: z.string().nullable(),
  /** Full name of the member who created it; null if unknown. */
  madeBy: z.string().nullable(),
  /** Names of the roles that a directory can currently grant with it. */
  roles: z.array(z.string()),
  limitedBy: ceilingLimit,
});
export type ScimToken = z.output<typeof scimToken>;

export const listScimTokens = endpoint({
  method: 'GET',
  path: '/scim/tokens',
  area: 'Settings',
  access: scimAccess,
  summary: 'List the bearer tokens of provisioning clients, newest first',
  reply: z.object({ tokens: z.array(scimToken) }),
});

export const createScimToken = endpoint({
  method: 'POST',
  path: '/scim/tokens',
  area: 'Settings',
  access: scimAccess,
  unversioned: 'creates',
  summary: 'Create an additional bearer token for a directory; only this response contains it',
  body: tokenForm,
  reply: z.object({ token: scimToken, secret: secret(z.string()) }),
  events: ['scim-token.created'],
});

export const revokeScimToken = endpoint({
  method: 'DELETE',
  path: '/scim/tokens/:tokenId',
  area: 'Settings',
  access: scimAccess,
  unversioned: 'deletes',
  summary: 'Revoke a bearer token: its directory is refused immediately',
  params: z.object({ tokenId: id }),
  reply: z.object({}),
  events: ['scim-token.revoked'],
});

/** A change by a directory, or a refused one. */
const scimLogRecord = z.object({
  id: z.string(),
  at: z.string(),
  /** Method and resource, e.g. `PATCH /Users/…`. */
  operation: z.string(),
  /** The directory's name for the target; '' if unknown. */
  userName: z.string(),
  /** HTTP status of the response. */
  status: z.number().int(),
  /** The request's JSON without secrets, truncated if long; '' if there is none. */
  body: z.string(),
  /** Reason for a refusal, or ''. */
  detail: z.string(),
});
export type ScimLogRecord = z.output<typeof scimLogRecord>;

export const getScimLog = endpoint({
  method: 'GET',
  path: '/scim/log',
  area: 'Settings',
  access: scimAccess,
  summary: 'List the latest thousand provisioning requests, newest first, keyset paged',
  query: z.object({
    count: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** The previous response's `LastEvaluatedKey`, as JSON. */
    lastItem: text(100).optional(),
  }),
  reply: z.object({
    records: z.array(scimLogRecord),
    /** Cursor of the next page: the last row of this one. */
    LastEvaluatedKey: z.object({ id: z.string() }).nullable(),
  }),
});

/** The organisation's external OpenID provider, through which its members can sign in to the portal (spec 2 §3). */
const portalOidc = z.object({
  configurationUrl: z.string(),
  clientId: z.string(),
  clientSecret: secret(z.string()),
  buttonLabel: z.string(),
  enabled: z.boolean(),
});
export type PortalOidc = z.output<typeof portalOidc>;

/** With the URL to register at the provider. */
const savedPortalOidc = portalOidc.extend({ callbackUrl: z.string() });

const oidcAccess = { who: 'permission', permission: 'ADD_UPDATE_OIDC_CONFIGURATION' } as const;

export const getOidcConfiguration = endpoint({
  method: 'GET',
  path: '/oidc/configuration',
  area: 'Settings',
  access: oidcAccess,
  summary: 'Get the configuration of sign-in through an external OpenID provider; empty if not set up',
  versioned: 'portal-oidc',
  reply: savedPortalOidc,
});

/** URL of a discovery document (OpenID Connect Discovery 1.0 §4), with or without its `/.well-known` part. */
const configurationUrl = webAddress;

export const portalOidcFields = z.object({
  configurationUrl,
  clientId: text(500),
  clientSecret: secret(optionalText(1_000)),
  buttonLabel: displayText(60),
  enabled: z.boolean(),
});

export const saveOidcConfiguration = endpoint({
  method: 'POST',
  path: '/oidc/configuration',
  area: 'Settings',
  access: oidcAccess,
  summary: 'Set up the sign-in through an external OpenID provider, or switch it off',
  versioned: 'portal-oidc',
  current: savedPortalOidc,
  body: portalOidcFields.extend({
    /**
     * An approval from `beginApproval` for exactly these fields: the provider decides who can sign in (decision 140).
     */
    approvalId: secret(id).optional(),
  }),
  reply: savedPortalOidc,
  refuses: ['AUTHENTICATION_INCOMPLETE'],
  events: ['portal-oidc.updated'],
});

/** The provider's response to the settings for this portal. */
const providerCheck = z.object({
  /** `client`: client id and callback URL, at the authorization endpoint; `secret`: at the token endpoint. */
  subject: z.enum(['client', 'secret']),
  /** `unknown` if the response allows no conclusion. */
  result: z.enum(['accepted', 'refused', 'unknown']),
  /** A sentence. */
  detail: portalText(z.string()),
});
export type ProviderCheck = z.output<typeof providerCheck>;

export const testOidcConfiguration = endpoint({
  method: 'POST',
  path: '/oidc/configuration/test',
  area: 'Settings',
  access: oidcAccess,
  summary: 'Fetch the discovery document, check if the provider knows the client, and return the results',
  unversioned: 'reads',
  body: z.object({
    configurationUrl,
    /** Without it, only the discovery document is read. */
    clientId: optionalText(500).optional(),
    /** Without it, the secret is not checked. */
    clientSecret: secret(optionalText(1_000).optional()),
  }),
  reply: z.object({
    issuer: z.string(),
    authorizationEndpoint: z.string(),
    tokenEndpoint: z.string(),
    jwksUri: z.string(),
    userinfoEndpoint: z.string().nullable(),
    scopesSupported: z.array(z.string()),
    codeChallengeMethodsSupported: z.array(z.string()),
    /** Problems that would prevent or weaken a sign-in. */
    warnings: z.array(portalText(z.string())),
    /** Empty without a client id. */
    checks: z.array(providerCheck),
  }),
  // It changes nothing.
  events: [],
});
