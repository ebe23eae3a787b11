import type { KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';

/**
 * The subset of samlify that we use. Its bundled types include DOM types, which would redefine `fetch` for the whole
 * server.
 */
interface Samlify {
  SamlLib: {
    constructSAMLSignature(options: {
      rawSamlMessage: string;
      referenceTagXPath: string;
      /** Private key, passed to `node:crypto` unchanged. */
      privateKey: KeyObject;
      /** Certificate as base64-encoded DER. */
      signingCert: string;
      signatureAlgorithm: string;
      isBase64Output: false;
      signatureConfig: { prefix: string; location: SignatureLocation };
    }): string;
    /**
     * Encrypts the assertion in a message.
     * @returns the base64-encoded message
     */
    encryptAssertion(
      source: { entitySetting: Record<string, unknown> },
      target: { entityMeta: Metadata },
      xml: string,
    ): Promise<string>;
    /**
     * Verifies a message's signature with a certificate from the metadata.
     * @throws Error if the certificate doesn't match the metadata, or the signature is malformed
     */
    verifySignature(xml: string, options: { metadata: Metadata }): [isVerified: boolean, signed: string | null];
  };
  SPMetadata(xml: string): Metadata;
}

/**
 * Where to insert a signature.
 * @property reference XPath of the element to which `action` refers
 */
export interface SignatureLocation {
  reference: string;
  action: 'after' | 'prepend';
}

interface Metadata {
  getX509Certificate(use: 'signing' | 'encryption'): string | string[];
}

/** Loads samlify on the first message, because it includes a DOM implementation (decision 018). */
export const loadSamlify = (): Samlify => createRequire(import.meta.url)('samlify');
