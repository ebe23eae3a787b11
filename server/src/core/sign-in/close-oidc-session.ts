import { logoutNoticeRepo, type logoutRepo, oidcModelRepo, type Tx } from '@orchestrate/db';
import { hashSecret } from '#platform/adapters/secrets.ts';

/**
 * Ends a browser's session at the OpenID provider like the library: with the grants of its applications, except those with
 * offline access (OpenID Connect Core 1.0 §11).
 * @returns the applications of the session, which the caller must notify
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

/** Ends a member's sign-ins to applications in a browser, and queues the notifications to the applications. */
export function endAppsInBrowser(tx: Tx, where: logoutRepo.InBrowser, now: number): void {
  logoutNoticeRepo.queueOidcLogout(tx, where, closeOidcSession(tx, where), now);
  logoutNoticeRepo.queueSamlLogout(tx, where.orgCode, { inBrowser: where }, now);
}
