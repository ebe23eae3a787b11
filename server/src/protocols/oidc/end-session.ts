import { type logoutRepo, oidcModelRepo } from '@orchestrate/db';
import type { Provider } from 'oidc-provider';
import type { Deps } from '../../deps.ts';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import { authorizations, participantsOf } from './logout-participants.ts';
import { createProviders } from './providers.ts';

type Participant = logoutRepo.LogoutParticipant;

/** Ends the session of a browser as the library would, and tells its applications. @returns what became of each */
export async function endOidcSession(deps: Deps, where: logoutRepo.InBrowser): Promise<Participant[]> {
  const { db } = deps;
  const { orgCode, suid } = where;
  const session = oidcModelRepo.findOidcSessionOfBrowser(db, where);
  const serving = session && (await createProviders(deps).providerOf(orgCode));
  if (!session || !serving) return [];
  const signedIn = Object.entries(authorizations.catch({}).parse(session.payload.authorizations));
  db.transaction((tx) => {
    oidcModelRepo.deleteOidcModel(tx, session);
    for (const [, { grantId, persistsLogout }] of signedIn) {
      if (grantId === undefined || persistsLogout) continue;
      oidcModelRepo.deleteOidcModelsOfGrant(tx, orgCode, grantId);
      oidcModelRepo.deleteOidcModel(tx, { orgCode, model: 'Grant', idHash: hashSecret(grantId) });
    }
  });
  const told = signedIn.map(([appId, { sid = '' }]) => tellByBackChannel(deps, serving.provider, appId, { suid, sid }));
  const states = new Map(await Promise.all(told));
  return participantsOf(
    deps,
    orgCode,
    signedIn.map(([appId, { sid = '' }]) => ({ appId, sid })),
    states,
  );
}

async function tellByBackChannel(
  { log }: Pick<Deps, 'log'>,
  { Client }: Provider,
  appId: string,
  { suid, sid }: { suid: string; sid: string },
): Promise<[appId: string, state: Participant['state'] | undefined]> {
  try {
    const client = await Client.find(appId);
    if (!client?.backchannelLogoutUri) return [appId, undefined];
    // The library has it, and its types do not.
    const tell: unknown = Reflect.get(client, 'backchannelLogout');
    if (typeof tell !== 'function') return [appId, 'failed'];
    await Reflect.apply(tell, client, [suid, sid]);
    return [appId, 'done'];
  } catch (reason) {
    log.warn({ appId, reason: String(reason) }, 'an application could not be told of a logout');
    return [appId, 'failed'];
  }
}
