/** Status codes (SAML 2.0 core §3.2.2.2): the party at fault and, if useful, the exact reason. */
export const STATUS = {
  success: 'urn:oasis:names:tc:SAML:2.0:status:Success',
  requester: 'urn:oasis:names:tc:SAML:2.0:status:Requester',
  responder: 'urn:oasis:names:tc:SAML:2.0:status:Responder',
  authnFailed: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed',
  noPassive: 'urn:oasis:names:tc:SAML:2.0:status:NoPassive',
  invalidNameIdPolicy: 'urn:oasis:names:tc:SAML:2.0:status:InvalidNameIDPolicy',
  noAuthnContext: 'urn:oasis:names:tc:SAML:2.0:status:NoAuthnContext',
  requestDenied: 'urn:oasis:names:tc:SAML:2.0:status:RequestDenied',
  partialLogout: 'urn:oasis:names:tc:SAML:2.0:status:PartialLogout',
  unknownPrincipal: 'urn:oasis:names:tc:SAML:2.0:status:UnknownPrincipal',
} as const;

export interface SamlStatus {
  code: (typeof STATUS)[keyof typeof STATUS];
  detail?: (typeof STATUS)[keyof typeof STATUS];
  /** A sentence for the developers of the application. */
  message?: string;
}

/** A problem to show to the user, with the message as the explanation. The service provider gets no response. */
export class SamlProblem extends Error {
  readonly httpStatus: 400 | 403 | 404;

  constructor(message: string, httpStatus: 400 | 403 | 404 = 400) {
    super(message);
    this.name = 'SamlProblem';
    this.httpStatus = httpStatus;
  }
}
