import { organisationRepo, type Tx } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';

/** The default login options of a new application: those of the organisation. */
export function loginDefaults(tx: Tx, orgCode: string) {
  const organisation = organisationRepo.requireOrganisation(tx, orgCode);
  const { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled } = organisation;
  return {
    // Organisations count in minutes, applications in seconds (spec 2 §5).
    maxCookieLife: (maxCookieLife * MINUTE) / SECOND,
    didEnabled,
    webAuthnEnabled,
    desktopAppEnabled,
    forceAuthnEnabled,
  };
}
