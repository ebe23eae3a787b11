import { organisationRepo, type Tx } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';

/** The login options with which a new application begins: those of the organisation. */
export function loginDefaults(tx: Tx, orgCode: string) {
  const organisation = organisationRepo.findOrganisation(tx, orgCode);
  if (!organisation) throw new Error(`There is no organisation ${orgCode}.`);
  const { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled } = organisation;
  return {
    // An organisation counts in minutes, an application in seconds (spec 2 §5).
    maxCookieLife: (maxCookieLife * MINUTE) / SECOND,
    didEnabled,
    webAuthnEnabled,
    desktopAppEnabled,
    forceAuthnEnabled,
  };
}
