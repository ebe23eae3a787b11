import { applicationRepo, type Tx } from '@orchestrate/db';
import type { OrgApp } from '@orchestrate/shared';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Version } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';

/** Returns a portal application with its login options. */
export function orgAppOf(row: applicationRepo.ApplicationRow): OrgApp {
  return {
    appId: row.appId,
    name: row.name,
    description: row.description,
    maxCookieLife: row.maxCookieLife,
    didEnabled: row.didEnabled,
    webAuthnEnabled: row.webAuthnEnabled,
    desktopAppEnabled: row.desktopAppEnabled,
    forceAuthnEnabled: row.forceAuthnEnabled,
  };
}

/**
 * Returns the organisation's portal application, or the named one if there are several.
 * @throws Refusal MULTIPLE_APPS if there are several and no name was provided; ORG_APP_MISSING if there is no portal
 * application, or none with this name
 */
export function requireOrgApp(tx: Tx, orgCode: string, appId: string | undefined): applicationRepo.ApplicationRow {
  const portals = applicationRepo
    .listApplications(tx, orgCode)
    .filter((app) => app.integrationType === 'portal' && (appId === undefined || app.appId === appId));
  const [only, ...others] = portals;
  if (!only) throw new Refusal('ORG_APP_MISSING');
  if (others.length > 0) throw new Refusal('MULTIPLE_APPS');
  return only;
}

type LoginOptions = Omit<OrgApp, 'appId' | 'name' | 'description'>;

/** Picks the editable login options from a portal application. */
export function loginOptionsOf(app: LoginOptions): LoginOptions {
  const { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled } = app;
  return { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled };
}

/**
 * Saves the login options.
 * @throws StaleVersion; Refusal as `requireOrgApp`
 */
export function saveOrgApp(
  deps: Deps,
  actor: AuditActor,
  { appId, ...options }: LoginOptions & { appId?: string | undefined },
  version: Version,
): OrgApp {
  const { orgCode } = actor;
  return deps.db.transaction((tx) => {
    const app = requireOrgApp(tx, orgCode, appId);
    const present = () => orgAppOf(app);
    version.require(tx, { orgCode, id: app.appId, editable: loginOptionsOf(app), present });
    const change = loginOptionsOf(options);
    applicationRepo.changeApplication(tx, orgCode, app.appId, change);
    const object = { type: 'portal-app', id: app.appId, name: app.name } as const;
    const facts = { before: factsOf(loginOptionsOf(app)), after: factsOf(change) };
    record(deps, tx, actor, { action: 'portal-app.updated', object, ...facts });
    version.answer(change);
    return orgAppOf({ ...app, ...change });
  });
}
