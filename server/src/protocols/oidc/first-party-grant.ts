import { oidcApplicationRepo } from '@orchestrate/db';
import type { Grant, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Deps } from '../../deps.ts';
import { neededLifetime } from './lifetimes.ts';
import { libraryNow } from './portal-time.ts';

/**
 * Applications are the organisation's own: anyone who has signed in has granted them what they ask for. Each request has a
 * grant of its own, so that revoking what came of it ends no other sign-in. What rests on it ends with the device.
 */
export async function firstPartyGrant(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  { oidc }: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { session, client, account, provider } = oidc;
  const application = client && oidcApplicationRepo.findOidcApplication(db, orgCode, client.clientId);
  if (!session || !account || !application) return undefined;
  const signedInWith: unknown = oidc.result?.login?.zid;
  if (typeof signedInWith === 'string' && deviceOf(session) !== signedInWith) setDevice(session, signedInWith);
  const zid = deviceOf(session);

  const grant = new provider.Grant({ accountId: account.accountId, clientId: application.appId });
  if (zid !== undefined) setDevice(grant, zid);
  grant.addOIDCScope(oidc.requestParamOIDCScopes);
  grant.addOIDCClaims(oidc.requestParamClaims);
  grant.exp = libraryNow() + neededLifetime(application);
  await grant.save();
  return grant;
}

/**
 * Makes sessions and grants name the device of their sign-in, so that they end with it. Call it before the provider's
 * first request.
 */
export function rememberDevices({ Session, Grant }: Provider): void {
  for (const model of [Session, Grant]) {
    const fields = [...model.IN_PAYLOAD, 'zid'];
    Object.defineProperty(model, 'IN_PAYLOAD', { get: () => fields });
  }
}

function deviceOf(model: object): string | undefined {
  const zid: unknown = Reflect.get(model, 'zid');
  return typeof zid === 'string' ? zid : undefined;
}

const setDevice = (model: object, zid: string): void => {
  Reflect.set(model, 'zid', zid);
};
