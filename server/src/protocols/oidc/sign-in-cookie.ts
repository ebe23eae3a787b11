/** The cookie of one sign-in under way: several tabs may be signing in at once. */
export function signInCookie(orgCode: string, id: string) {
  return { name: `sign_in_${id}`, path: `/oidc/${orgCode}/continue`, httpOnly: true, sameSite: 'lax' } as const;
}

/** The value of a cookie of a request (RFC 6265 §5.4). @param header of the request */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const pair = (header ?? '').split('; ').find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
