import { oidcApplicationRepo } from '@orchestrate/db';
import type { AccessToken, ClientCredentials, Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { resourceServerOf } from '../tokens/api-resources.ts';

/**
 * Issues JWT access tokens (RFC 9068) for requests without `resource`, if the application's settings say so. The stored
 * token has no audience, because userinfo accepts only tokens without one. The audience in the JWT and in its
 * introspection is the client ID. The library's option `defaultResource` isn't enough: tokens would lack the scopes of
 * OpenID Connect. Checked with oidc-provider 9.13.3, whose `save` chooses the format by the token's resource server.
 */
export function issueJwtAccessTokens(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  { AccessToken, ClientCredentials, ResourceServer }: Provider,
): void {
  const prepare = (token: AccessToken | ClientCredentials): void => {
    const { clientId = '', resourceServer } = token;
    if (resourceServer !== undefined) return;
    if (oidcApplicationRepo.findOidcApplication(db, orgCode, clientId)?.accessTokenFormat !== 'jwt') return;
    token.resourceServer = new ResourceServer(clientId, resourceServerOf({ identifier: clientId, scopes: [] }));
    // Setting the resource server has also set the audience.
    token.aud = undefined;
  };
  for (const { prototype } of [AccessToken, ClientCredentials]) {
    const { save } = prototype;
    prototype.save = function saveInFormat() {
      prepare(this);
      return save.call(this);
    };
  }
}
