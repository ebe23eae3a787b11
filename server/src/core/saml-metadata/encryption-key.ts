import type { X509Certificate } from 'node:crypto';
import { readCertificate } from './certificate-facts.ts';
import { parseMetadata } from './parse-metadata.ts';

/**
 * The key with which assertions for a service provider are encrypted (SAML 2.0 metadata §2.4.1.1): the first of RSA
 * that is not for signatures alone. @param metadata must have passed `readServiceProvider`
 */
export async function findEncryptionKey(metadata: string): Promise<X509Certificate | undefined> {
  const [descriptor] = await parseMetadata(metadata);
  return descriptor?.certificates
    .flatMap(({ use, text }) => (use === 'signing' ? [] : (readCertificate(text) ?? [])))
    .find(({ publicKey }) => publicKey.asymmetricKeyType === 'rsa');
}
