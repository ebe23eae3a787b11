import type { applicationRepo } from '@orchestrate/db';
import type { Application } from '@orchestrate/shared';

/** An application as the list shows it. */
export function applicationOf(row: applicationRepo.ApplicationRow): Application {
  return {
    appId: row.appId,
    orgCode: row.orgCode,
    name: row.name,
    description: row.description,
    integrationType: row.integrationType,
    startUrl: row.startUrl ?? '',
    logo: row.logo,
    maxCookieLife: row.maxCookieLife,
    didEnabled: row.didEnabled,
    webAuthnEnabled: row.webAuthnEnabled,
    desktopAppEnabled: row.desktopAppEnabled,
    forceAuthnEnabled: row.forceAuthnEnabled,
  };
}
