import { createHash, type KeyObject, verify, type X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { derBase64 } from '#core/saml-metadata/certificate-facts.ts';
import { buildServiceProviderMetadata } from '#core/saml-metadata/write-service-provider.ts';
import { DIGEST_METHODS, SIGNATURE_METHODS, SIGNATURE_NAMESPACE } from '#core/saml-metadata/xml.ts';
import { loadSamlify } from './load-samlify.ts';
import { parseMessage, type SamlMessage, type SignatureShape } from './parse-message.ts';
import type { Peer } from './read-peer.ts';
import type { ReceivedMessage } from './receive-message.ts';

/**
 * Returns true if the key signed these octets with one of `SIGNATURE_METHODS`. EC signatures can be a pair of numbers
 * (RFC 4051 §2.3.6) or DER, which some service providers use in redirects because their TLS library does.
 */
function holds(key: KeyObject, { algorithm, signature, octets }: NonNullable<ReceivedMessage['detached']>): boolean {
  const method = SIGNATURE_METHODS.get(algorithm);
  if (!method || key.asymmetricKeyType !== method.keyType) return false;
  return (['ieee-p1363', 'der'] as const).some((dsaEncoding) =>
    verify(method.hash, Buffer.from(octets), { key, dsaEncoding }, signature),
  );
}

/** The subset of xml-crypto that we use. Its bundled types include DOM types. */
interface SignedXml {
  SignatureAlgorithms: Record<string, new () => object>;
  HashAlgorithms: Record<string, new () => object>;
  loadSignature(node: unknown): void;
  /**
   * Verifies a message's signature.
   * @throws Error for an invalid signature
   */
  checkSignature(xml: string): boolean;
  /** Returns the signed elements in canonical form. */
  getSignedReferences(): string[];
}

/** The subset of a DOM that we use. */
interface Xmldom {
  DOMParser: new () => {
    parseFromString(
      xml: string,
      type: string,
    ): { getElementsByTagNameNS(uri: string, name: string): ArrayLike<object> };
  };
}

/**
 * Verifies a message's only signature with a certificate and returns the signed element. The libraries are loaded
 * with the first signed message (decision 018).
 * @param xml must have been parsed strictly
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

/** Returns the algorithms to add to the library, which lacks ECDSA and SHA-384. */
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

/** Returns true if a message is signed with an unaccepted algorithm, regardless of the key. */
export function hasWeakSignature({ detached }: ReceivedMessage, { signature }: SamlMessage): boolean {
  const methods = [detached?.algorithm, signature?.method].filter((method) => method);
  const isKnown = methods.every((method) => SIGNATURE_METHODS.has(method ?? ''));
  return !isKnown || signature?.digests.every((digest) => DIGEST_METHODS.has(digest)) === false;
}

/** Returns true if one of the provider's keys signed the whole message. Every signature in it must be valid. */
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
 * Checks that the signed element is the message itself, without omissions by transforms. The library only verifies
 * that some element was signed (XML Signature §8.1: "only what is signed is secure"). The parsed message must equal
 * the parsed signed element.
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
 * Verifies that our certificate's RSA key signed a message or its assertion, and returns the signed element. Checks
 * the message signature first.
 */
export function verifySignedElement(
  xml: string,
  certificate: X509Certificate,
): [isVerified: boolean, signed: string | null] {
  const { SamlLib, SPMetadata } = loadSamlify();
  const facts = { entityId: 'urn:peer', assertionConsumerServiceUrl: 'urn:peer', singleLogoutServiceUrl: undefined };
  const metadata = SPMetadata(buildServiceProviderMetadata({ ...facts, certificate: derBase64(certificate) }));
  try {
    return SamlLib.verifySignature(xml, { metadata });
  } catch {
    // The library throws if the certificate doesn't match, or if the signature is malformed.
    return [false, null];
  }
}
