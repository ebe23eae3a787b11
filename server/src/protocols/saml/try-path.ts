/** Where a try takes its answer, and where alone the cookie of a try is sent. */
export const samlTryPath = (orgCode: string): string => `/saml/${orgCode}/try`;
