import { type contract, LIMITS, METADATA_TOO_LARGE, type ReplyOf, type RequestOf } from '@orchestrate/shared';
import { derBase64, readCertificate } from '#core/saml-metadata/certificate-facts.ts';
import { extractEntity } from '#core/saml-metadata/parse-metadata.ts';
import { metadataRefusal, readServiceProvider } from '#core/saml-metadata/read-service-provider.ts';
import { buildServiceProviderMetadata } from '#core/saml-metadata/write-service-provider.ts';
import type { Deps } from '#deps.ts';
import { fetchOutside, isLoopbackUrl, UNREADABLE_ADDRESS_MESSAGE } from '#platform/adapters/fetch-outside.ts';
import { decodeXml } from '#platform/decode.ts';
import { Refusal } from '#platform/refusal.ts';

type Input = RequestOf<typeof contract.readSamlMetadata>['body'];
type Read = Pick<ReplyOf<typeof contract.readSamlMetadata>, 'metadata' | 'serviceProvider'>;

/**
 * Reads a service provider's metadata from any source. @throws Refusal INVALID_REQUEST with an issue on the source's
 * field
 */
export async function readMetadata(deps: Deps, given: Input): Promise<Read> {
  try {
    const { metadata: whole, path } = await metadataOf(deps, given);
    const metadata = await chosenOf(whole, given.chosenEntityId, path);
    return { metadata, serviceProvider: await readServiceProvider(metadata, deps.clock.now(), path) };
  } catch (reason) {
    // Error details for a local address would reveal which services run on this machine, so only report that the
    // metadata can't be read (decision 081).
    const isHere =
      deps.outsidePolicy.allowsInside &&
      !deps.outsidePolicy.isLocal &&
      reason instanceof Refusal &&
      given.metadata === undefined &&
      given.file === undefined &&
      isLoopbackUrl(given.url ?? '');
    throw isHere ? metadataRefusal(UNREADABLE_ADDRESS_MESSAGE, 'url') : reason;
  }
}

async function metadataOf({ outsidePolicy }: Deps, given: Input): Promise<{ metadata: string; path: string }> {
  if (given.metadata !== undefined) return { metadata: given.metadata, path: 'metadata' };
  if (given.file !== undefined) return { metadata: decoded(Buffer.from(given.file, 'base64'), 'file'), path: 'file' };
  if (given.url === undefined) return { metadata: writtenByHand(given), path: 'entityId' };
  const accept = 'application/samlmetadata+xml, application/xml, text/xml, */*;q=0.1';
  const { body, contentType } = await fetchOutside(outsidePolicy, given.url, {
    field: 'url',
    maxBytes: LIMITS.samlMetadataBytes,
    accept,
  });
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  return { metadata: decoded(body, 'url', charset), path: 'url' };
}

function decoded(bytes: Buffer, path: string, charset?: string): string {
  if (bytes.length > LIMITS.samlMetadataBytes) throw metadataRefusal(METADATA_TOO_LARGE, path);
  const result = decodeXml(bytes, charset);
  if ('refused' in result) throw metadataRefusal(result.refused, path);
  return result.text.trim();
}

/** Returns the selected service provider's metadata, or the whole file if none is selected. */
async function chosenOf(metadata: string, entityId: string | undefined, path: string): Promise<string> {
  if (entityId === undefined) return metadata;
  // Reject invalid metadata before parsing it again.
  await readServiceProvider(metadata, 0, path).catch((reason: unknown) => {
    if (!(reason instanceof Refusal) || !reason.fields?.entityIds) throw reason;
  });
  const chosen = await extractEntity(metadata, entityId);
  if (chosen === undefined)
    throw metadataRefusal('This metadata does not describe this service provider', 'chosenEntityId');
  return chosen;
}

function writtenByHand({
  entityId = '',
  assertionConsumerServiceUrl = '',
  singleLogoutServiceUrl,
  certificate: text = '',
}: Input): string {
  const certificate = text === '' ? undefined : readCertificate(text);
  if (text !== '' && !certificate) throw metadataRefusal('This is not an X.509 certificate', 'certificate');
  return buildServiceProviderMetadata({
    entityId,
    assertionConsumerServiceUrl,
    singleLogoutServiceUrl,
    certificate: certificate && derBase64(certificate),
  });
}
