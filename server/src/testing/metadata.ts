/** Certificate of old.example, valid from January 2020 to January 2021, as base64-encoded DER. */
export const OLD_CERTIFICATE = [
  'MIIC5jCCAc6gAwIBAgIUez7NSCi80xGGhu082nX/4zwHePswDQYJKoZIhvcNAQEL',
  'BQAwFjEUMBIGA1UEAwwLb2xkLmV4YW1wbGUwHhcNMjAwMTAxMDAwMDAwWhcNMjEw',
  'MTAxMDAwMDAwWjAWMRQwEgYDVQQDDAtvbGQuZXhhbXBsZTCCASIwDQYJKoZIhvcN',
  'AQEBBQADggEPADCCAQoCggEBAOVrEvNJOeQussmLYbcc/PcO4Jbk1Gs4Kjkamm9O',
  '/EdQeB5l5lpjgpMl7KNE8ygz0DPC1GLDYdyHBVhvTJVtypPSXKN0L+AdP+4usgL1',
  'F8jkcHar1VEOX1ycdIxqx8mMD3WpgULMNPNnu6rVY173iSg5XXe/AMgSoEan4o/X',
  '8f76iN78UNokRxQRS+74MACIFjS8OZ07IiaKAxDrV7aSn718YPLP4PdFv59akdfo',
  'SR8Xd6J3JRf9+EbglG8JtyCQpldDvAFeFW69F4gn1hibCf6BxSCib+6Uj4vJ9teo',
  'ELfyPG8uDPASsfXrYz9KQxbv/2RtgHKYOjA2bzGof5MCMgUCAwEAAaMsMCowCQYD',
  'VR0TBAIwADAdBgNVHQ4EFgQUteqZO043HiyNWm4RtHQVhE3BPjEwDQYJKoZIhvcN',
  'AQELBQADggEBAHNnhIdEp4sgyEl0WIvJc8OaD7CuLSbhpcK2HSmMXIQdiatwCec+',
  'gGZmiy2hojLjLtJixDLs6YBOzBFxCmHsDMiQDVyJBdKxM8yFKd4X2HgwgC/xk+Re',
  'O+RRtg9UJizqU7MfdDEGc9QwHv7qQ76GWPlbuAF3L5VqzdL+EKbg6agE9iCNrKXJ',
  'q3M2VU+yhfyDmyIpRerlCJ0p1i+9I9LN0wDVN73IX8UL+B5IhrjeOUd1T9cf3Rtz',
  '+v1Had1of7w2l+SxieKuwK9O0Y2CJkU37LiY7gBEDjSAFvKeFj/I/eYip1fHjlti',
  'EwrYUfZIV6Vf6MUCm0mvmuQ7apJWv7niz8A=',
].join('');

const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

/** XML parts of a service provider's metadata. Each part replaces its default. */
export interface MetadataParts {
  before?: string;
  root?: string;
  entityId?: string;
  descriptor?: string;
  keys?: string;
  services?: string;
  after?: string;
}

export const acs = (location: string, binding = POST): string =>
  `<md:AssertionConsumerService Binding="${binding}" Location="${location}" index="0"/>`;

export const keyDescriptor = (certificate: string, use = ' use="signing"'): string =>
  `<md:KeyDescriptor${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;

/** Returns a service provider's metadata, which is valid unless the given parts are not. */
export function spMetadata({
  before = '',
  root = 'xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#"',
  entityId = 'https://sp.example/metadata',
  descriptor = 'protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"',
  keys = '',
  services = acs('https://sp.example/acs'),
  after = '',
}: MetadataParts = {}): string {
  return `${before}<md:EntityDescriptor ${root} entityID="${entityId}"><md:SPSSODescriptor ${descriptor}>${keys}${services}</md:SPSSODescriptor>${after}</md:EntityDescriptor>`;
}
