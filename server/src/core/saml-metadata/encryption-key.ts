import type { X509Certificate } from 'node:crypto';
import { Refusal } from '#platform/refusal.ts';
import { readCertificate } from './certificate-facts.ts';
import { parseMetadata, saml2Descriptors } from './parse-metadata.ts';

/**
 * Returns the key for encrypting assertions to a service provider (SAML 2.0 metadata §2.4.1.1): the first RSA key
 * that isn't restricted to signing. @param metadata must have passed `readServiceProvider`
 */
export async function findEncryptionKey(metadata: string): Promise<X509Certificate | undefined> {
  const [descriptor] = saml2Descriptors(await parseMetadata(metadata));
  return descriptor?.certificates
    .flatMap(({ use, text }) => (use === 'signing' ? [] : (readCertificate(text) ?? [])))
    .find(({ publicKey }) => publicKey.asymmetricKeyType === 'rsa');
}

/** Throws Refusal INVALID_REQUEST if the metadata contains no key for encrypting assertions. */
export async function requireEncryptionKey(metadata: string): Promise<void> {
  if (await findEncryptionKey(metadata)) return;
  const message =
    "The service provider's metadata contains no RSA key for encryption. Assertions cannot be encrypted with an EC key";
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'encryptAssertions', message }] });
}
