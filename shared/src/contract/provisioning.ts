import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { optionalText, text } from '../fields.ts';

/** What a provisioning client is given (spec 2 §3, SCIM credentials). User name and password are '' before the first. */
const scimCredentials = z.object({ endpoint: z.string(), username: z.string(), password: z.string() });
const scimAccess = { who: 'permission', permission: 'SCIM_PROVISIONING' } as const;

export const getScimCredentials = endpoint({
  ...{ method: 'GET', path: '/scim/basicauth', area: 'Settings', access: scimAccess },
  summary: 'Where and with which credentials users are provisioned',
  reply: scimCredentials,
});

export const renewScimCredentials = endpoint({
  ...{ method: 'POST', path: '/scim/basicauth', area: 'Settings', access: scimAccess },
  summary: 'Make a new pair of credentials; the old one no longer works',
  body: z.object({}),
  reply: scimCredentials,
});

/** The organisation's external OpenID provider, through which its members may sign in to the portal (spec 2 §3). */
const portalOidc = z.object({
  configurationUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  buttonLabel: z.string(),
  enabled: z.boolean(),
});
export type PortalOidc = z.output<typeof portalOidc>;

const oidcAccess = { who: 'permission', permission: 'ADD_UPDATE_OIDC_CONFIGURATION' } as const;

export const getOidcConfiguration = endpoint({
  ...{ method: 'GET', path: '/oidc/configuration', area: 'Settings', access: oidcAccess },
  summary: 'How the portal signs people in through an external OpenID provider; empty where that was never set up',
  reply: portalOidc,
});

/** Address of a discovery document (OpenID Connect Discovery 1.0 §4), with or without its `/.well-known` part. */
const configurationUrl = text(2_000);

export const portalOidcFields = z.object({
  configurationUrl,
  clientId: text(500),
  clientSecret: optionalText(1_000),
  buttonLabel: text(60),
  enabled: z.boolean(),
});

export const saveOidcConfiguration = endpoint({
  ...{ method: 'POST', path: '/oidc/configuration', area: 'Settings', access: oidcAccess },
  summary: 'Set up the sign-in through an external OpenID provider, or switch it off',
  body: portalOidcFields,
  reply: portalOidc,
});

export const testOidcConfiguration = endpoint({
  ...{ method: 'POST', path: '/oidc/configuration/test', area: 'Settings', access: oidcAccess },
  summary: 'Fetch the discovery document and say what stands in it',
  body: z.object({ configurationUrl }),
  reply: z.object({
    issuer: z.string(),
    authorizationEndpoint: z.string(),
    tokenEndpoint: z.string(),
    jwksUri: z.string(),
    userinfoEndpoint: z.string().nullable(),
    scopesSupported: z.array(z.string()),
    codeChallengeMethodsSupported: z.array(z.string()),
    /** What would keep a sign-in from working, or make it weak. */
    warnings: z.array(z.string()),
  }),
});
