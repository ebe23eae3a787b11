/** The way back from the sign-in page; only this path receives the cookie of a sign-in under way. */
export const continuePath = (orgCode: string): string => `/oidc/${orgCode}/continue`;
