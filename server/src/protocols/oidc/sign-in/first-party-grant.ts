import { oidcApplicationRepo } from '@orchestrate/db';
import type { Grant, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { libraryNow } from '../provider/portal-time.ts';
import { asksForMoreOfApis, grantApis } from '../tokens/api-resources.ts';
import { grantLifetime, neededLifetime } from '../tokens/lifetimes.ts';

/**
 * Applications are the organisation's own: anyone who has signed in has granted them what they ask for. There is one
 * grant for each browser, application and device of the sign-in; what rests on it ends with it.
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
  const signedInWith: unknown = oidc.result?.login?.zid;
  if (typeof signedInWith === 'string' && deviceOf(session) !== signedInWith) setDevice(session, signedInWith);
  const browser: unknown = oidc.result?.login?.browser;
  if (typeof browser === 'string') Reflect.set(session, 'browser', browser);
  const hasStepUp: unknown = oidc.result?.login?.hasStepUp;
  if (typeof hasStepUp === 'boolean') Reflect.set(session, 'hasStepUp', hasStepUp);
  const zid = deviceOf(session);

  const known = await findGrant(provider, session.grantIdFor(application.appId));
  const isUsable = known !== undefined && known.accountId === account.accountId && deviceOf(known) === zid;
  const grant = isUsable ? known : new provider.Grant({ accountId: account.accountId, clientId: application.appId });
  if (!isUsable && zid !== undefined) setDevice(grant, zid);

  const granted = new Set(grant.getOIDCScope().split(' '));
  const isWider = [...oidc.requestParamOIDCScopes].some((scope) => !granted.has(scope));
  const asksForClaims = oidc.requestParamClaims.size > 0;
  const isSame = !isWider && !asksForClaims && !asksForMoreOfApis(ctx, grant);
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

/**
 * Makes sessions and grants name the device of their sign-in, so that they end with it; sessions also name their browser
 * and whether the sign-in satisfied step-up. Call it before the provider's first request.
 */
export function rememberDevices({ Session, Grant }: Provider): void {
  for (const model of [Session, Grant]) {
    const fields = [...model.IN_PAYLOAD, 'zid', 'browser', 'hasStepUp'];
    Object.defineProperty(model, 'IN_PAYLOAD', { get: () => fields });
  }
}

/** The device of the sign-in that a session or grant came from. */
export function deviceOf(model: object): string | undefined {
  const zid: unknown = Reflect.get(model, 'zid');
  return typeof zid === 'string' ? zid : undefined;
}

const setDevice = (model: object, zid: string): void => {
  Reflect.set(model, 'zid', zid);
};
