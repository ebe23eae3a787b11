import { organisationRepo, sessionRepo } from '@orchestrate/db';
import type { OrgLoginOptions, SessionEdit, SessionSettings } from '@orchestrate/shared';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import { sessionLifetime } from '#core/sign-in/sessions.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Version } from '#platform/http/versions.ts';
import { TOPIC } from '#platform/live/bus.ts';

/** Returns an organisation's session settings and login options. */
export function sessionSettingsOf(row: organisationRepo.OrganisationRow): SessionSettings {
  return {
    sessionTimeout: row.sessionTimeout,
    maxCookieLife: row.maxCookieLife,
    didEnabled: row.didEnabled,
    webAuthnEnabled: row.webAuthnEnabled,
    desktopAppEnabled: row.desktopAppEnabled,
    forceAuthnEnabled: row.forceAuthnEnabled,
    stepUpAuthEnabled: row.stepUpAuthEnabled,
    appLockEnabled: row.appLockEnabled,
    logoutTogether: row.logoutTogether,
  };
}

/** Returns the organisation-wide options that restrict applications and members. */
export function orgLoginOptionsOf(row: organisationRepo.OrganisationRow): OrgLoginOptions {
  const { maxCookieLife, didEnabled, webAuthnEnabled, mobileAppEnabled, desktopAppEnabled, forceAuthnEnabled } = row;
  return { maxCookieLife, didEnabled, webAuthnEnabled, mobileAppEnabled, desktopAppEnabled, forceAuthnEnabled };
}

/**
 * Saves session settings and login options. A new timeout also applies to running sessions.
 * @throws StaleVersion
 */
export function configureSession(
  deps: Deps,
  actor: AuditActor,
  settings: SessionEdit,
  version: Version,
): SessionSettings {
  const { orgCode } = actor;
  const now = deps.clock.now();
  const { saved, retimed } = deps.db.transaction((tx) => {
    const before = sessionSettingsOf(organisationRepo.requireOrganisation(tx, orgCode));
    version.require(tx, { orgCode, editable: before });
    const saved = sessionSettingsOf(organisationRepo.editOrganisation(tx, orgCode, settings));
    const object = { type: 'session-settings', id: orgCode, name: 'Sessions and login options' } as const;
    record(deps, tx, actor, {
      action: 'session-settings.updated',
      object,
      before: factsOf(before),
      after: factsOf(saved),
    });
    return {
      saved,
      retimed: sessionRepo.changeSessionLifetime(tx, orgCode, sessionLifetime(settings.sessionTimeout), now),
    };
  });
  for (const sid of retimed) deps.bus.changed(TOPIC.session(sid));
  version.answer(saved);
  return saved;
}
