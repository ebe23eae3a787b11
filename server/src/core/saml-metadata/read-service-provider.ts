import type { KeyObject } from 'node:crypto';
import { isUnencrypted, LIMITS, METADATA_TOO_LARGE, type ServiceProvider } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';
import { type CertificateFacts, certificateFacts, readCertificate } from './certificate-facts.ts';
import { MetadataError, type ParsedDescriptor, parseMetadata, saml2Descriptors } from './parse-metadata.ts';
import { POST_BINDING } from './xml.ts';

/**
 * Parses and checks a service provider's metadata.
 * @param now milliseconds; an expired certificate is only a warning, because many providers never renew their
 * certificates
 * @param path the field named in a refusal
 * @throws Refusal INVALID_REQUEST with a message for users
 */
export async function readServiceProvider(metadata: string, now: number, path?: string): Promise<ServiceProvider> {
  return (await readProvider(metadata, now, path)).serviceProvider;
}

/**
 * Like `readServiceProvider`, but also returns all addresses that browsers are sent to. @throws Refusal in the same
 * cases
 */
export async function readProvider(
  metadata: string,
  now: number,
  path = 'metadata',
): Promise<{ serviceProvider: ServiceProvider; locations: string[] }> {
  if (Buffer.byteLength(metadata) > LIMITS.samlMetadataBytes) throw metadataRefusal(METADATA_TOO_LARGE, path);
  try {
    const found = theOnly(await parseMetadata(metadata));
    return { serviceProvider: serviceProviderOf(found, now), locations: locationsOf(found) };
  } catch (reason) {
    if (reason instanceof SeveralProviders)
      throw metadataRefusal(reason.message, path, { entityIds: reason.entityIds });
    throw reason instanceof MetadataError ? metadataRefusal(reason.message, path) : reason;
  }
}

/** Returns a refusal for invalid metadata, with a message for users on the field. */
export const metadataRefusal = (message: string, path = 'metadata', fields: Record<string, unknown> = {}): Refusal =>
  new Refusal('INVALID_REQUEST', { issues: [{ path, message }], fields });

/** Thrown for metadata with several service providers. The user has to choose one. */
class SeveralProviders extends MetadataError {
  readonly entityIds: string[];

  constructor(entityIds: string[]) {
    super(`This metadata describes ${entityIds.length} service providers. Choose one.`);
    this.entityIds = entityIds;
  }
}

function theOnly(descriptors: ParsedDescriptor[]): ParsedDescriptor {
  if (descriptors.length === 0)
    throw new MetadataError("This metadata doesn't describe a service provider (SPSSODescriptor)");
  const [descriptor, ...others] = saml2Descriptors(descriptors);
  if (!descriptor) throw new MetadataError('The service provider does not support SAML 2.0');
  if (others.length === 0) return descriptor;
  const entityIds = [...new Set([descriptor, ...others].map(({ entityId }) => entityId))];
  if (entityIds.length > 1) throw new SeveralProviders(entityIds);
  throw new MetadataError('The service provider has more than one SAML 2.0 descriptor');
}

function serviceProviderOf(found: ParsedDescriptor, now: number): ServiceProvider {
  requireUsable(found);
  const certificates = found.certificates.filter(isFilled).map((certificate) => factsOf(certificate, now));
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

/** Maximum length of an entity ID (SAML 2.0 core §8.3.6). */
const ENTITY_ID_MAX_LENGTH = 1_024;

function requireUsable(found: ParsedDescriptor): void {
  const { entityId, assertionConsumerServices } = found;
  if (entityId === '' || entityId.length > ENTITY_ID_MAX_LENGTH) {
    throw new MetadataError('The service provider must have an entityID of at most 1024 characters');
  }
  if (!assertionConsumerServices.some(({ binding }) => binding === POST_BINDING)) {
    throw new MetadataError('The service provider has no AssertionConsumerService for HTTP POST');
  }
  const strange = locationsOf(found).find((location) => !isWebAddress(location));
  if (strange !== undefined) {
    throw new MetadataError(`${strange.slice(0, 200) || 'An empty Location'} is not an http or https address`);
  }
}

/** Returns all addresses that browsers are sent to. */
const locationsOf = ({ assertionConsumerServices, logoutServices }: ParsedDescriptor): string[] => [
  ...assertionConsumerServices.map(({ location }) => location),
  ...logoutServices.flatMap(({ location, responseLocation }) => [location, responseLocation]),
];

/**
 * Returns true for an http or https URL without tabs and line breaks. Browsers drop these characters, so
 * administrators would see a different address.
 */
const isWebAddress = (text: string): boolean =>
  text.length <= 2_000 && /^https?:[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);

/** Returns false for the empty element that some providers write if they don't have a certificate. */
const isFilled = ({ text }: ParsedDescriptor['certificates'][number]): boolean => text.trim() !== '';

function factsOf({ use, text }: ParsedDescriptor['certificates'][number], now: number): CertificateFacts {
  const certificate = readCertificate(text);
  if (!certificate) throw new MetadataError('A certificate in this metadata cannot be read');
  return certificateFacts(certificate, use === 'signing' || use === 'encryption' ? use : 'both', now);
}

/** Returns true if signatures made with this key are accepted (`SIGNATURE_METHODS`). */
const canSign = ({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean =>
  type === 'rsa' || (type === 'ec' && CURVES.includes(details?.namedCurve ?? ''));

/** P-256, P-384 and P-521 by their OpenSSL names. */
const CURVES: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1'];

function warningsOf(found: ParsedDescriptor, certificates: readonly CertificateFacts[], now: number): string[] {
  const expired = certificates.filter(({ isExpired }) => isExpired);
  const signing = certificates.filter(({ use }) => use !== 'encryption');
  const until = Math.min(...found.validUntil.map((end) => Date.parse(end)).filter(Number.isFinite));
  const open = found.assertionConsumerServices.find(({ location }) => isUnencrypted(location));
  const openLogout = found.logoutServices
    .flatMap(({ location, responseLocation }) => [location, responseLocation])
    .find(isUnencrypted);
  return [
    ...expired.map(({ subject, notAfter }) => `The certificate ${subject} expired on ${notAfter.slice(0, 10)}`),
    ...found.misspelt.map(
      ({ attribute, value, isTrue }) =>
        `${attribute} must be true or false. “${value}” was read as ${isTrue ? 'true' : 'false'}`,
    ),
    ...(found.certificates.every(isFilled) ? [] : ['An empty certificate was ignored']),
    ...found.certificates.filter(isFilled).flatMap(({ use, text }, at) => {
      const certificate = use === 'encryption' ? undefined : readCertificate(text);
      if (!certificate || canSign(certificate.publicKey)) return [];
      return [
        `Signatures by ${certificates[at]?.subject} aren't accepted: the key is neither RSA nor EC on a NIST curve`,
      ];
    }),
    ...(until <= now ? [`This metadata expired on ${new Date(until).toISOString().slice(0, 10)}`] : []),
    ...(open ? [`Sign-ins to ${open.location} are not encrypted, so others could read and reuse them. Use https`] : []),
    ...(openLogout ? [`Sign-outs to ${openLogout} are not encrypted, so others could read them. Use https`] : []),
    ...(found.authnRequestsSigned && signing.length === 0
      ? ['The service provider signs its requests but provides no certificate to verify them']
      : []),
  ];
}
