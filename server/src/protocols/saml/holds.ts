import { createHash, type KeyObject, verify, type X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { DIGEST_METHODS, SIGNATURE_METHODS, SIGNATURE_NAMESPACE } from '../../core/saml-metadata/names.ts';
import type { ReceivedMessage } from './receive-message.ts';

/**
 * Whether a key has made a signature over these octets, by one of `SIGNATURE_METHODS`. That of an EC key is a pair of
 * numbers (RFC 4051 §2.3.6) or, from service providers that follow their TLS library in a redirect, DER.
 */
export function holds(
  key: KeyObject,
  { algorithm, signature, octets }: NonNullable<ReceivedMessage['detached']>,
): boolean {
  const method = SIGNATURE_METHODS.get(algorithm);
  if (!method || key.asymmetricKeyType !== method.keyType) return false;
  return (['ieee-p1363', 'der'] as const).some((dsaEncoding) =>
    verify(method.hash, Buffer.from(octets), { key, dsaEncoding }, signature),
  );
}

/** The parts of xml-crypto that we use, whose own types bring in those of the DOM. */
interface SignedXml {
  SignatureAlgorithms: Record<string, new () => object>;
  HashAlgorithms: Record<string, new () => object>;
  loadSignature(node: unknown): void;
  /** @throws Error for a signature that does not hold */
  checkSignature(xml: string): boolean;
  /** What has been signed, in its canonical form. */
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
 * What a certificate's key has signed by the only signature in a message. Its libraries are loaded with the first such
 * message (decision 018). @param xml has been parsed strictly. @returns undefined where the signature does not hold
 */
export function signedPart(xml: string, certificate: X509Certificate): string | undefined {
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

/** The library knows neither ECDSA nor SHA-384, and lets them be added. */
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
