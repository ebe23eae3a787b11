import { organisationRepo, serviceProviderRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';
import { idpAddresses } from '../../platform/own-addresses.ts';
import { Refusal } from '../../platform/refusal.ts';
import { idpKeys } from './idp-keys.ts';
import { parseMetadata } from './parse-metadata.ts';
import { writeIdentityProvider } from './write-identity-provider.ts';

/**
 * The metadata of the identity provider for one SAML application.
 * @throws Refusal ORG_CODE_NOT_FOUND, ORG_APP_MISSING
 */
export async function idpMetadata(deps: Deps, orgCode: string, appId: string): Promise<string> {
  const { db, publicUrl } = deps;
  if (!organisationRepo.findOrganisation(db, orgCode)) throw new Refusal('ORG_CODE_NOT_FOUND');
  const provider = serviceProviderRepo.findServiceProvider(db, orgCode, appId);
  if (!provider) throw new Refusal('ORG_APP_MISSING');
  const { nameIdFormat, metadata } = provider;
  const [descriptor] = await parseMetadata(metadata);
  const wantsSigned = descriptor?.authnRequestsSigned ?? false;
  return writeIdentityProvider(idpAddresses(publicUrl, provider), await idpKeys(deps, orgCode), {
    nameIdFormat,
    wantsSigned,
  });
}
