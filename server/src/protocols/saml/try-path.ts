/** The path that receives the answer of a try; the cookie of a try is sent only there. */
export const samlTryPath = (orgCode: string): string => `/saml/${orgCode}/try`;
