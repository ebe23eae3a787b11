import { X509Certificate } from 'node:crypto';
import { type applicationRepo, type samlKeyRepo, serviceProviderRepo } from '@orchestrate/db';
import type { SamlConfiguration } from '@orchestrate/shared';
import { type CertificateFacts, certificateFacts } from '#core/saml-metadata/certificate-facts.ts';
import { idpKeys } from '#core/saml-metadata/idp-keys.ts';
import { readServiceProvider } from '#core/saml-metadata/read-service-provider.ts';
import type { Deps } from '#deps.ts';
import { idpAddresses } from '#platform/own-addresses.ts';

/** Returns an application's SAML configuration, or null if this isn't a SAML application. */
export async function findSamlConfiguration(
  deps: Deps,
  application: applicationRepo.ApplicationRow,
): Promise<SamlConfiguration | null> {
  const { orgCode, appId, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled } = application;
  const { db, clock, publicUrl } = deps;
  const row = serviceProviderRepo.findServiceProvider(db, orgCode, appId);
  if (!row) return null;
  const { entityId, singleSignOnUrl, singleLogoutUrl, metadataUrl } = idpAddresses(publicUrl, application);
  const keys = await idpKeys(deps, orgCode);
  return {
    metadata: row.metadata,
    serviceProvider: await readServiceProvider(row.metadata, clock.now()),
    redirectUrl: row.redirectUrl,
    samlNameId: row.nameId,
    samlNameIdFormat: row.nameIdFormat,
    samlNameIdTransformationTemplate: row.nameIdTransformationTemplate,
    samlAttributes: row.attributes,
    samlAttributesConfig: row.attributesConfig,
    encryptAssertions: row.encryptAssertions,
    flags: { didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled },
    identityProvider: {
      entityId,
      singleSignOnUrl,
      singleLogoutUrl,
      metadataUrl,
      certificates: keys.map((key) => ({ ...signingCertificate(key, clock.now()), pem: key.certificate })),
    },
  };
}

/** Returns the details of a key's certificate that administrators compare. @param now milliseconds since the epoch */
export const signingCertificate = ({ certificate }: samlKeyRepo.SamlKeyRow, now: number): CertificateFacts =>
  certificateFacts(new X509Certificate(certificate), 'signing', now);
