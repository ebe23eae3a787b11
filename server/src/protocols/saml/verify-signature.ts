import { createHash, type KeyObject, verify, type X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { base64Of } from '#core/saml-metadata/certificate-facts.ts';
import { DIGEST_METHODS, SIGNATURE_METHODS, SIGNATURE_NAMESPACE } from '#core/saml-metadata/names.ts';
import { writeServiceProvider } from '#core/saml-metadata/write-service-provider.ts';
import { loadSamlify } from './load-samlify.ts';
import { parseMessage, type SamlMessage, type SignatureShape } from './parse-message.ts';
import type { Peer } from './read-peer.ts';
import type { ReceivedMessage } from './receive-message.ts';

/**
 * Returns true if a key signed these octets with one of `SIGNATURE_METHODS`. An EC signature is a pair of numbers (RFC
 * 4051 §2.3.6) or DER, which some service providers use in redirects because their TLS library does.
 */
function holds(key: KeyObject, { algorithm, signature, octets }: NonNullable<ReceivedMessage['detached']>): boolean {
  const method = SIGNATURE_METHODS.get(algorithm);
  if (!method || key.asymmetricKeyType !== method.keyType) return false;
  return (['ieee-p1363', 'der'] as const).some((dsaEncoding) =>
    verify(method.hash, Buffer.from(octets), { key, dsaEncoding }, signature),
  );
}

/** The parts of xml-crypto that we use. Its own types include those of the DOM. */
interface SignedXml {
  SignatureAlgorithms: Record<string, new () => object>;
  HashAlgorithms: Record<string, new () => object>;
  loadSignature(node: unknown): void;
  /** @throws Error for an invalid signature */
  checkSignature(xml: string): boolean;
  /** Returns the signed elements in canonical form. */
  getSignedReferences(): string[];
}

/** The parts of a DOM that we use. */
interface Xmldom {
  DOMParser: new () => {
    parseFromString(
      xml: string,
      type: string,
    ): { getElementsByTagNameNS(uri: string, name: string): ArrayLike<object> };
  };
}

/**
 * Returns the element signed by a certificate's key with the only signature in a message. The libraries are loaded with
 * the first such message (decision 018).
 * @param xml has been parsed strictly
 * @returns undefined if the signature is invalid
 */
function signedPart(xml: string, certificate: X509Certificate): string | undefined {
  const load = createRequire(import.meta.url);
  const library: { SignedXml: new (options: { publicCert: string }) => SignedXml } = load('xml-crypto');
  const { DOMParser }: Xmldom = load('@xmldom/xmldom');
  const signed = new library.SignedXml({ publicCert: certificate.toString() });
  signed.SignatureAlgorithms = signatureAlgorithms(certificate.publicKey);
  signed.HashAlgorithms = HASH_ALGORITHMS;
  const [signature] = Array.from(
    new DOMParser().parseFromString(xml, 'text/xml').getElementsByTagNameNS(SIGNATURE_NAMESPACE, 'Signature'),
  );
  try {
    signed.loadSignature(signature);
    return signed.checkSignature(xml) ? signed.getSignedReferences()[0] : undefined;
  } catch {
    return undefined;
  }
}

/** The library lacks ECDSA and SHA-384, and lets them be added. */
const signatureAlgorithms = (key: KeyObject) =>
  Object.fromEntries(
    [...SIGNATURE_METHODS.keys()].map((algorithm) => [
      algorithm,
      class {
        getAlgorithmName = () => algorithm;
        verifySignature = (octets: string, _certificate: string, signature: string) =>
          holds(key, { algorithm, octets, signature: Buffer.from(signature, 'base64') });
      },
    ]),
  );

const HASH_ALGORITHMS = Object.fromEntries(
  [...DIGEST_METHODS].map(([algorithm, hash]) => [
    algorithm,
    class {
      getAlgorithmName = () => algorithm;
      getHash = (xml: string) => createHash(hash).update(xml, 'utf8').digest('base64');
    },
  ]),
);

const TRANSFORMS = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'];

/** Returns true if a message has a signature of any kind. */
export const isSigned = ({ detached }: ReceivedMessage, { signature }: SamlMessage): boolean =>
  detached !== undefined || signature !== undefined;

/** Returns true if a message is signed with an unaccepted algorithm, whatever the key. */
export function isSignedWeakly({ detached }: ReceivedMessage, { signature }: SamlMessage): boolean {
  const methods = [detached?.algorithm, signature?.method].filter((method) => method);
  const isKnown = methods.every((method) => SIGNATURE_METHODS.has(method ?? ''));
  return !isKnown || signature?.digests.every((digest) => DIGEST_METHODS.has(digest)) === false;
}

/** Returns true if one of the provider's keys signed the whole message: every signature in it must be valid. */
export async function isSignedBy(
  { certificates }: Peer,
  received: ReceivedMessage,
  message: SamlMessage,
): Promise<boolean> {
  const { detached } = received;
  if (!isSigned(received, message)) return false;
  const isDetachedRight = detached === undefined || certificates.some(({ publicKey }) => holds(publicKey, detached));
  if (!isDetachedRight) return false;
  return message.signature === undefined || hasSignedXml(certificates, received.xml, message);
}

/**
 * Checks that the signed element is the message itself, and that the transforms omit nothing of it, because the library
 * only verifies that something was signed (XML Signature §8.1: "only what is signed is secure"). The message as parsed
 * must be equal to the signed element as parsed.
 */
async function hasSignedXml(
  certificates: Peer['certificates'],
  xml: string,
  { signature, ...read }: SamlMessage,
): Promise<boolean> {
  if (signature === undefined || !coversRoot(signature, read.attributes.get('ID') ?? '')) return false;
  const [signed] = certificates.flatMap((certificate) => signedPart(xml, certificate) ?? []);
  if (signed === undefined) return false;
  const { signature: _, ...readInSigned } = await parseMessage(signed);
  return isDeepStrictEqual(read, readInSigned);
}

/** Returns true if a signature references the whole message and uses accepted algorithms. */
function coversRoot({ method, references, digests, transforms }: SignatureShape, id: string): boolean {
  const [reference, ...others] = references;
  const isWhole = id !== '' && others.length === 0 && reference === `#${id}`;
  const isKnown =
    SIGNATURE_METHODS.has(method) && digests.length === 1 && digests.every((digest) => DIGEST_METHODS.has(digest));
  return isWhole && isKnown && transforms.length > 0 && transforms.every((transform) => TRANSFORMS.includes(transform));
}

/**
 * Returns true if our certificate's RSA key signed a message or its assertion, and which of the two. The signature of
 * the message is checked first.
 */
export function verifiedPart(xml: string, certificate: X509Certificate): [isVerified: boolean, signed: string | null] {
  const { SamlLib, SPMetadata } = loadSamlify();
  const facts = { entityId: 'urn:peer', assertionConsumerServiceUrl: 'urn:peer', singleLogoutServiceUrl: undefined };
  const metadata = SPMetadata(writeServiceProvider({ ...facts, certificate: base64Of(certificate) }));
  try {
    return SamlLib.verifySignature(xml, { metadata });
  } catch {
    // The library throws for another certificate, and for anything that doesn't look like a signature.
    return [false, null];
  }
}
