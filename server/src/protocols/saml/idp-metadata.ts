import { organisationRepo, serviceProviderRepo } from '@orchestrate/db';
import { idpKeys } from '../../core/saml-metadata/idp-keys.ts';
import { parseMetadata } from '../../core/saml-metadata/parse-metadata.ts';
import { writeIdentityProvider } from '../../core/saml-metadata/write-identity-provider.ts';
import type { Deps } from '../../deps.ts';
import { idpAddresses } from '../../platform/own-addresses.ts';
import { Refusal } from '../../platform/refusal.ts';
import { signMetadata } from './sign-response.ts';

/**
 * The metadata of the identity provider for one SAML application, signed with the key that signs its answers.
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
  const keys = await idpKeys(deps, orgCode);
  const written = writeIdentityProvider(idpAddresses(publicUrl, provider), keys, { nameIdFormat, wantsSigned });
  return signMetadata(written, keys[0]);
}
