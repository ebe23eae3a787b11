import { z } from 'zod';
import { secret } from '../../fields.ts';
import { appClaim } from './app-claims.ts';
import { application, radiusMethod } from './app-fields.ts';
import { clientKeys, idTokenAlgorithm } from './client-keys.ts';
import { clientKind } from './client-kinds.ts';
import { samlConfiguration } from './saml-fields.ts';

export const clientSecret = z.object({
  secretId: z.string(),
  name: z.string(),
  client_secret: secret(z.string()),
  createdAt: z.string(),
  /** Null for no expiry. */
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});
export type ClientSecret = z.output<typeof clientSecret>;

export const oidcClient = z.object({
  client_id: z.string(),
  kind: clientKind,
  /** The newest secret that is still valid; '' for a client without one. */
  client_secret: secret(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  redirect_uris: z.array(z.string()),
  post_logout_redirect_uris: z.array(z.string()),
  ttl_IdToken: z.number().int(),
  ttl_AccessToken: z.number().int(),
  ttl_AuthorizationCode: z.number().int(),
  ttl_RefreshToken: z.number().int(),
  /** URL that the portal calls when a user signs out (OpenID Connect Back-Channel Logout 1.0), or ''. */
  backchannel_logout_uri: z.string(),
  /** Page that the browser opens on logout (OpenID Connect Front-Channel Logout 1.0), or ''. */
  frontchannel_logout_uri: z.string(),
  /** Claims in addition to those of the standard scopes, in order. */
  claims: z.array(appClaim),
  /** Client authentication: `private_key_jwt` for a client with keys, `none` for a public one. */
  token_endpoint_auth_method: z.enum(['client_secret_basic', 'private_key_jwt', 'none']),
  /** Its public keys; null if it has none, or publishes them itself. */
  jwks: clientKeys.nullable(),
  /** URL of its public keys, or ''. */
  jwks_uri: z.string(),
  id_token_signed_response_alg: idTokenAlgorithm,
});

export const oidcConfiguration = z.object({
  /** The issuer: `{host}/oidc/{orgCode}`. */
  domainUrl: z.string(),
  authorizationEndpoint: z.string(),
  discoveryUrl: z.string(),
  /** Other endpoints that the client may need, by their names in the discovery document. */
  endpoints: z.object({
    token_endpoint: z.string(),
    userinfo_endpoint: z.string(),
    jwks_uri: z.string(),
    end_session_endpoint: z.string(),
    introspection_endpoint: z.string(),
    revocation_endpoint: z.string(),
    pushed_authorization_request_endpoint: z.string(),
    device_authorization_endpoint: z.string(),
  }),
  /**
   * True for a web or service client without keys or a valid secret, which can neither authenticate nor sign anyone in.
   */
  isClosed: z.boolean(),
  clients: oidcClient,
  /** Newest first. */
  clientSecrets: z.array(clientSecret),
});
export type OidcConfiguration = z.output<typeof oidcConfiguration>;

/**
 * Reasons why an organisation has no RADIUS port: `RADIUS_PORT` isn't set, its range has fewer ports than the portal
 * has organisations, or another program uses the organisation's port.
 */
export const noRadiusPort = z.enum(['off', 'range-too-small', 'in-use']);
export type NoRadiusPort = z.output<typeof noRadiusPort>;

export const radiusConfiguration = z.object({
  /** Host that clients send their requests to. */
  host: z.string(),
  /** UDP port of the organisation, or null. */
  port: z.number().int().nullable(),
  /** Reason why the organisation has no port, or null. */
  noPort: noRadiusPort.nullable(),
  /** Secret shared with the client; '' for an application that has none yet. */
  secret: secret(z.string()),
  /**
   * `weak`: easy to guess on a portal that others can reach, so requests get no answer. `duplicate`: another RADIUS
   * application of the organisation has the same secret. Null: neither.
   */
  secretProblem: z.enum(['weak', 'duplicate']).nullable(),
  method: radiusMethod,
});
export type RadiusConfiguration = z.output<typeof radiusConfiguration>;

export const ldapConfiguration = z.object({
  host: z.string(),
  /** Null if LDAP is switched off, see `LDAP_PORT`. */
  port: z.number().int().nullable(),
  /** Null if LDAPS is switched off, see `LDAPS_PORT`. */
  tlsPort: z.number().int().nullable(),
  /** Base DN of its people and groups. */
  baseDn: z.string(),
  /** DN of the account that the application searches with. */
  bindDn: z.string(),
  /** Password of that account; '' for an application that has none yet. */
  secret: secret(z.string()),
});
export type LdapConfiguration = z.output<typeof ldapConfiguration>;

export const applicationDetail = application.extend({
  createdAt: z.string(),
  /** Members who can use it; null for all. Deleted members are left out. */
  usableBy: z
    .object({
      roles: z.array(z.string()),
      people: z.array(z.object({ suid: z.string(), name: z.string(), email: z.string() })),
      groups: z.array(z.object({ groupId: z.string(), displayName: z.string() })),
    })
    .nullable(),
  /** OIDC applications only. */
  oidcConfiguration: oidcConfiguration.nullable(),
  /** SAML applications only. */
  samlConfiguration: samlConfiguration.nullable(),
  /** RADIUS applications only. */
  radiusConfiguration: radiusConfiguration.nullable(),
  /** LDAP applications only. */
  ldapConfiguration: ldapConfiguration.nullable(),
});
export type ApplicationDetail = z.output<typeof applicationDetail>;
