/** The way back from the sign-in page, which alone gets the cookie of a sign-in under way. */
export const continuePath = (orgCode: string): string => `/oidc/${orgCode}/continue`;
