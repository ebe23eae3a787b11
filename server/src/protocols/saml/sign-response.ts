import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { samlKeyRepo } from '@orchestrate/db';
import { base64Of } from '#core/saml-metadata/certificate-facts.ts';
import { writeServiceProvider } from '#core/saml-metadata/write-service-provider.ts';
import { boundedCache } from '#platform/cache.ts';
import { loadSamlify, type SignaturePlace } from './load-samlify.ts';

/** RS256, which every service provider supports. */
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

type Key = Pick<samlKeyRepo.SamlKeyRow, 'privateKey' | 'certificate'>;

const child = (...path: string[]): string => path.map((name) => `/*[local-name(.)='${name}']`).join('');

/**
 * Signs the assertion, if any, and then the whole message, because providers check either of them.
 * @param root name of the root element
 */
export function signMessage(xml: string, root: 'Response' | 'LogoutRequest' | 'LogoutResponse', key: Key): string {
  const withAssertion = xml.includes('<saml:Assertion ') ? signElement(xml, [root, 'Assertion'], key) : xml;
  return signElement(withAssertion, [root], key);
}

/**
 * Does the same with the assertion encrypted for the service provider: signed inside, and the message signed outside.
 */
export async function signEncrypted(xml: string, recipient: X509Certificate, key: Key): Promise<string> {
  const { SamlLib, SPMetadata } = loadSamlify();
  const facts = { entityId: 'urn:peer', assertionConsumerServiceUrl: 'urn:peer', singleLogoutServiceUrl: undefined };
  const encrypted = await SamlLib.encryptAssertion(
    { entitySetting: ENCRYPTION },
    { entityMeta: SPMetadata(writeServiceProvider({ ...facts, certificate: base64Of(recipient) }, 'encryption')) },
    signElement(xml, ['Response', 'Assertion'], key),
  );
  return signElement(Buffer.from(encrypted, 'base64').toString(), ['Response'], key);
}

/** AES in GCM, which unlike CBC detects changes, and the key padding that all providers support. */
const ENCRYPTION = {
  isAssertionEncrypted: true,
  dataEncryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  tagPrefix: { encryptedAssertion: 'saml' },
};

/** Signs one element and places the signature after its issuer. @param path of names, from the root */
export const signElement = (xml: string, path: string[], key: Key): string =>
  // The schema requires it after the issuer (SAML 2.0 core §2.3.3, §3.2.2).
  placeSignature(xml, path, key, { reference: child(...path, 'Issuer'), action: 'after' });

/** Signs metadata, whose signature comes first (SAML 2.0 metadata §2.3.2). */
export const signMetadata = (xml: string, key: Key): string =>
  placeSignature(xml, ['EntityDescriptor'], key, { reference: child('EntityDescriptor'), action: 'prepend' });

/** Number of cached keys, one per organisation. */
const KEYS_KEPT = 100;
/** Cached, because reading a key takes as long as a signature. */
const readKey = boundedCache((pem): KeyObject => createPrivateKey(pem), KEYS_KEPT);
const readSigningCertificate = boundedCache((pem) => base64Of(new X509Certificate(pem)), KEYS_KEPT);

function placeSignature(
  xml: string,
  path: string[],
  { privateKey, certificate }: Key,
  location: SignaturePlace,
): string {
  return loadSamlify().SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath: child(...path),
    privateKey: readKey(privateKey),
    signingCert: readSigningCertificate(certificate),
    signatureAlgorithm: RSA_SHA256,
    isBase64Output: false,
    signatureConfig: { prefix: 'ds', location },
  });
}

const deflate = promisify(deflateRaw);

/** Returns the URL of a redirected message: the signature covers the query, not the XML (bindings §3.4.4.1). */
export async function signedRedirect(
  location: string,
  { xml, relayState }: { xml: string; relayState: string },
  { privateKey }: Key,
  name: 'SAMLRequest' | 'SAMLResponse' = 'SAMLResponse',
): Promise<string> {
  const query = new URLSearchParams({
    [name]: (await deflate(Buffer.from(xml))).toString('base64'),
    ...(relayState !== '' && { RelayState: relayState }),
    SigAlg: RSA_SHA256,
  });
  const signature = sign('sha256', Buffer.from(String(query)), readKey(privateKey)).toString('base64');
  const signed = `${query}&${new URLSearchParams({ Signature: signature })}`;
  return `${location}${location.includes('?') ? '&' : '?'}${signed}`;
}
