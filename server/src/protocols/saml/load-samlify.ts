import type { KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';

/**
 * The parts of samlify that we use. Its own types bring in those of the DOM, and with them another `fetch` for the
 * whole server.
 */
interface Samlify {
  SamlLib: {
    constructSAMLSignature(options: {
      rawSamlMessage: string;
      referenceTagXPath: string;
      /** Handed on to `node:crypto` as it is. */
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
    /** @throws Error for a certificate that is not the one of the metadata, and for what is not a signature at all */
    verifySignature(xml: string, options: { metadata: Metadata }): [isVerified: boolean, signed: string | null];
  };
  SPMetadata(xml: string): Metadata;
}

/** @property reference XPath of the element that `action` starts from */
export interface SignaturePlace {
  reference: string;
  action: 'after' | 'prepend';
}

interface Metadata {
  getX509Certificate(use: 'signing' | 'encryption'): string | string[];
}

/** A DOM and its libraries, needed only with SAML applications: loaded with the first message (decision 018). */
export const loadSamlify = (): Samlify => createRequire(import.meta.url)('samlify');
