/** The initial values of the form for a new SAML application. */
export function samlDefaults() {
  return {
    samlNameId: 'primaryEmail',
    samlNameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    samlNameIdTransformationTemplate: '',
    samlAttributes: ['primaryEmail', 'firstName', 'lastName'],
  };
}
