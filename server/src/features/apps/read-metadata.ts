import { type contract, LIMITS, type ReplyOf, type RequestOf } from '@orchestrate/shared';
import { base64Of, readCertificate } from '../../core/saml-metadata/certificate-facts.ts';
import { metadataInvalid, readServiceProvider } from '../../core/saml-metadata/read-service-provider.ts';
import { writeServiceProvider } from '../../core/saml-metadata/write-service-provider.ts';
import type { Deps } from '../../deps.ts';
import { fetchOutside, isLoopbackAddress, UNREADABLE } from '../../platform/adapters/fetch-outside.ts';
import { readUtf8 } from '../../platform/read-utf8.ts';
import { Refusal } from '../../platform/refusal.ts';

type Given = RequestOf<typeof contract.readSamlMetadata>['body'];
type Read = Pick<ReplyOf<typeof contract.readSamlMetadata>, 'metadata' | 'serviceProvider'>;

/** Reads a service provider's metadata, wherever it is from. @throws Refusal INVALID_REQUEST on the field it is from */
export async function readMetadata(deps: Deps, given: Given): Promise<Read> {
  try {
    const { metadata, path } = await metadataOf(deps, given);
    return { metadata, serviceProvider: await readServiceProvider(metadata, deps.clock.now(), path) };
  } catch (reason) {
    // Details about an address on this machine would reveal what listens here (decision 081).
    const isHere = reason instanceof Refusal && given.metadata === undefined && isLoopbackAddress(given.url ?? '');
    throw isHere ? metadataInvalid(UNREADABLE, 'url') : reason;
  }
}

async function metadataOf({ config }: Deps, given: Given): Promise<{ metadata: string; path: string }> {
  if (given.metadata !== undefined) return { metadata: given.metadata, path: 'metadata' };
  if (given.url === undefined) return { metadata: writtenByHand(given), path: 'entityId' };
  const accept = 'application/samlmetadata+xml, application/xml, text/xml, */*;q=0.1';
  const { body } = await fetchOutside(config, given.url, {
    field: 'url',
    maxBytes: LIMITS.samlMetadataBytes,
    accept,
  });
  const text = readUtf8(body);
  if (text === undefined) throw metadataInvalid('This address does not answer with text in UTF-8', 'url');
  return { metadata: text.trim(), path: 'url' };
}

function writtenByHand({
  entityId = '',
  assertionConsumerServiceUrl = '',
  singleLogoutServiceUrl,
  certificate: text = '',
}: Given): string {
  const certificate = text === '' ? undefined : readCertificate(text);
  if (text !== '' && !certificate) throw metadataInvalid('This is not an X.509 certificate', 'certificate');
  return writeServiceProvider({
    entityId,
    assertionConsumerServiceUrl,
    singleLogoutServiceUrl,
    certificate: certificate && base64Of(certificate),
  });
}
