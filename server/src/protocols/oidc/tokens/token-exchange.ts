import { apiResourceRepo, oidcApplicationRepo } from '@orchestrate/db';
import { TOKEN_EXCHANGE_GRANT } from '@orchestrate/shared';
import type {
  AccessToken,
  Grant,
  KoaContextWithOIDC,
  Provider,
  ResourceServer,
  TokenEndpointGrantContext,
} from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { setSignInDetails, signInDetailsOf } from '../overrides/store-sign-in-details.ts';
import { resourceServerOf } from './api-resources.ts';

type Library = typeof import('oidc-provider');

const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:';
const ACCESS_TOKEN = `${TOKEN_TYPE}access_token`;
const JWT = `${TOKEN_TYPE}jwt`;

interface Params {
  subject_token?: string;
  subject_token_type?: string;
  requested_token_type?: string;
  actor_token?: string;
  actor_token_type?: string;
  audience?: string | string[];
  resource?: string | string[];
  scope?: string;
}

const PARAMS = [
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'actor_token',
  'actor_token_type',
  'audience',
  'resource',
  'scope',
] as const satisfies (keyof Params)[];

interface Subject {
  token: AccessToken;
  grant: Grant;
  accountId: string;
}

/** Service that an exchanged token is for, and the scopes that it can have. */
interface Target {
  /** Undefined for the client itself. */
  server?: { identifier: string } & ResourceServer;
  scopes: readonly string[];
}

/**
 * Adds token exchange (RFC 8693): an application that receives a user's access token exchanges it for one that it can
 * send to the next service. The new token is for the same user, doesn't outlast the old one, and names the application
 * as its actor (`act`, §4.1). It ends with the sign-in of the old token.
 *
 * Errors: `invalid_grant` for an inactive subject token; `invalid_target` for an unknown API or application;
 * `invalid_scope`; `unauthorized_client` for an application without this setting; `invalid_request` for everything
 * else.
 */
