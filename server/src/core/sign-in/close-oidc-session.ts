import { logoutNoticeRepo, type logoutRepo, oidcModelRepo, type Tx } from '@orchestrate/db';
import { hashSecret } from '#platform/adapters/secrets.ts';

/**
 * Ends a browser's session at the OpenID provider as the library would, including its applications' grants, except
 * for applications with offline access (OpenID Connect Core 1.0 §11).
 * @returns the session's applications, which the caller must notify
 */
export function closeOidcSession(tx: Tx, where: logoutRepo.BrowserSignIns): oidcModelRepo.SessionApp[] {
  const { orgCode } = where;
  const session = oidcModelRepo.findOidcSessionByBrowser(tx, where);
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

/** Ends a member's application sign-ins in a browser, and queues notifications to those applications. */
export function endAppsInBrowser(tx: Tx, where: logoutRepo.BrowserSignIns, now: number): void {
  logoutNoticeRepo.queueOidcLogout(tx, where, closeOidcSession(tx, where), now);
  logoutNoticeRepo.queueSamlLogout(tx, where.orgCode, { inBrowser: where }, now);
}
