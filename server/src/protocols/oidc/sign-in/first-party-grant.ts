import { oidcApplicationRepo } from '@orchestrate/db';
import type { Grant, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { setSignInDetails, signInDetailsOf } from '../overrides/store-sign-in-details.ts';
import { libraryNow } from '../provider/portal-time.ts';
import { grantApis, requestsMoreOfApis } from '../tokens/api-resources.ts';
import { grantLifetime, neededLifetime } from '../tokens/lifetimes.ts';

/**
 * Returns the grant of an authorization request. Applications belong to the organisation, so users grant whatever they
 * request by signing in. There is one grant for each browser, application and device of the sign-in; its tokens end with
 * it.
 */
export async function firstPartyGrant(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  ctx: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { oidc } = ctx;
  const { session, client, account, provider } = oidc;
  const application = client && oidcApplicationRepo.findOidcApplication(db, orgCode, client.clientId);
  if (!session || !account || !application) return undefined;
  if (oidc.result?.login) setSignInDetails(session, signInDetailsOf(oidc.result.login));
  const { zid } = signInDetailsOf(session);

  const existing = await findGrant(provider, session.grantIdFor(application.appId));
  const isUsable =
    existing !== undefined && existing.accountId === account.accountId && signInDetailsOf(existing).zid === zid;
  const grant = isUsable ? existing : new provider.Grant({ accountId: account.accountId, clientId: application.appId });
  if (!isUsable && zid !== undefined) setSignInDetails(grant, { zid });

  const granted = new Set(grant.getOIDCScope().split(' '));
  const isWider = [...oidc.requestParamOIDCScopes].some((scope) => !granted.has(scope));
  const requestsClaims = oidc.requestParamClaims.size > 0;
  const isSame = !isWider && !requestsClaims && !requestsMoreOfApis(ctx, grant);
  if (isUsable && isSame && grant.remainingTTL >= neededLifetime(application)) return grant;
  grant.addOIDCScope(oidc.requestParamOIDCScopes);
  grant.addOIDCClaims(oidc.requestParamClaims);
  grantApis(ctx, grant);
  grant.exp = libraryNow() + grantLifetime(application);
  await grant.save();
  return grant;
}

const findGrant = async (provider: Provider, id: string | undefined): Promise<Grant | undefined> =>
  id === undefined ? undefined : provider.Grant.find(id);
