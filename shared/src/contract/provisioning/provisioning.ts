import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, id, nameText, optionalText, portalText, queryNumber, secret, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { webAddress } from '../applications/app-fields.ts';

/** Selectable token lifetimes, in days. Bearer tokens must have a limited lifetime (RFC 6750 §5.3, RFC 7644 §7.4). */
export const TOKEN_LIFETIME_DAYS = [90, 180, 365, 730] as const;

/** The form for a new bearer token for another program. */
export const tokenForm = z.object({
  name: nameText(100),
  lifetimeDays: z.literal(TOKEN_LIFETIME_DAYS).default(365),
});
export type TokenForm = z.output<typeof tokenForm>;

/**
 * Reasons why credentials grant less than when they were created: `unknown-maker` if the creator was not recorded,
 * `maker-inactive` if the creator was disabled or deleted since, `maker-lost` if the creator has fewer permissions
 * now.
 */
const ceilingLimit = z.enum(['nothing', 'unknown-maker', 'maker-inactive', 'maker-lost']);
export type CeilingLimit = z.output<typeof ceilingLimit>;

/**
 * A provisioning client's settings (spec 2 §3, SCIM credentials). User name and password are '' before the first pair
 * is created.
 */
const scimCredentials = z.object({
  endpoint: z.string(),
  username: z.string(),
  /** The password. Also '' if `isPasswordHidden`. */
  password: secret(z.string()),
  /**
   * True if the credentials can grant a role that the signed-in member can't grant. The member then can't read the
   * password.
   */
  isPasswordHidden: z.boolean(),
  /** Full name of the member who created the credentials. null if unknown. */
  madeBy: z.string().nullable(),
  madeAt: z.string().nullable(),
  /** Names of the roles that a directory can currently grant with these credentials. */
  roles: z.array(z.string()),
  limitedBy: ceilingLimit,
});
const scimAccess = { who: 'permission', permission: 'SCIM_PROVISIONING' } as const;

export const getScimCredentials = endpoint({
  method: 'GET',
  path: '/scim/basicauth',
  area: 'Settings',
  access: scimAccess,
  summary: "Get the provisioning client's endpoint and credentials",
  versioned: 'scim-credentials',
  reply: scimCredentials,
});

export const renewScimCredentials = endpoint({
  method: 'POST',
  path: '/scim/basicauth',
  area: 'Settings',
  access: scimAccess,
  summary: 'Create a new pair of credentials; the old pair stops working',
  versioned: 'scim-credentials',
  current: scimCredentials,
  body: z.object({}),
  reply: scimCredentials,
  events: ['scim-credentials.renewed'],
});

/** A directory's bearer token (RFC 6750), without the token itself. */
const scimToken = z.object({
  tokenId: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** Time of the last use, accurate to the minute. null before the first use. */
  lastUsedAt: z.string().nullable(),
  /** Time at which the token expires. null if it doesn't expire. */
  expiresAt: z.string().nullable(),
  /** Full name of the member who created the token. null if unknown. */
  madeBy: z.string().nullable(),
  /** Names of the roles that a directory can currently grant with this token. */
  roles: z.array(z.string()),
  limitedBy: ceilingLimit,
});
export type ScimToken = z.output<typeof scimToken>;

export const listScimTokens = endpoint({
  method: 'GET',
  path: '/scim/tokens',
  area: 'Settings',
  access: scimAccess,
  summary: "List the provisioning clients' bearer tokens, newest first",
  reply: z.object({ tokens: z.array(scimToken) }),
});

export const createScimToken = endpoint({
  method: 'POST',
  path: '/scim/tokens',
  area: 'Settings',
  access: scimAccess,
  unversioned: 'creates',
  summary: 'Create an additional bearer token for a directory; the token is only included in this response',
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
  summary: 'Revoke a bearer token; its directory is refused immediately',
  params: z.object({ tokenId: id }),
  reply: z.object({}),
  events: ['scim-token.revoked'],
});

