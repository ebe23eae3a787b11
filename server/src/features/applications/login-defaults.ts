import { organisationRepo, type Tx } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';

/** Returns the organisation's login options as the defaults of a new application. */
export function loginDefaults(tx: Tx, orgCode: string) {
  const organisation = organisationRepo.requireOrganisation(tx, orgCode);
  const { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled } = organisation;
  return {
    // Organisations use minutes, applications seconds (spec 2 §5).
    maxCookieLife: (maxCookieLife * MINUTE) / SECOND,
    didEnabled,
    webAuthnEnabled,
    desktopAppEnabled,
    forceAuthnEnabled,
  };
}
