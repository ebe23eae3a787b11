import { decodeJwt } from 'jose/jwt/decode';
import type { AccessToken, Account, Client, ClientCredentials, Provider } from 'oidc-provider';
import { setSignInDetails } from '../overrides/store-sign-in-details.ts';
import { labSignInId } from '../provider/model-store.ts';
import { libraryTimeNow } from '../provider/portal-time.ts';
import type { LabTokenRequest, LabTokens } from '../provider/serving.ts';
import { resourceServerOf } from './api-resources.ts';
import { LAB_TOKENS } from './lifetimes.ts';
import { headerOf, type SignToken, tamperToken } from './tamper-token.ts';

/** The parts of an organisation's provider that issue tokens. */
interface ProviderTools {
  provider: Provider;
  /** Returns a member as an account, if they can use the application. */
  accountOf: (suid: string, appId: string) => Account | undefined;
  /** Stores a JWT access token, so that it can be introspected. */
  storeJwt: (token: AccessToken | ClientCredentials, value: string) => void;
  sign: SignToken;
  /** Returns an ID for the sign-in that the tokens of a request seem to come from. */
  nextSignInId: () => string;
}

/** Issues tokens in a new grant, as the token endpoint does after a sign-in. */
export async function issueTokens(tools: ProviderTools, request: LabTokenRequest): Promise<LabTokens> {
  const { appId } = request.application;
  const client = await tools.provider.Client.find(appId);
  if (!client) throw new Error(`The provider doesn't have the client ${appId}.`);
  return labSignInId.run(tools.nextSignInId(), () =>
    request.user ? issueForUser(tools, client, request, request.user) : issueForClient(tools, client, request),
  );
}

async function issueForClient(tools: ProviderTools, client: Client, request: LabTokenRequest): Promise<LabTokens> {
  const token = new tools.provider.ClientCredentials({ client, scope: request.scopes.join(' ') || undefined });
  const { sent: accessToken, claimNames } = await saveAccessToken(tools, token, request);
  return { accessToken, idToken: undefined, refreshToken: undefined, claimNames };
}

async function issueForUser(
  tools: ProviderTools,
  client: Client,
  request: LabTokenRequest,
  { suid, zid }: NonNullable<LabTokenRequest['user']>,
): Promise<LabTokens> {
  const { provider } = tools;
  const { scopes, api, application, claims } = request;
  const scope = scopes.join(' ');
  const grant = new provider.Grant({ accountId: suid, clientId: client.clientId });
  setSignInDetails(grant, { ...(zid !== undefined && { zid }) });
  grant.addOIDCScope(scope);
  if (api) grant.addResourceScope(api.identifier, scopes.filter((one) => api.scopes.includes(one)).join(' '));
  const grantId = await grant.save();
  const signIn = { accountId: suid, client, grantId, gty: 'authorization_code' };

  const token = new provider.AccessToken(signIn);
  token.scope = api ? grant.getResourceScope(api.identifier) : grant.getOIDCScopeFiltered(new Set(scopes));
  const { sent: accessToken, claimNames } = await saveAccessToken(tools, token, request);

  const authTime = libraryTimeNow();
  const refreshing = { ...signIn, amr: AMR, authTime, rotations: 0, scope, ...(api && { resource: api.identifier }) };
  const refreshToken = application.ttlRefreshToken > 0 ? await new provider.RefreshToken(refreshing).save() : undefined;
  if (!scopes.includes('openid')) return { accessToken, idToken: undefined, refreshToken, claimNames };

  const all = await tools.accountOf(suid, client.clientId)?.claims('id_token', scope, {}, []);
  const idToken = new provider.IdToken({ ...all, amr: AMR, auth_time: authTime }, { client });
  Object.assign(idToken, { scope: grant.getOIDCScopeFiltered(new Set(scopes)) });
  LAB_TOKENS.set(idToken, request);
  for (const [name, value] of Object.entries({ ...claims, at_hash: accessToken })) idToken.set(name, value);
  const issued = await withIssuer(tools, await idToken.issue({ use: 'idtoken' }), request);
  const { sent, claimNames: names } = await withFlaw(tools, issued, request);
  return { accessToken, idToken: sent, refreshToken, claimNames: [...claimNames, ...names] };
}

/** Authentication methods of a sign-in with a device (RFC 8176). */
const AMR = ['hwk'];

async function saveAccessToken(tools: ProviderTools, token: AccessToken | ClientCredentials, request: LabTokenRequest) {
  const { api, flaw } = request;
  LAB_TOKENS.set(token, request);
  if (api) token.resourceServer = new tools.provider.ResourceServer(api.identifier, resourceServerOf(api));
  const saved = await token.save();
  if (token.format === 'jwt') {
    const value = await withIssuer(tools, saved, request);
    if (flaw === undefined) tools.storeJwt(token, value);
    return withFlaw(tools, value, request);
  }
  // An opaque token has no claims to tamper with. Without the stored token, introspection and userinfo reject it.
  if (flaw !== undefined && typeof flaw !== 'object') await token.destroy();
  return { sent: saved, claimNames: [] };
}

const withIssuer = async ({ sign }: ProviderTools, jwt: string, { issuer }: LabTokenRequest): Promise<string> =>
  issuer === undefined ? jwt : sign(headerOf(jwt), { ...decodeJwt(jwt), iss: issuer });

async function withFlaw({ sign }: ProviderTools, jwt: string, { flaw }: LabTokenRequest) {
  const claimNames = Object.keys(decodeJwt(jwt));
  return { sent: flaw === undefined ? jwt : await tamperToken(jwt, flaw, sign), claimNames };
}
