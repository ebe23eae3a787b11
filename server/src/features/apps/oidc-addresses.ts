/** The addresses of an organisation as OpenID provider (spec 2 §7); `publicUrl` is the portal's origin. */
export function oidcAddresses(publicUrl: string, orgCode: string) {
  const issuer = `${publicUrl}/oidc/${orgCode}`;
  return {
    issuer,
    authorizationEndpoint: `${issuer}/auth`,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
  };
}
