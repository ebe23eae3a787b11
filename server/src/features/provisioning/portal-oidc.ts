import { organisationRepo, portalOidcRepo } from '@orchestrate/db';
import type { FieldsOf, getOidcConfiguration, PortalOidc } from '@orchestrate/shared';
import { requireOutsideAddress } from '../../adapters/fetch-outside.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../http/refusal.ts';
import { callbackAddress } from '../../models/callback-address.ts';
import { keptAddress, wholeAddress } from '../../models/own-address.ts';

type SavedPortalOidc = FieldsOf<typeof getOidcConfiguration>;

/** How the portal signs people in through an external OpenID provider; empty where that was never set up. */
export function portalOidcOf({ db, publicUrl }: Deps, orgCode: string): SavedPortalOidc {
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  const { configurationUrl = '', clientId = '', clientSecret = '' } = portalOidcRepo.findPortalOidc(db, orgCode) ?? {};
  return {
    configurationUrl: wholeAddress(publicUrl, configurationUrl),
    clientId,
    clientSecret,
    buttonLabel: organisation?.oidcButtonLabel ?? '',
    enabled: organisation?.portalOidcEnabled ?? false,
    callbackUrl: callbackAddress({ publicUrl }),
  };
}

/**
 * Sets it up, or switches it off.
 * @throws Refusal INVALID_REQUEST for an address that could never be read; where it is to be on, for a missing secret
 */
export function savePortalOidc(
  deps: Deps,
  orgCode: string,
  { buttonLabel, enabled, ...provider }: PortalOidc,
): SavedPortalOidc {
  requireOutsideAddress(deps.config, provider.configurationUrl, 'configurationUrl');
  if (enabled && provider.clientSecret === '') {
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'clientSecret', message: 'This field is required' }] });
  }
  deps.db.transaction((tx) => {
    const configurationUrl = keptAddress(deps.publicUrl, provider.configurationUrl);
    portalOidcRepo.savePortalOidc(tx, { orgCode, ...provider, configurationUrl });
    organisationRepo.editOrganisation(tx, orgCode, { portalOidcEnabled: enabled, oidcButtonLabel: buttonLabel });
  });
  return portalOidcOf(deps, orgCode);
}
