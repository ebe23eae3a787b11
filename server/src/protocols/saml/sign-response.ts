import { sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { samlKeyRepo } from '@orchestrate/db';
import { base64Of } from '../../core/saml-metadata/certificate-facts.ts';
import { loadSamlify } from './load-samlify.ts';

/** RS256, which every service provider supports. */
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

type Key = Pick<samlKeyRepo.SamlKeyRow, 'privateKey' | 'certificate'>;

const child = (...path: string[]): string => path.map((name) => `/*[local-name(.)='${name}']`).join('');

/**
 * Signs the assertion, if there is one, and then the whole message: some providers check the one, some the other.
 * @param root name of the root element
 */
export function signMessage(xml: string, root: 'Response' | 'LogoutRequest' | 'LogoutResponse', key: Key): string {
  const withAssertion = xml.includes('<saml:Assertion ') ? signElement(xml, [root, 'Assertion'], key) : xml;
  return signElement(withAssertion, [root], key);
}

/** Signs one element and places the signature after its issuer. @param path of names, from the root */
export function signElement(xml: string, path: string[], { privateKey, certificate }: Key): string {
  return loadSamlify().SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath: child(...path),
    privateKey,
    signingCert: base64Of(new X509Certificate(certificate)),
    signatureAlgorithm: RSA_SHA256,
    isBase64Output: false,
    // The schema requires it after the issuer (SAML 2.0 core §2.3.3, §3.2.2).
    signatureConfig: { prefix: 'ds', location: { reference: child(...path, 'Issuer'), action: 'after' } },
  });
}

const deflate = promisify(deflateRaw);

/** The address of a redirected message: the signature is over the query, not in the XML (bindings §3.4.4.1). */
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
  const signature = sign('sha256', Buffer.from(String(query)), privateKey).toString('base64');
  const signed = `${query}&${new URLSearchParams({ Signature: signature })}`;
  return `${location}${location.includes('?') ? '&' : '?'}${signed}`;
}
