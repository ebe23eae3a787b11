/** XML namespace of SAML 2.0 metadata. */
export const METADATA_NAMESPACE = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const SIGNATURE_NAMESPACE = 'http://www.w3.org/2000/09/xmldsig#';
export const SAML2_PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
export const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
export const SOAP_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:SOAP';
export const EMAIL_NAME_ID = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
export const UNSPECIFIED_NAME_ID = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
export const ASSERTION_NAMESPACE = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const ENTITY_NAME_ID = 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity';
export const PERSISTENT_NAME_ID = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
export const TRANSIENT_NAME_ID = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

export type Hash = 'sha256' | 'sha384' | 'sha512';

/** Accepted signature methods, with SHA-256 or better. SHA-1 is excluded because its signatures can be forged. */
export const SIGNATURE_METHODS: ReadonlyMap<string, { keyType: 'rsa' | 'ec'; hash: Hash }> = new Map(
  (['rsa', 'ecdsa'] as const).flatMap((algorithm) =>
    (['sha256', 'sha384', 'sha512'] as const).map((hash) => [
      `http://www.w3.org/2001/04/xmldsig-more#${algorithm}-${hash}`,
      { keyType: algorithm === 'rsa' ? 'rsa' : 'ec', hash },
    ]),
  ),
);
export const DIGEST_METHODS: ReadonlyMap<string, Hash> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#sha384', 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);
export const ALGORITHM_SUPPORT_NAMESPACE = 'urn:oasis:names:tc:SAML:metadata:algsupport';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes text for an XML element or attribute. The caller must have rejected characters that XML can't represent. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"'\t\n\r]/g, (character) => ESCAPES[character] ?? '');
