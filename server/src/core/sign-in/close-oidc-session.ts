import { logoutNoticeRepo, type logoutRepo, oidcModelRepo, type Tx } from '@orchestrate/db';
import { hashSecret } from '#platform/adapters/secrets.ts';

/**
 * Ends the session of a browser at the OpenID provider as the library would: with the grants of its applications, apart
 * from those whose tokens live on (OpenID Connect Core 1.0 §11).
 * @returns the applications of the session, which have still to be told
 */
export function closeOidcSession(tx: Tx, where: logoutRepo.InBrowser): oidcModelRepo.AppOfSession[] {
  const { orgCode } = where;
  const session = oidcModelRepo.findOidcSessionOfBrowser(tx, where);
  if (!session) return [];
  oidcModelRepo.deleteOidcModel(tx, session);
  const apps = oidcModelRepo.appsOfSession(session.payload);
  for (const { grantId, persistsLogout } of apps) {
    if (grantId === undefined || persistsLogout) continue;
    oidcModelRepo.deleteOidcModelsOfGrant(tx, orgCode, grantId);
    oidcModelRepo.deleteOidcModel(tx, { orgCode, model: 'Grant', idHash: hashSecret(grantId) });
  }
  return apps;
}

/** Ends the sign-ins of a person in a browser to applications, which are told without it. */
export function endAppsInBrowser(tx: Tx, where: logoutRepo.InBrowser, now: number): void {
  logoutNoticeRepo.queueOidcLogout(tx, where, closeOidcSession(tx, where), now);
  logoutNoticeRepo.queueSamlLogout(tx, where.orgCode, { inBrowser: where }, now);
}
