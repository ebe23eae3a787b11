import { apiResourceRepo } from '@orchestrate/db';
import type { Configuration, Grant, KoaContextWithOIDC } from 'oidc-provider';
import type { Deps } from '#deps.ts';

type Library = typeof import('oidc-provider');
type Indicators = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>;

/**
 * The APIs of an organisation as resource servers: who asks for one by its identifier (RFC 8707) gets an access token
 * as a JWT for it (RFC 9068), with those of its scopes that were asked for. Without `resource` a token stays opaque and
 * is for the portal's own userinfo.
 */
export function resourceIndicators({ db }: Pick<Deps, 'db'>, orgCode: string, { errors }: Library): Indicators {
  return {
    enabled: true,
    async defaultResource(ctx) {
      // Another provider's word for it; a token for nobody would be found out only at the API.
      if (ctx.oidc.body?.audience ?? ctx.query.audience) {
        throw new errors.InvalidTarget('name the API as resource (RFC 8707), not as audience');
      }
      const missing = missingScope(ctx);
      if (missing) throw new errors.InvalidScope(missing, String(ctx.oidc.params?.scope ?? ''));
      return [];
    },
    async getResourceServerInfo(_ctx, identifier) {
      const found = apiResourceRepo.findApiResourceByIdentifier(db, orgCode, identifier);
      if (!found) throw new errors.InvalidTarget('the organisation has no such API');
      return {
        scope: found.scopes.join(' '),
        audience: found.identifier,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      };
    },
    // A code or refresh token for one API needs not name it again.
    useGrantedResource: async () => true,
  };
}

/** The endpoints that begin a sign-in. */
const BEGINNING: ReadonlySet<string> = new Set([
  'authorization',
  'pushed_authorization_request',
  'device_authorization',
]);

/**
 * What is wrong with the scopes of a request that names no API (RFC 6749 §3.3): the library would give a machine any
 * that it says, and refuse a person who asks for none only after the sign-in.
 */
function missingScope({ oidc }: KoaContextWithOIDC): string | undefined {
  const { route, params, requestParamOIDCScopes: known } = oidc;
  if (params?.grant_type === 'client_credentials') {
    return params.scope ? 'a machine has the scopes of the API that it names as resource (RFC 8707)' : undefined;
  }
  return BEGINNING.has(route) && known.size === 0 ? 'ask for a scope of the provider, such as openid' : undefined;
}

/** Whether a request asks for scopes of APIs that a grant does not contain yet. */
export function asksForMoreOfApis({ oidc }: KoaContextWithOIDC, grant: Grant): boolean {
  return scopesOfApis(oidc).some(([identifier, scopes]) => {
    const granted = new Set(grant.getResourceScope(identifier).split(' '));
    return scopes.some((scope) => !granted.has(scope));
  });
}

/** Grants the scopes of APIs that a request asks for: applications are the organisation's own. */
export function grantApis({ oidc }: KoaContextWithOIDC, grant: Grant): void {
  for (const [identifier, scopes] of scopesOfApis(oidc)) grant.addResourceScope(identifier, scopes.join(' '));
}

function scopesOfApis({ resourceServers, requestParamScopes }: KoaContextWithOIDC['oidc']): [string, string[]][] {
  return Object.entries(resourceServers ?? {}).map(([identifier, server]) => {
    const own = new Set(server.scope.split(' '));
    return [identifier, [...requestParamScopes].filter((scope) => own.has(scope))];
  });
}