export function exchangeTokens(
  deps: Pick<Deps, 'db'>,
  orgCode: string,
  provider: Provider,
  { errors }: Library,
  canUse: (suid: string, appId: string) => boolean,
): void {
  /** Returns the user's token that the client presents, and its grant. */
  async function subjectOf({ oidc }: TokenEndpointGrantContext<Params>): Promise<Subject> {
    const { subject_token: value, subject_token_type: type } = oidc.params;
    if (!value) throw new errors.InvalidRequest('the subject_token is missing');
    if (type !== ACCESS_TOKEN && type !== JWT)
      throw new errors.InvalidRequest(`the subject_token_type must be ${ACCESS_TOKEN} or ${JWT}`);
    if (type === JWT && !value.includes('.')) throw new errors.InvalidRequest('the subject_token is not a JWT');
    const token = await provider.AccessToken.find(value);
    const grant = token?.grantId === undefined ? undefined : await provider.Grant.find(token.grantId);
    if (!token?.isValid || !grant) throw inactive('the subject_token is unknown, expired or revoked');
    if (token.jkt !== undefined)
      throw new errors.InvalidRequest('the subject_token is bound to a DPoP key, which an exchange would remove');
    const { accountId, clientId = '' } = token;
    if (accountId === undefined || !canUse(accountId, clientId) || !canUse(accountId, oidc.client.clientId))
      throw inactive('the user of the subject_token cannot use this application');
    oidc.entity('Account', { accountId });
    oidc.entity('SubjectToken', token);
    return { token, grant, accountId };
  }

  const inactive = (description: string) => new errors.CustomOIDCProviderError('invalid_grant', description);

  /** Returns the API or application that the token is requested for: by default, that of the subject token. */
  function targetOf({ oidc }: TokenEndpointGrantContext<Params>, { token, accountId }: Subject): Target {
    const requested = [oidc.params.resource, oidc.params.audience].flat().filter((name) => name !== undefined);
    if (requested.length > 1) throw new errors.InvalidTarget('request a token for one resource or audience at a time');
    const [name = [token.aud].flat()[0]] = requested;
    const scopes = [...token.scopes];
    if (name === undefined || name === oidc.client.clientId) return { scopes };
    const api = apiResourceRepo.findApiResourceByIdentifier(deps.db, orgCode, name);
    if (api) return { server: { identifier: name, ...resourceServerOf(api) }, scopes: api.scopes };
    const application = oidcApplicationRepo.findOidcApplication(deps.db, orgCode, name);
    if (!application) throw new errors.InvalidTarget('the organisation has no API or application with this name');
    if (!canUse(accountId, name))
      throw new errors.InvalidTarget('the user of the subject_token cannot use this application');
    return { server: { identifier: name, ...resourceServerOf({ identifier: name, scopes: [] }) }, scopes };
  }

  /** Returns the scopes of the new token: those requested, or those of the subject token that the target has. */
  function scopesOf({ oidc }: KoaContextWithOIDC, subject: AccessToken, target: Target): string[] {
    const requested = oidc.params?.scope ? [...oidc.requestParamScopes] : undefined;
    const refused = requested?.filter((scope) => !target.scopes.includes(scope)) ?? [];
    if (refused.length > 0)
      throw new errors.InvalidScope('the token cannot be exchanged for these scopes', refused.join(' '));
    return requested ?? target.scopes.filter((scope) => subject.scopes.has(scope));
  }

  async function exchange(ctx: TokenEndpointGrantContext<Params>): Promise<void> {
    const { client, params } = ctx.oidc;
    const { requested_token_type: wanted = ACCESS_TOKEN } = params;
    if (params.actor_token ?? params.actor_token_type)
      throw new errors.InvalidRequest('the actor is the client itself; omit actor_token and actor_token_type');
    if (wanted !== ACCESS_TOKEN && wanted !== JWT)
      throw new errors.InvalidRequest(`the requested_token_type must be ${ACCESS_TOKEN} or ${JWT}`);
    // Accepting the proof would promise a bound token.
    if (ctx.get('dpop')) throw new errors.InvalidRequest('exchanged tokens are bearer tokens; omit the DPoP proof');
    const subject = await subjectOf(ctx);
    const { accountId } = subject;
    const target = targetOf(ctx, subject);
    const scope = scopesOf(ctx, subject.token, target).join(' ');
    const application = oidcApplicationRepo.findOidcApplication(deps.db, orgCode, client.clientId);
    const isJwt = target.server !== undefined || application?.accessTokenFormat === 'jwt';
    if (wanted === JWT && !isJwt)
      throw new errors.InvalidRequest('the application gets opaque tokens; name a resource or audience to get a JWT');

    const grant = new provider.Grant({ accountId, clientId: client.clientId });
    setSignInDetails(grant, signInDetailsOf(subject.grant));
    if (target.server) grant.addResourceScope(target.server.identifier, scope);
    else grant.addOIDCScope(scope);
    const grantId = await grant.save();

    const lifetime = Math.min(application?.ttlAccessToken ?? 0, Math.max(1, subject.token.remainingTTL));
    const token = new provider.AccessToken({ accountId, client, grantId, gty: 'token_exchange', expiresIn: lifetime });
    token.scope = scope || undefined;
    if (target.server) token.resourceServer = new provider.ResourceServer(target.server.identifier, target.server);
    ctx.oidc.entity('AccessToken', token);
    ctx.body = {
      access_token: await token.save(),
      issued_token_type: wanted,
      token_type: 'Bearer',
      expires_in: lifetime,
      scope: scope || undefined,
    };
  }

  provider.registerGrantType<Params>(TOKEN_EXCHANGE_GRANT, exchange, PARAMS, ['resource', 'audience']);
}

/**
 * Returns the actor of an exchanged token, with the actors of the tokens it descends from (RFC 8693 §4.1).
 */
export function actorOf(ctx: KoaContextWithOIDC | undefined): { act?: object } {
  const subject = subjectTokenOf(ctx);
  if (!subject) return {};
  const { act } = subject.extra ?? {};
  return { act: { sub: ctx?.oidc.client?.clientId, ...(act !== undefined && { act }) } };
}

/** Returns the token that a token exchange presents. */
export const subjectTokenOf = (ctx: KoaContextWithOIDC | undefined): AccessToken | undefined => {
  const { SubjectToken: subject } = ctx?.oidc.entities ?? {};
  return isAccessToken(subject) ? subject : undefined;
};

const isAccessToken = (value: unknown): value is AccessToken =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'AccessToken';
