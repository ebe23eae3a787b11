import type { KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';

/**
 * The parts of samlify that we use. Its own types include those of the DOM, which would redefine `fetch` for the whole
 * server.
 */
interface Samlify {
  SamlLib: {
    constructSAMLSignature(options: {
      rawSamlMessage: string;
      referenceTagXPath: string;
      /** Passed to `node:crypto` unchanged. */
      privateKey: KeyObject;
      /** Base64 of the DER. */
      signingCert: string;
      signatureAlgorithm: string;
      isBase64Output: false;
      signatureConfig: { prefix: string; location: SignaturePlace };
    }): string;
    /** @returns the base64 of the message with its assertion encrypted */
    encryptAssertion(
      source: { entitySetting: Record<string, unknown> },
      target: { entityMeta: Metadata },
      xml: string,
    ): Promise<string>;
    /** @throws Error if the certificate doesn't match the metadata, or the signature is malformed */
    verifySignature(xml: string, options: { metadata: Metadata }): [isVerified: boolean, signed: string | null];
  };
  SPMetadata(xml: string): Metadata;
}

/** @property reference XPath of the element that `action` refers to */
export interface SignaturePlace {
  reference: string;
  action: 'after' | 'prepend';
}

interface Metadata {
  getX509Certificate(use: 'signing' | 'encryption'): string | string[];
}

/** Loads samlify on the first message, because it brings a DOM implementation (decision 018). */
export const loadSamlify = (): Samlify => createRequire(import.meta.url)('samlify');
