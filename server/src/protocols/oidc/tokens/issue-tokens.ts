import { decodeJwt } from 'jose/jwt/decode';
import type { AccessToken, Account, Client, ClientCredentials, Provider } from 'oidc-provider';
import { setSignInDetails } from '../overrides/store-sign-in-details.ts';
import { tokenOrder } from '../provider/model-store.ts';
import { libraryTimeNow } from '../provider/portal-time.ts';
import type { OrderedTokens, TokenOrder } from '../provider/serving.ts';
import { resourceServerOf } from './api-resources.ts';
import { ORDERED } from './lifetimes.ts';
import { type SignToken, tamperToken } from './tamper-token.ts';

/** What the provider of an organisation contributes. */
interface Parts {
  provider: Provider;
  /** Returns a member as an account, if they can use the application. */
  accountOf: (suid: string, appId: string) => Account | undefined;
  /** Stores a JWT access token, so that it can be introspected. */
  storeJwt: (token: AccessToken | ClientCredentials, value: string) => void;
  sign: SignToken;
  /** Returns an ID that the tokens of one order share. */
  nextOrder: () => string;
}

/** Issues tokens in a new grant, as the token endpoint does after a sign-in. */
export async function issueTokens(parts: Parts, wanted: TokenOrder): Promise<OrderedTokens> {
  const { appId } = wanted.application;
  const client = await parts.provider.Client.find(appId);
  if (!client) throw new Error(`The provider doesn't have the client ${appId}.`);
  return tokenOrder.run(parts.nextOrder(), () =>
    wanted.user ? issueForUser(parts, client, wanted, wanted.user) : issueForClient(parts, client, wanted),
  );
}

async function issueForClient(parts: Parts, client: Client, wanted: TokenOrder): Promise<OrderedTokens> {
  const token = new parts.provider.ClientCredentials({ client, scope: wanted.scopes.join(' ') || undefined });
  const { sent: accessToken, claimNames } = await saveAccessToken(parts, token, wanted);
  return { accessToken, idToken: undefined, refreshToken: undefined, claimNames };
}

async function issueForUser(
  parts: Parts,
  client: Client,
  wanted: TokenOrder,
  { suid, zid }: NonNullable<TokenOrder['user']>,
): Promise<OrderedTokens> {
  const { provider } = parts;
  const { scopes, api, application, claims } = wanted;
  const scope = scopes.join(' ');
  const grant = new provider.Grant({ accountId: suid, clientId: client.clientId });
  setSignInDetails(grant, { ...(zid !== undefined && { zid }) });
  grant.addOIDCScope(scope);
  if (api) grant.addResourceScope(api.identifier, scopes.filter((one) => api.scopes.includes(one)).join(' '));
  const grantId = await grant.save();
  const signIn = { accountId: suid, client, grantId, gty: 'authorization_code' };

  const token = new provider.AccessToken(signIn);
  token.scope = api ? grant.getResourceScope(api.identifier) : grant.getOIDCScopeFiltered(new Set(scopes));
  const { sent: accessToken, claimNames } = await saveAccessToken(parts, token, wanted);

  const authTime = libraryTimeNow();
  const refreshing = { ...signIn, amr: AMR, authTime, rotations: 0, scope, ...(api && { resource: api.identifier }) };
  const refreshToken = application.ttlRefreshToken > 0 ? await new provider.RefreshToken(refreshing).save() : undefined;
  if (!scopes.includes('openid')) return { accessToken, idToken: undefined, refreshToken, claimNames };

  const all = await parts.accountOf(suid, client.clientId)?.claims('id_token', scope, {}, []);
  const idToken = new provider.IdToken({ ...all, amr: AMR, auth_time: authTime }, { client });
  Object.assign(idToken, { scope: grant.getOIDCScopeFiltered(new Set(scopes)) });
  ORDERED.set(idToken, wanted);
  for (const [name, value] of Object.entries({ ...claims, at_hash: accessToken })) idToken.set(name, value);
  const { sent, claimNames: names } = await withFlaw(parts, await idToken.issue({ use: 'idtoken' }), wanted);
  return { accessToken, idToken: sent, refreshToken, claimNames: [...claimNames, ...names] };
}

/** Authentication methods of a sign-in with a device (RFC 8176). */
const AMR = ['hwk'];

async function saveAccessToken(parts: Parts, token: AccessToken | ClientCredentials, wanted: TokenOrder) {
  const { api, flaw } = wanted;
  ORDERED.set(token, wanted);
  if (api) token.resourceServer = new parts.provider.ResourceServer(api.identifier, resourceServerOf(api));
  const value = await token.save();
  if (token.format === 'jwt') {
    if (flaw === undefined) parts.storeJwt(token, value);
    return withFlaw(parts, value, wanted);
  }
  // An opaque token has no content to tamper with, so introspection and userinfo reject it instead.
  if (flaw !== undefined && typeof flaw !== 'object') await token.destroy();
  return { sent: value, claimNames: [] };
}

async function withFlaw({ sign }: Parts, jwt: string, { flaw }: TokenOrder) {
  const claimNames = Object.keys(decodeJwt(jwt));
  return { sent: flaw === undefined ? jwt : await tamperToken(jwt, flaw, sign), claimNames };
}
