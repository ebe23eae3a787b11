import { escapeXml } from './escape-xml.ts';
import { METADATA_NAMESPACE, POST_BINDING, REDIRECT_BINDING, SAML2_PROTOCOL, SIGNATURE_NAMESPACE } from './names.ts';

/** Settings of a service provider that has no metadata. */
export interface TypedServiceProvider {
  entityId: string;
  assertionConsumerServiceUrl: string;
  singleLogoutServiceUrl: string | undefined;
  /** Base64 of the DER, on one line. */
  certificate: string | undefined;
}

/** Builds its metadata, with the certificate for this use, in the schema's order (SAML 2.0 metadata §2.4.4). */
export function writeServiceProvider(facts: TypedServiceProvider, use: '' | 'encryption' = ''): string {
  const { entityId, assertionConsumerServiceUrl, singleLogoutServiceUrl, certificate } = facts;
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${METADATA_NAMESPACE}" xmlns:ds="${SIGNATURE_NAMESPACE}" entityID="${escapeXml(entityId)}">
  <md:SPSSODescriptor protocolSupportEnumeration="${SAML2_PROTOCOL}">
${certificate ? keyDescriptor(certificate, use) : ''}${singleLogoutServiceUrl ? service('SingleLogoutService', REDIRECT_BINDING, singleLogoutServiceUrl) : ''}${service('AssertionConsumerService', POST_BINDING, assertionConsumerServiceUrl, ' index="0" isDefault="true"')}  </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}

/** Renders a certificate for metadata. @param base64 the DER as base64; @param use '' for both uses */
export const keyDescriptor = (base64: string, use: '' | 'signing' | 'encryption' = ''): string =>
  `    <md:KeyDescriptor${use && ` use="${use}"`}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
`;

/** Renders an address for metadata, by binding. */
export const service = (name: string, binding: string, location: string, more = ''): string =>
  `    <md:${name} Binding="${binding}" Location="${escapeXml(location)}"${more}/>
`;
