import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { samlKeyRepo } from '@orchestrate/db';
import { derBase64 } from '#core/saml-metadata/certificate-facts.ts';
import { buildServiceProviderMetadata } from '#core/saml-metadata/write-service-provider.ts';
import { boundedCache } from '#platform/cache.ts';
import { loadSamlify, type SignatureLocation } from './load-samlify.ts';

/** URI of RS256, which every service provider supports. */
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

type Key = Pick<samlKeyRepo.SamlKeyRow, 'privateKey' | 'certificate'>;

const child = (...path: string[]): string => path.map((name) => `/*[local-name(.)='${name}']`).join('');

/**
 * Signs the assertion, if any, and then the whole message, because providers may check either signature.
 * @param root name of the root element
 */
export function signMessage(xml: string, root: 'Response' | 'LogoutRequest' | 'LogoutResponse', key: Key): string {
  const withAssertion = xml.includes('<saml:Assertion ') ? signElement(xml, [root, 'Assertion'], key) : xml;
  return signElement(withAssertion, [root], key);
}

/** Signs the assertion, encrypts it for the service provider, and then signs the message. */
export async function signAndEncrypt(xml: string, recipient: X509Certificate, key: Key): Promise<string> {
  const { SamlLib, SPMetadata } = loadSamlify();
  const facts = { entityId: 'urn:peer', assertionConsumerServiceUrl: 'urn:peer', singleLogoutServiceUrl: undefined };
  const encrypted = await SamlLib.encryptAssertion(
    { entitySetting: ENCRYPTION },
    {
      entityMeta: SPMetadata(
        buildServiceProviderMetadata({ ...facts, certificate: derBase64(recipient) }, 'encryption'),
      ),
    },
    signElement(xml, ['Response', 'Assertion'], key),
  );
  return signElement(Buffer.from(encrypted, 'base64').toString(), ['Response'], key);
}

/**
 * Encrypts with AES-GCM, which detects modifications, unlike CBC, and with the key padding that all providers
 * support.
 */
const ENCRYPTION = {
  isAssertionEncrypted: true,
  dataEncryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  tagPrefix: { encryptedAssertion: 'saml' },
};

/** Signs one element and inserts the signature after its issuer. @param path element names, starting at the root */
export const signElement = (xml: string, path: string[], key: Key): string =>
  // The schema requires the signature after the issuer (SAML 2.0 core §2.3.3, §3.2.2).
  placeSignature(xml, path, key, { reference: child(...path, 'Issuer'), action: 'after' });

/** Signs metadata. The signature must come first (SAML 2.0 metadata §2.3.2). */
export const signMetadata = (xml: string, key: Key): string =>
  placeSignature(xml, ['EntityDescriptor'], key, { reference: child('EntityDescriptor'), action: 'prepend' });

/** Maximum number of cached keys, one per organisation. */
const KEYS_KEPT = 100;
/** Parses a private key. Cached because parsing takes as long as signing. */
const readKey = boundedCache((pem): KeyObject => createPrivateKey(pem), KEYS_KEPT);
const readSigningCertificate = boundedCache((pem) => derBase64(new X509Certificate(pem)), KEYS_KEPT);

function placeSignature(
  xml: string,
  path: string[],
  { privateKey, certificate }: Key,
  location: SignatureLocation,
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

/** Returns a signed redirect URL. The signature covers the query, not the XML (bindings §3.4.4.1). */
export async function signRedirect(
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
