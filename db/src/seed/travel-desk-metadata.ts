/** A certificate of the service provider below, valid until 2124; nobody has its key. */
const CERTIFICATE = [
  'MIIDHjCCAgagAwIBAgIUDQWnPGWPxEgkJaLN3XUhunrdQcwwDQYJKoZIhvcNAQEL',
  'BQAwMTEZMBcGA1UEAwwQdHJhdmVsLmFjbWUudGVzdDEUMBIGA1UECgwLVHJhdmVs',
  'IERlc2swIBcNMjQwMTAxMDAwMDAwWhgPMjEyNDAxMDEwMDAwMDBaMDExGTAXBgNV',
  'BAMMEHRyYXZlbC5hY21lLnRlc3QxFDASBgNVBAoMC1RyYXZlbCBEZXNrMIIBIjAN',
  'BgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA5WsS80k55C6yyYthtxz89w7gluTU',
  'azgqORqab078R1B4HmXmWmOCkyXso0TzKDPQM8LUYsNh3IcFWG9MlW3Kk9Jco3Qv',
  '4B0/7i6yAvUXyORwdqvVUQ5fXJx0jGrHyYwPdamBQsw082e7qtVjXveJKDldd78A',
  'yBKgRqfij9fx/vqI3vxQ2iRHFBFL7vgwAIgWNLw5nTsiJooDEOtXtpKfvXxg8s/g',
  '90W/n1qR1+hJHxd3onclF/34RuCUbwm3IJCmV0O8AV4Vbr0XiCfWGJsJ/oHFIKJv',
  '7pSPi8n216gQt/I8by4M8BKx9etjP0pDFu//ZG2Acpg6MDZvMah/kwIyBQIDAQAB',
  'oywwKjAJBgNVHRMEAjAAMB0GA1UdDgQWBBS16pk7TjceLI1abhG0dBWETcE+MTAN',
  'BgkqhkiG9w0BAQsFAAOCAQEAsakTpsyP5TIQbaBizglTuMIpwTcmJ2U3fboO7KV6',
  'hSwSUtPJL6NlasfhCBc7Wq7RAsbqXav8SPxCyPGrntIenO+f5GYpplnR7wypd1bQ',
  'P9YAmnRhkWEz8U4b90+oaMSDB3IuZb0yti8GfPWIqhrjqgRcCReFAXLQUCsjQcCT',
  'l6HTkE9+fM7TQYYuxEDAoQqG3OmYDYXD6hRYHR8v0vc+TQS4Rop/kUCx66bRn/p/',
  'esYa4S4j07IZuUfRcpC0Sn5NmQG5f+aRYKJvBrc5QW+cAlmi8EjXFRBWAkRzBpWs',
  'MfWCEc7w5eKihYx0JJOHxJZ829L4UIC5rbJQ8nwIcfEe1A==',
].join('');

/** Where the demo's SAML application claims to run; nothing answers there. */
export const TRAVEL_DESK_ORIGIN = 'https://travel.acme.test';

/** The metadata of the demo's SAML application (SAML 2.0 metadata §2.4.4). */
export const TRAVEL_DESK_METADATA = `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${TRAVEL_DESK_ORIGIN}/saml/metadata">
  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo><ds:X509Data><ds:X509Certificate>${CERTIFICATE}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
    </md:KeyDescriptor>
    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${TRAVEL_DESK_ORIGIN}/saml/logout"/>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${TRAVEL_DESK_ORIGIN}/saml/acs" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
  <md:Organization>
    <md:OrganizationName xml:lang="en">Travel Desk</md:OrganizationName>
    <md:OrganizationDisplayName xml:lang="en">Travel Desk</md:OrganizationDisplayName>
    <md:OrganizationURL xml:lang="en">${TRAVEL_DESK_ORIGIN}</md:OrganizationURL>
  </md:Organization>
</md:EntityDescriptor>
`;
