import type { X509Certificate } from 'node:crypto';
import { readCertificate } from '#core/saml-metadata/certificate-facts.ts';
import { type ParsedDescriptor, parseMetadata, saml2Descriptors } from '#core/saml-metadata/parse-metadata.ts';
import { POST_BINDING } from '#core/saml-metadata/xml.ts';
import { boundedCache } from '#platform/cache.ts';

/** The service provider data needed to exchange messages. */
export interface Peer {
  entityId: string;
  /** Assertion consumer service URLs; the first is the default. */
  consumers: readonly { location: string; index: number }[];
  logoutServices: ParsedDescriptor['logoutServices'];
  authnRequestsSigned: boolean;
  /** Name ID formats in order of preference, or empty if the service provider accepts any format. */
  nameIdFormats: readonly string[];
  /** Signing certificates. Any of them is accepted, because a provider has two during a key rollover. */
  certificates: readonly X509Certificate[];
}

/** Maximum number of cached service providers. */
const PEERS_KEPT = 20;

/**
 * Parses stored metadata, with caching. @param metadata must have passed `readServiceProvider`, as all stored
 * metadata has
 */
export const readPeer = boundedCache(peerIn, PEERS_KEPT);

async function peerIn(metadata: string): Promise<Peer> {
  const [descriptor] = saml2Descriptors(await parseMetadata(metadata));
  if (!descriptor) throw new Error('Stored metadata must describe a service provider.');
  const { entityId, assertionConsumerServices, logoutServices, authnRequestsSigned, nameIdFormats, certificates } =
    descriptor;
  const consumers = assertionConsumerServices
    .map(({ index, ...service }, at) => ({ ...service, index: /^\d{1,5}$/.test(index ?? '') ? Number(index) : at }))
    .filter(({ binding }) => binding === POST_BINDING)
    .sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
  return {
    entityId,
    consumers,
    logoutServices,
    authnRequestsSigned,
    nameIdFormats,
    certificates: certificates.flatMap(({ use, text }) => {
      const certificate = use === 'encryption' ? undefined : readCertificate(text);
      return certificate ? [certificate] : [];
    }),
  };
}
