import type { applicationRepo } from '@orchestrate/db';
import type { contract, RequestOf } from '@orchestrate/shared';

type Clients = NonNullable<RequestOf<typeof contract.updateApp>['body']['oidcConfiguration']>['clients'];

/** Converts the client settings present in a request from the specification's names to columns. */
export function oidcColumnsFromWire(
  clients: Clients,
): Partial<Omit<applicationRepo.OidcClientRow, 'orgCode' | 'appId'>> {
  const columns = {
    redirectUris: clients.redirect_uris,
    postLogoutRedirectUris: clients.post_logout_redirect_uris,
    ttlIdToken: clients.ttl_IdToken,
    ttlAccessToken: clients.ttl_AccessToken,
    ttlAuthorizationCode: clients.ttl_AuthorizationCode,
    ttlRefreshToken: clients.ttl_RefreshToken,
    backchannelLogoutUri: orNull(clients.backchannel_logout_uri),
    frontchannelLogoutUri: orNull(clients.frontchannel_logout_uri),
    claims: clients.claims,
    jwks: clients.jwks,
    jwksUri: orNull(clients.jwks_uri),
    idTokenAlg: clients.id_token_signed_response_alg,
    accessTokenFormat: clients.access_token_format,
    rotateRefreshTokens: clients.rotate_refresh_tokens,
    tokenExchange: clients.token_exchange,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

const orNull = (address: string | undefined) => (address === '' ? null : address);
