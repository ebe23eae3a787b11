/** What the form of a new SAML application begins with. */
export function samlDefaults() {
  return {
    samlNameId: 'primaryEmail',
    samlNameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    samlNameIdTransformationTemplate: '',
    samlAttributes: ['primaryEmail', 'firstName', 'lastName'],
  };
}
