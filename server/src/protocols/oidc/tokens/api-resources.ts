import { apiResourceRepo } from '@orchestrate/db';
import type { Configuration, Grant, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import type { Deps } from '#deps.ts';

type Library = typeof import('oidc-provider');
type Indicators = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>;

/**
 * Returns an organisation's APIs as resource servers. A client that requests an API by its identifier (RFC 8707) gets
 * a JWT access token (RFC 9068) with the requested scopes of that API. Without `resource`, the access token is for
 * userinfo, and opaque unless the application's setting says otherwise: see `issueJwtAccessTokens`.
 */
export function resourceIndicators({ db }: Pick<Deps, 'db'>, orgCode: string, { errors }: Library): Indicators {
  return {
    enabled: true,
    async defaultResource(ctx) {
      // Other providers call this parameter `audience`. Ignoring it would issue a token that the API then rejects.
      if (ctx.oidc.body?.audience ?? ctx.query.audience) {
        throw new errors.InvalidTarget('name the API as resource (RFC 8707), not as audience');
      }
      const problem = scopeProblem(ctx);
      if (problem) throw new errors.InvalidScope(problem, String(ctx.oidc.params?.scope ?? ''));
      return [];
    },
    async getResourceServerInfo(_ctx, identifier) {
      const found = apiResourceRepo.findApiResourceByIdentifier(db, orgCode, identifier);
      if (!found) throw new errors.InvalidTarget('the organisation has no such API');
      return resourceServerOf(found);
    },
    // With a code or refresh token for a single API, the client doesn't need to name the API again.
    useGrantedResource: async () => true,
  };
}

/** Returns an API as the library's resource server. */
export const resourceServerOf = ({
  identifier,
  scopes,
}: Pick<apiResourceRepo.ApiResourceRow, 'identifier' | 'scopes'>): ResourceServer => ({
  scope: scopes.join(' '),
  audience: identifier,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'RS256' } },
});

/** Endpoints that start a sign-in. */
const STARTS_SIGN_IN: ReadonlySet<string> = new Set([
  'authorization',
  'pushed_authorization_request',
  'device_authorization',
]);

/**
 * Returns the problem with the scopes of a request that names no API (RFC 6749 §3.3). The library would grant a
 * service client any scope, and would reject a user's request without scopes only after the sign-in.
 */
function scopeProblem({ oidc }: KoaContextWithOIDC): string | undefined {
  const { route, params, requestParamOIDCScopes: ownScopes } = oidc;
  if (params?.grant_type === 'client_credentials') {
    return params.scope
      ? 'a service client must name the API whose scopes it requests as resource (RFC 8707)'
      : undefined;
  }
  return STARTS_SIGN_IN.has(route) && ownScopes.size === 0
    ? 'request a scope of the provider, such as openid'
    : undefined;
}

/** Returns true if a request asks for API scopes that the grant doesn't contain yet. */
export function requestsMoreApiScopes({ oidc }: KoaContextWithOIDC, grant: Grant): boolean {
  return scopesOfApis(oidc).some(([identifier, scopes]) => {
    const granted = new Set(grant.getResourceScope(identifier).split(' '));
    return scopes.some((scope) => !granted.has(scope));
  });
}

/** Adds the requested API scopes to the grant. */
export function grantApiScopes({ oidc }: KoaContextWithOIDC, grant: Grant): void {
  for (const [identifier, scopes] of scopesOfApis(oidc)) grant.addResourceScope(identifier, scopes.join(' '));
}

function scopesOfApis({ resourceServers, requestParamScopes }: KoaContextWithOIDC['oidc']): [string, string[]][] {
  return Object.entries(resourceServers ?? {}).map(([identifier, server]) => {
    const own = new Set(server.scope.split(' '));
    return [identifier, [...requestParamScopes].filter((scope) => own.has(scope))];
  });
}
