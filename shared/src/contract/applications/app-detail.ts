import { z } from 'zod';
import { secret } from '../../fields.ts';
import { appClaim } from './app-claims.ts';
import { application, radiusMethod } from './app-fields.ts';
import { accessTokenFormat, clientKeys, idTokenAlgorithm } from './client-keys.ts';
import { clientKind } from './client-kinds.ts';
import { samlConfiguration } from './saml-fields.ts';

export const clientSecret = z.object({
  secretId: z.string(),
  name: z.string(),
  client_secret: secret(z.string()),
  createdAt: z.string(),
  /** Expiry; null if the secret never expires. */
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});
export type ClientSecret = z.output<typeof clientSecret>;

export const oidcClient = z.object({
  client_id: z.string(),
  kind: clientKind,
  /** The newest valid secret; empty for a client without secrets. */
  client_secret: secret(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  redirect_uris: z.array(z.string()),
  post_logout_redirect_uris: z.array(z.string()),
  ttl_IdToken: z.number().int(),
  ttl_AccessToken: z.number().int(),
  ttl_AuthorizationCode: z.number().int(),
  ttl_RefreshToken: z.number().int(),
  /** URL the portal calls when a user signs out (OpenID Connect Back-Channel Logout 1.0), or empty. */
  backchannel_logout_uri: z.string(),
  /** Page the browser opens on logout (OpenID Connect Front-Channel Logout 1.0), or empty. */
  frontchannel_logout_uri: z.string(),
  /** Claims added to those of the standard scopes, in order. */
  claims: z.array(appClaim),
  /** How the client authenticates: `private_key_jwt` for a client with keys, `none` for a public client. */
  token_endpoint_auth_method: z.enum(['client_secret_basic', 'private_key_jwt', 'none']),
  /** The client's public keys; null if it has no keys or publishes them at `jwks_uri`. */
  jwks: clientKeys.nullable(),
  /** URL of the client's public keys, or empty. */
  jwks_uri: z.string(),
  id_token_signed_response_alg: idTokenAlgorithm,
  /** Format of access tokens without `resource`. The audience of JWTs is then the client ID. */
  access_token_format: accessTokenFormat,
  /** True if each refresh replaces the refresh token. */
  rotate_refresh_tokens: z.boolean(),
  /** True if the client can exchange users' access tokens for tokens for other services (RFC 8693). */
  token_exchange: z.boolean(),
});

export const oidcConfiguration = z.object({
  /** Issuer, in the format `{host}/oidc/{orgCode}`. */
  domainUrl: z.string(),
  authorizationEndpoint: z.string(),
  discoveryUrl: z.string(),
  /** Other endpoints the client may need, named as in the discovery document. */
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
   * True for a web or service client without keys or a valid secret, which can't authenticate itself or sign anyone
   * in.
   */
  isClosed: z.boolean(),
  clients: oidcClient,
  /** Client secrets, newest first. */
  clientSecrets: z.array(clientSecret),
});
export type OidcConfiguration = z.output<typeof oidcConfiguration>;

/**
 * Why an organisation has no RADIUS port: `RADIUS_PORT` isn't set, its range has fewer ports than the portal has
 * organisations, or another program uses the organisation's port.
 */
export const noRadiusPort = z.enum(['off', 'range-too-small', 'in-use']);
export type NoRadiusPort = z.output<typeof noRadiusPort>;

export const radiusConfiguration = z.object({
  /** Host to which clients send their requests. */
  host: z.string(),
  /** The organisation's UDP port, or null. */
  port: z.number().int().nullable(),
  /** Why the organisation has no port, or null. */
  noPort: noRadiusPort.nullable(),
  /** Secret shared with the client; empty if the application has none yet. */
  secret: secret(z.string()),
  /**
   * `weak`: easy to guess on a portal that others can reach, so requests get no response. `duplicate`: another RADIUS
   * application of the organisation has the same secret. Null if there is no problem.
   */
  secretProblem: z.enum(['weak', 'duplicate']).nullable(),
  method: radiusMethod,
});
export type RadiusConfiguration = z.output<typeof radiusConfiguration>;

export const ldapConfiguration = z.object({
  host: z.string(),
  /** LDAP port; null if LDAP is off (see `LDAP_PORT`). */
  port: z.number().int().nullable(),
  /** LDAPS port; null if LDAPS is off (see `LDAPS_PORT`). */
  tlsPort: z.number().int().nullable(),
  /** Base DN of the organisation's people and groups. */
  baseDn: z.string(),
  /** DN of the account the application uses for searches. */
  bindDn: z.string(),
  /** Password of the search account; empty if the application has none yet. */
  secret: secret(z.string()),
});
export type LdapConfiguration = z.output<typeof ldapConfiguration>;

export const applicationDetail = application.extend({
  createdAt: z.string(),
  /** Members who can use the application, excluding deleted members; null for everyone. */
  usableBy: z
    .object({
      roles: z.array(z.string()),
      people: z.array(z.object({ suid: z.string(), name: z.string(), email: z.string() })),
      groups: z.array(z.object({ groupId: z.string(), displayName: z.string() })),
    })
    .nullable(),
  /** OIDC settings; null for other applications. */
  oidcConfiguration: oidcConfiguration.nullable(),
  /** SAML settings; null for other applications. */
  samlConfiguration: samlConfiguration.nullable(),
  /** RADIUS settings; null for other applications. */
  radiusConfiguration: radiusConfiguration.nullable(),
  /** LDAP settings; null for other applications. */
  ldapConfiguration: ldapConfiguration.nullable(),
});
export type ApplicationDetail = z.output<typeof applicationDetail>;
