import type { X509Certificate } from 'node:crypto';
import { Refusal } from '#platform/refusal.ts';
import { readCertificate } from './certificate-facts.ts';
import { parseMetadata, saml2Descriptors } from './parse-metadata.ts';

/**
 * The key with which assertions for a service provider are encrypted (SAML 2.0 metadata §2.4.1.1): the first of RSA
 * that is not for signatures alone. @param metadata must have passed `readServiceProvider`
 */
export async function findEncryptionKey(metadata: string): Promise<X509Certificate | undefined> {
  const [descriptor] = saml2Descriptors(await parseMetadata(metadata));
  return descriptor?.certificates
    .flatMap(({ use, text }) => (use === 'signing' ? [] : (readCertificate(text) ?? [])))
    .find(({ publicKey }) => publicKey.asymmetricKeyType === 'rsa');
}

/** @throws Refusal INVALID_REQUEST where the metadata have no key with which assertions could be encrypted */
export async function requireEncryptionKey(metadata: string): Promise<void> {
  if (await findEncryptionKey(metadata)) return;
  const message =
    'The metadata of the service provider have no RSA key to encrypt with; with an EC key, assertions cannot be encrypted';
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'encryptAssertions', message }] });
}
