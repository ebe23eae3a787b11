import { createHash, X509Certificate } from 'node:crypto';
import { organisationRepo, type samlKeyRepo, serviceProviderRepo } from '@orchestrate/db';
import { derBase64 } from '#core/saml-metadata/certificate-facts.ts';
import { idpKeys } from '#core/saml-metadata/idp-keys.ts';
import { parseMetadata } from '#core/saml-metadata/parse-metadata.ts';
import { endpointElement, keyDescriptor } from '#core/saml-metadata/write-service-provider.ts';
import {
  ALGORITHM_SUPPORT_NAMESPACE,
  DIGEST_METHODS,
  escapeXml,
  METADATA_NAMESPACE,
  POST_BINDING,
  REDIRECT_BINDING,
  SAML2_PROTOCOL,
  SIGNATURE_METHODS,
  SIGNATURE_NAMESPACE,
  UNSPECIFIED_NAME_ID,
} from '#core/saml-metadata/xml.ts';
import type { Deps } from '#deps.ts';
import { idpAddresses } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';
import { signMetadata } from './sign-response.ts';

const algorithms = (element: 'DigestMethod' | 'SigningMethod', names: Iterable<string>): string =>
  [...names].map((name) => `    <alg:${element} Algorithm="${name}"/>\n`).join('');

/**
 * Accepted signature algorithms, best first (SAML 2.0 metadata profile for algorithm support §2). Needed because
 * Shibboleth signs forms with SHA-1 by default.
 */
const ALGORITHMS = `  <md:Extensions xmlns:alg="${ALGORITHM_SUPPORT_NAMESPACE}">
${algorithms('DigestMethod', DIGEST_METHODS.keys())}${algorithms('SigningMethod', SIGNATURE_METHODS.keys())}  </md:Extensions>
`;

/**
 * Cache duration of the metadata, and so the longest time before readers learn of a new key. There is no
 * `validUntil`: administrators paste metadata, and their service provider would stop working on that date (decision
 * 169).
 */
const CACHE_DURATION = 'PT1H';

/**
 * Returns a stable ID for each provider. It stays unique in a file with several providers (SAML 2.0 metadata §2.3.2).
 */
const idOf = (entityId: string): string => `_${createHash('sha256').update(entityId).digest('hex').slice(0, 32)}`;

/**
 * Writes an identity provider's unsigned metadata, in schema order (SAML 2.0 metadata §2.4.3). Includes all keys, so
 * service providers know the next key before it is used for signing.
 * @param nameIdFormat '' for unspecified
 * @param wantsSigned true if unsigned requests are rejected
 */
function writeIdentityProvider(
  { entityId, singleSignOnUrl, singleLogoutUrl }: ReturnType<typeof idpAddresses>,
  keys: readonly samlKeyRepo.SamlKeyRow[],
  { nameIdFormat, wantsSigned }: { nameIdFormat: string; wantsSigned: boolean },
): string {
  const bindings = [REDIRECT_BINDING, POST_BINDING];
  const certificates = keys.map(({ certificate }) => derBase64(new X509Certificate(certificate)));
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${METADATA_NAMESPACE}" xmlns:ds="${SIGNATURE_NAMESPACE}" ID="${idOf(entityId)}" cacheDuration="${CACHE_DURATION}" entityID="${escapeXml(entityId)}">
${ALGORITHMS}  <md:IDPSSODescriptor WantAuthnRequestsSigned="${wantsSigned}" protocolSupportEnumeration="${SAML2_PROTOCOL}">
${certificates.map((certificate) => keyDescriptor(certificate, 'signing')).join('')}${bindings
  .map((binding) => endpointElement('SingleLogoutService', binding, singleLogoutUrl))
  .join('')}    <md:NameIDFormat>${escapeXml(nameIdFormat || UNSPECIFIED_NAME_ID)}</md:NameIDFormat>
${bindings.map((binding) => endpointElement('SingleSignOnService', binding, singleSignOnUrl)).join('')}  </md:IDPSSODescriptor>
</md:EntityDescriptor>
`;
}

/**
 * Returns the identity provider's metadata for one SAML application, signed with the key that signs its responses.
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
