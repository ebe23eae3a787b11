import {
  escapeXml,
  METADATA_NAMESPACE,
  POST_BINDING,
  REDIRECT_BINDING,
  SAML2_PROTOCOL,
  SIGNATURE_NAMESPACE,
} from './xml.ts';

/** Settings of a service provider configured without metadata. */
export interface ManualServiceProvider {
  entityId: string;
  assertionConsumerServiceUrl: string;
  singleLogoutServiceUrl: string | undefined;
  /** DER as base64, on one line. */
  certificate: string | undefined;
}

/**
 * Builds metadata from a service provider's settings, with the certificate for `use`, in schema order (SAML 2.0
 * metadata §2.4.4).
 */
export function buildServiceProviderMetadata(facts: ManualServiceProvider, use: '' | 'encryption' = ''): string {
  const { entityId, assertionConsumerServiceUrl, singleLogoutServiceUrl, certificate } = facts;
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${METADATA_NAMESPACE}" xmlns:ds="${SIGNATURE_NAMESPACE}" entityID="${escapeXml(entityId)}">
  <md:SPSSODescriptor protocolSupportEnumeration="${SAML2_PROTOCOL}">
${certificate ? keyDescriptor(certificate, use) : ''}${singleLogoutServiceUrl ? endpointElement('SingleLogoutService', REDIRECT_BINDING, singleLogoutServiceUrl) : ''}${endpointElement('AssertionConsumerService', POST_BINDING, assertionConsumerServiceUrl, ' index="0" isDefault="true"')}  </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}

/** Renders a certificate as a metadata element. @param base64 the DER as base64 @param use '' for both uses */
export const keyDescriptor = (base64: string, use: '' | 'signing' | 'encryption' = ''): string =>
  `    <md:KeyDescriptor${use && ` use="${use}"`}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
`;

/** Renders an endpoint element for metadata, with its binding and location. */
export const endpointElement = (name: string, binding: string, location: string, more = ''): string =>
  `    <md:${name} Binding="${binding}" Location="${escapeXml(location)}"${more}/>
`;
