import type { applicationRepo, clientSecretRepo } from '@orchestrate/db';
import { authMethodOf, type ClientSecret, grantsOf, hasCallback, type OidcConfiguration } from '@orchestrate/shared';
import { fullAddress, oidcAddresses } from '#platform/own-addresses.ts';
import { isoOf } from '#platform/times.ts';

export function clientSecretOf(row: clientSecretRepo.ClientSecretRow): ClientSecret {
  return {
    secretId: row.id,
    name: row.name,
    client_secret: row.secret,
    createdAt: isoOf(row.createdAt),
    expiresAt: isoOf(row.expiresAt),
    lastUsedAt: isoOf(row.lastUsedAt),
  };
}

/**
 * Returns an application's OIDC configuration. @param secrets newest first @param at time in milliseconds and origin
 * for the response
 */
export function oidcConfigurationOf(
  client: applicationRepo.OidcClientRow,
  secrets: readonly clientSecretRepo.ClientSecretRow[],
  { publicUrl, now }: { publicUrl: string; now: number },
): OidcConfiguration {
  const { issuer, authorizationEndpoint, discoveryUrl, endpoints } = oidcAddresses(publicUrl, client.orgCode);
  const whole = (address: string) => fullAddress(publicUrl, address);
  const { kind } = client;
  const method = authMethodOf(client);
  const valid = secrets.find(({ expiresAt }) => expiresAt === null || expiresAt > now);
  return {
    domainUrl: issuer,
    authorizationEndpoint,
    discoveryUrl,
    endpoints,
    isClosed: method === 'client_secret_basic' && valid === undefined,
    clients: {
      client_id: client.appId,
      kind,
      client_secret: valid?.secret ?? '',
      grant_types: grantsOf(client),
      response_types: hasCallback(kind, client.redirectUris) ? ['code'] : [],
      redirect_uris: client.redirectUris.map(whole),
      post_logout_redirect_uris: client.postLogoutRedirectUris.map(whole),
      ttl_IdToken: client.ttlIdToken,
      ttl_AccessToken: client.ttlAccessToken,
      ttl_AuthorizationCode: client.ttlAuthorizationCode,
      ttl_RefreshToken: client.ttlRefreshToken,
      backchannel_logout_uri: client.backchannelLogoutUri ?? '',
      frontchannel_logout_uri: client.frontchannelLogoutUri ?? '',
      claims: client.claims,
      token_endpoint_auth_method: method,
      jwks: client.jwks,
      jwks_uri: client.jwksUri ?? '',
      id_token_signed_response_alg: client.idTokenAlg,
      access_token_format: client.accessTokenFormat,
      rotate_refresh_tokens: client.rotateRefreshTokens,
      token_exchange: client.tokenExchange,
    },
    clientSecrets: secrets.map(clientSecretOf),
  };
}
