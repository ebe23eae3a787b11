import type { applicationRepo } from '@orchestrate/db';
import { type Application, type ClientKind, hasSignIn } from '@orchestrate/shared';

/** Returns an application as a list item. @param kind of an OpenID Connect client */
export function applicationOf(row: applicationRepo.ApplicationRow, kind: ClientKind | undefined): Application {
  return {
    appId: row.appId,
    orgCode: row.orgCode,
    name: row.name,
    description: row.description,
    integrationType: row.integrationType,
    hasSignIn: kind === undefined || hasSignIn(kind),
    startUrl: row.startUrl ?? '',
    logo: row.logo,
    maxCookieLife: row.maxCookieLife,
    didEnabled: row.didEnabled,
    webAuthnEnabled: row.webAuthnEnabled,
    desktopAppEnabled: row.desktopAppEnabled,
    forceAuthnEnabled: row.forceAuthnEnabled,
  };
}
