import { organisationRepo, sessionRepo } from '@orchestrate/db';
import type { SessionEdit, SessionSettings } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { sessionLifetime } from '../../http/sessions.ts';
import type { Version } from '../../http/versions.ts';
import { TOPIC } from '../../live/bus.ts';
import { ownOrganisation } from './own-organisation.ts';

/** Sessions and login options of an organisation. */
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
  };
}

/**
 * Sets them. Sessions that have begun end by the new timeout where that is earlier, and never later than they would have.
 * @throws StaleVersion
 */
export function configureSession(
  deps: Deps,
  orgCode: string,
  settings: SessionEdit,
  version: Version,
): SessionSettings {
  const now = deps.clock.now();
  const { saved, shortened } = deps.db.transaction((tx) => {
    version.require(tx, { orgCode, editable: sessionSettingsOf(ownOrganisation(tx, orgCode)) });
    return {
      saved: sessionSettingsOf(organisationRepo.editOrganisation(tx, orgCode, settings)),
      shortened: sessionRepo.shortenSessions(tx, orgCode, sessionLifetime(settings.sessionTimeout), now),
    };
  });
  for (const sid of shortened) deps.bus.changed(TOPIC.session(sid));
  version.answer(saved);
  return saved;
}
