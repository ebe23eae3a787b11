import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, id, optionalText, queryNumber, secret, text } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { webAddress } from '../applications/app-fields.ts';
import { tokenForm } from './token-form.ts';

/**
 * Why credentials give less than when they were made: `unknown-maker` where the maker was not recorded yet,
 * `maker-inactive` after the maker was disabled or deleted, `maker-lost` where the maker may do less now.
 */
const ceilingLimit = z.enum(['nothing', 'unknown-maker', 'maker-inactive', 'maker-lost']);
export type CeilingLimit = z.output<typeof ceilingLimit>;

/**
 * The settings of a provisioning client (spec 2 §3, SCIM credentials). User name and password are '' before the first.
 */
const scimCredentials = z.object({
  endpoint: z.string(),
  username: z.string(),
  /** '' also where `isPasswordHidden`. */
  password: secret(z.string()),
  /** The credentials can give a role that the caller could not, so the caller may not read the password. */
  isPasswordHidden: z.boolean(),
  /** Full name of the person who made them; null where that is not known. */
  madeBy: z.string().nullable(),
  madeAt: z.string().nullable(),
  /** Names of the roles that a directory may give with them now. */
  roles: z.array(z.string()),
  limitedBy: ceilingLimit,
});
const scimAccess = { who: 'permission', permission: 'SCIM_PROVISIONING' } as const;

export const getScimCredentials = endpoint({
  method: 'GET',
  path: '/scim/basicauth',
  area: 'Settings',
  access: scimAccess,
  summary: 'The address and the credentials with which members are provisioned',
  versioned: 'scim-credentials',
  reply: scimCredentials,
});

export const renewScimCredentials = endpoint({
  method: 'POST',
  path: '/scim/basicauth',
  area: 'Settings',
  access: scimAccess,
  summary: 'Make a new pair of credentials; the old one no longer works',
  versioned: 'scim-credentials',
  current: scimCredentials,
  body: z.object({}),
  reply: scimCredentials,
  events: ['scim-credentials.renewed'],
});

/** A bearer token of a directory (RFC 6750), as it can be seen after it was made. */
const scimToken = z.object({
  tokenId: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** Null before it is first used. Accurate to the minute. */
  lastUsedAt: z.string().nullable(),
  /** Null for never. */
  expiresAt: z.string().nullable(),
  /** Full name of the person who made it; null where that is not known. */
  madeBy: z.string().nullable(),
  /** Names of the roles that a directory may give with it now. */
  roles: z.array(z.string()),
  limitedBy: ceilingLimit,
});
export type ScimToken = z.output<typeof scimToken>;

export const listScimTokens = endpoint({
  method: 'GET',
  path: '/scim/tokens',
  area: 'Settings',
  access: scimAccess,
  summary: 'The bearer tokens with which members are provisioned, the newest first',
  reply: z.object({ tokens: z.array(scimToken) }),
});

export const createScimToken = endpoint({
  method: 'POST',
  path: '/scim/tokens',
  area: 'Settings',
  access: scimAccess,
  unversioned: 'creates',
  summary: 'Make a bearer token for a directory, beside those that there are; this answer alone contains it',
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
  summary: 'Revoke a bearer token: its directory is refused at once',
  params: z.object({ tokenId: id }),
  reply: z.object({}),
  events: ['scim-token.revoked'],
});

/** A change by a directory, or a refusal to it. */
const scimLogRecord = z.object({
  id: z.string(),
  at: z.string(),
  /** Method and resource, e.g. `PATCH /Users/…`. */
  operation: z.string(),
  /** The target by the directory's name; '' where that is not known. */
  userName: z.string(),
  /** HTTP status of the answer. */
  status: z.number().int(),
  /** The JSON that was sent, without secrets and cut where it is long; '' where there was none. */
  body: z.string(),
  /** Why it was refused; '' where it was not. */
  detail: z.string(),
});
export type ScimLogRecord = z.output<typeof scimLogRecord>;

export const getScimLog = endpoint({
  method: 'GET',
  path: '/scim/log',
  area: 'Settings',
  access: scimAccess,
  summary: 'The newest thousand of what was provisioned or refused, newest first, keyset paged',
  query: z.object({
    count: queryNumber(1, LIMITS.searchPageSizeMax).default(LIMITS.searchPageSize),
    /** The previous answer's `LastEvaluatedKey`, as JSON. */
    lastItem: text(100).optional(),
  }),
  reply: z.object({
    records: z.array(scimLogRecord),
    /** Where the next page begins: the last row of this one. */
    LastEvaluatedKey: z.object({ id: z.string() }).nullable(),
  }),
});

/** The organisation's external OpenID provider, through which its members may sign in to the portal (spec 2 §3). */
const portalOidc = z.object({
  configurationUrl: z.string(),
  clientId: z.string(),
  clientSecret: secret(z.string()),
  buttonLabel: z.string(),
  enabled: z.boolean(),
});
export type PortalOidc = z.output<typeof portalOidc>;

/** With the address to register at the provider. */
const savedPortalOidc = portalOidc.extend({ callbackUrl: z.string() });

const oidcAccess = { who: 'permission', permission: 'ADD_UPDATE_OIDC_CONFIGURATION' } as const;

export const getOidcConfiguration = endpoint({
  method: 'GET',
  path: '/oidc/configuration',
  area: 'Settings',
  access: oidcAccess,
  summary: 'How the portal signs people in through an external OpenID provider; empty where that was never set up',
  versioned: 'portal-oidc',
  reply: savedPortalOidc,
});

/** Address of a discovery document (OpenID Connect Discovery 1.0 §4), with or without its `/.well-known` part. */
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
     * An approval from `beginApproval` for exactly these fields: setting the provider decides who may come in (decision
     * 140).
     */
    approvalId: secret(id).optional(),
  }),
  reply: savedPortalOidc,
  refuses: ['AUTHENTICATION_INCOMPLETE'],
  events: ['portal-oidc.updated'],
});

/** What a provider does with the settings that it was given for this portal. */
const providerCheck = z.object({
  /** `client`: client id and callback address, at the authorization endpoint; `secret`: at the token endpoint. */
  subject: z.enum(['client', 'secret']),
  /** `unknown` where the answer says neither. */
  result: z.enum(['accepted', 'refused', 'unknown']),
  /** A sentence. */
  detail: z.string(),
});
export type ProviderCheck = z.output<typeof providerCheck>;

export const testOidcConfiguration = endpoint({
  method: 'POST',
  path: '/oidc/configuration/test',
  area: 'Settings',
  access: oidcAccess,
  summary: 'Fetch the discovery document, ask the provider whether it knows the client, and return what they say',
  unversioned: 'reads',
  body: z.object({
    configurationUrl,
    /** Without it only the document is read. */
    clientId: optionalText(500).optional(),
    /** Without it the secret is not tried. */
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
    /** What would keep a sign-in from working, or weaken it. */
    warnings: z.array(z.string()),
    /** Empty without a client id. */
    checks: z.array(providerCheck),
  }),
  // It changes nothing.
  events: [],
});