/** A change that a directory requested, whether accepted or refused. */
const scimLogRecord = z.object({
  id: z.string(),
  at: z.string(),
  /** Method and resource, e.g. `PATCH /Users/…`. */
  operation: z.string(),
  /** The directory's user name for the target, or '' if unknown. */
  userName: z.string(),
  /** HTTP status of the response. */
  status: z.number().int(),
  /** The request's JSON without secrets, truncated if long, or '' if the request has no body. */
  body: z.string(),
  /** Reason for the refusal, or ''. */
  detail: z.string(),
});
export type ScimLogRecord = z.output<typeof scimLogRecord>;

export const getScimLog = endpoint({
  method: 'GET',
  path: '/scim/log',
  area: 'Settings',
  access: scimAccess,
  summary: 'List the latest thousand provisioning requests, newest first, with keyset pagination',
  query: z.object({
    count: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** `LastEvaluatedKey` from the previous response, as JSON. */
    lastItem: text(100).optional(),
  }),
  reply: z.object({
    records: z.array(scimLogRecord),
    /** Cursor of the next page: the last row on this page. */
    LastEvaluatedKey: z.object({ id: z.string() }).nullable(),
  }),
});

/** The organisation's external OpenID provider, which members can use to sign in to the portal (spec 2 §3). */
const portalOidc = z.object({
  configurationUrl: z.string(),
  clientId: z.string(),
  clientSecret: secret(z.string()),
  buttonLabel: z.string(),
  enabled: z.boolean(),
});
export type PortalOidc = z.output<typeof portalOidc>;

/** Saved settings, with the URL to register at the provider. */
const savedPortalOidc = portalOidc.extend({ callbackUrl: z.string() });

const oidcAccess = { who: 'permission', permission: 'ADD_UPDATE_OIDC_CONFIGURATION' } as const;

export const getOidcConfiguration = endpoint({
  method: 'GET',
  path: '/oidc/configuration',
  area: 'Settings',
  access: oidcAccess,
  summary: 'Get the settings for sign-in through an external OpenID provider; empty if not set up',
  versioned: 'portal-oidc',
  reply: savedPortalOidc,
});

/** URL of a discovery document (OpenID Connect Discovery 1.0 §4), with or without its `/.well-known` suffix. */
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
  summary: 'Set up sign-in through an external OpenID provider, or turn it off',
  versioned: 'portal-oidc',
  current: savedPortalOidc,
  body: portalOidcFields.extend({
    /**
     * ID of an approval from `beginApproval` for exactly these fields. Required because the provider decides who can
     * sign in (decision 140).
     */
    approvalId: secret(id).optional(),
  }),
  reply: savedPortalOidc,
  refuses: ['AUTHENTICATION_INCOMPLETE'],
  events: ['portal-oidc.updated'],
});

/** The provider's response to this portal's settings. */
const providerCheck = z.object({
  /**
   * What was checked: `client` is the client ID and callback URL, at the authorization endpoint; `secret` is the
   * client secret, at the token endpoint.
   */
  subject: z.enum(['client', 'secret']),
  /** `unknown` if the response is inconclusive. */
  result: z.enum(['accepted', 'refused', 'unknown']),
  /** Explanation of the result, as a sentence. */
  detail: portalText(z.string()),
});
export type ProviderCheck = z.output<typeof providerCheck>;

export const testOidcConfiguration = endpoint({
  method: 'POST',
  path: '/oidc/configuration/test',
  area: 'Settings',
  access: oidcAccess,
  summary: 'Fetch the discovery document, check whether the provider knows the client, and return the results',
  unversioned: 'reads',
  body: z.object({
    configurationUrl,
    /** Client ID to check. If omitted, only the discovery document is read. */
    clientId: optionalText(500).optional(),
    /** Client secret to check. If omitted, no secret is checked. */
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
    /** Problems that would prevent or weaken sign-in. */
    warnings: z.array(portalText(z.string())),
    /** Results of the client checks. Empty without a client ID. */
    checks: z.array(providerCheck),
  }),
  // A check doesn't modify any data, so there is no audit event.
  events: [],
});
