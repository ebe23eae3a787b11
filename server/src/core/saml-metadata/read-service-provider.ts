import type { KeyObject } from 'node:crypto';
import { isUnencrypted, LIMITS, METADATA_TOO_LARGE, type ServiceProvider } from '@orchestrate/shared';
import { Refusal } from '../../platform/refusal.ts';
import { type CertificateFacts, certificateFacts, readCertificate } from './certificate-facts.ts';
import { POST_BINDING, SAML2_PROTOCOL } from './names.ts';
import { MetadataUnreadable, type ParsedDescriptor, parseMetadata } from './parse-metadata.ts';

/**
 * What the metadata of a service provider says.
 * @param now milliseconds: an expired certificate is a warning and not a refusal, since many providers never check
 * theirs.
 * @param path the field that a refusal names
 * @throws Refusal INVALID_REQUEST with a sentence for people
 */
export async function readServiceProvider(metadata: string, now: number, path = 'metadata'): Promise<ServiceProvider> {
  if (Buffer.byteLength(metadata) > LIMITS.samlMetadataBytes) throw metadataInvalid(METADATA_TOO_LARGE, path);
  try {
    return serviceProviderOf(theOnly(await parseMetadata(metadata)), now);
  } catch (reason) {
    throw reason instanceof MetadataUnreadable ? metadataInvalid(reason.message, path) : reason;
  }
}

/** A refusal of invalid input; the sentence is for people and is attached to the field. */
export const metadataInvalid = (message: string, path = 'metadata'): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }] });

function theOnly([descriptor, ...others]: ParsedDescriptor[]): ParsedDescriptor {
  if (!descriptor) throw new MetadataUnreadable('This metadata describes no service provider (SPSSODescriptor)');
  if (others.length > 0) throw new MetadataUnreadable('This metadata describes several service providers, not one');
  return descriptor;
}

function serviceProviderOf(found: ParsedDescriptor, now: number): ServiceProvider {
  requireUsable(found);
  const certificates = found.certificates.map((certificate) => factsOf(certificate, now));
  return {
    entityId: found.entityId,
    assertionConsumerServices: found.assertionConsumerServices.map(({ binding, location, index, isDefault }, at) => ({
      binding,
      location,
      isDefault,
      index: /^\d{1,5}$/.test(index ?? '') ? Number(index) : at,
    })),
    singleLogoutServices: found.logoutServices.map(({ binding, location }) => ({ binding, location })),
    nameIdFormats: found.nameIdFormats,
    certificates,
    authnRequestsSigned: found.authnRequestsSigned,
    wantAssertionsSigned: found.wantAssertionsSigned,
    warnings: warningsOf(found, certificates, now),
  };
}

/** The maximum length of an entity id (SAML 2.0 core §8.3.6). */
const ENTITY_ID_MAX_LENGTH = 1_024;

function requireUsable({ entityId, protocols, assertionConsumerServices, logoutServices }: ParsedDescriptor): void {
  if (entityId === '' || entityId.length > ENTITY_ID_MAX_LENGTH) {
    throw new MetadataUnreadable('The service provider has no entityID of at most 1024 characters');
  }
  if (!protocols.split(/\s+/).includes(SAML2_PROTOCOL)) {
    throw new MetadataUnreadable('The service provider does not support SAML 2.0');
  }
  if (!assertionConsumerServices.some(({ binding }) => binding === POST_BINDING)) {
    throw new MetadataUnreadable('The service provider has no AssertionConsumerService for HTTP POST');
  }
  // A browser will be sent to these addresses.
  const locations = [
    ...assertionConsumerServices.map(({ location }) => location),
    ...logoutServices.flatMap(({ location, responseLocation }) => [location, responseLocation]),
  ];
  const strange = locations.find((location) => !isWebAddress(location));
  if (strange !== undefined) {
    throw new MetadataUnreadable(`${strange.slice(0, 200) || 'An empty Location'} is not an http or https address`);
  }
}

const isWebAddress = (text: string): boolean =>
  text.length <= 2_000 && /^https?:$/.test(URL.parse(text)?.protocol ?? '');

function factsOf({ use, text }: ParsedDescriptor['certificates'][number], now: number): CertificateFacts {
  const certificate = readCertificate(text);
  if (!certificate) throw new MetadataUnreadable('A certificate of this metadata cannot be read');
  return certificateFacts(certificate, use === 'signing' || use === 'encryption' ? use : 'both', now);
}

/** Whether signatures by this key are accepted (`SIGNATURE_METHODS`). */
const canSign = ({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean =>
  type === 'rsa' || (type === 'ec' && CURVES.includes(details?.namedCurve ?? ''));

/** P-256, P-384 and P-521, as OpenSSL calls them. */
const CURVES: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1'];

function warningsOf(found: ParsedDescriptor, certificates: readonly CertificateFacts[], now: number): string[] {
  const expired = certificates.filter(({ isExpired }) => isExpired);
  const signing = certificates.filter(({ use }) => use !== 'encryption');
  const until = Math.min(...found.validUntil.map((end) => Date.parse(end)).filter(Number.isFinite));
  const open = found.assertionConsumerServices.find(({ location }) => isUnencrypted(location));
  return [
    ...expired.map(({ subject, notAfter }) => `The certificate ${subject} expired on ${notAfter.slice(0, 10)}`),
    ...found.certificates.flatMap(({ use, text }, at) => {
      const certificate = use === 'encryption' ? undefined : readCertificate(text);
      if (!certificate || canSign(certificate.publicKey)) return [];
      return [
        `No signature by ${certificates[at]?.subject} is accepted: its key is neither RSA nor EC on a curve of NIST`,
      ];
    }),
    ...(until <= now ? [`This metadata was valid until ${new Date(until).toISOString().slice(0, 10)}`] : []),
    ...(open
      ? [`Sign-ins are sent to ${open.location} without TLS, where others can read and use them: use https`]
      : []),
    ...(found.authnRequestsSigned && signing.length === 0
      ? ['The service provider signs its requests but gives no certificate to verify them with']
      : []),
  ];
}
