import type { X509Certificate } from 'node:crypto';
import { readCertificate } from '#core/saml-metadata/certificate-facts.ts';
import { POST_BINDING } from '#core/saml-metadata/names.ts';
import { type ParsedDescriptor, parseMetadata, saml2Descriptors } from '#core/saml-metadata/parse-metadata.ts';
import { boundedCache } from '#platform/cache.ts';

/** The parts of a service provider that messages need. */
export interface Peer {
  entityId: string;
  /** Assertion consumer service URLs; the first is the default. */
  consumers: readonly { location: string; index: number }[];
  logoutServices: ParsedDescriptor['logoutServices'];
  authnRequestsSigned: boolean;
  /** Name id formats by preference; empty if it accepts any. */
  nameIdFormats: readonly string[];
  /** Signing certificates, of which any is accepted, because a provider that rolls its key over has two for a while. */
  certificates: readonly X509Certificate[];
}

/** Number of cached service providers. */
const PEERS_KEPT = 20;

/** @param metadata must have passed `readServiceProvider`, as all stored metadata has */
export const readPeer = boundedCache(peerIn, PEERS_KEPT);

async function peerIn(metadata: string): Promise<Peer> {
  const [descriptor] = saml2Descriptors(await parseMetadata(metadata));
  if (!descriptor) throw new Error('Expected stored metadata to describe a service provider, but it describes none.');
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
