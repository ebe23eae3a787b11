/**
 * Portal paths and URLs that applications, directories and providers use. `publicUrl` is the portal's origin; paths
 * start with a slash. Routes use the same functions, with `:orgCode` as the organisation code.
 */

/** Path of an organisation's OpenID provider. */
export const oidcPath = (orgCode: string): string => `/oidc/${orgCode}`;
export const samlPath = (orgCode: string): string => `/saml/${orgCode}`;
export const scimPath = (orgCode: string): string => `/scim/v2/${orgCode}`;

const PATHS = { oidc: oidcPath, saml: samlPath };
type SignInProtocol = keyof typeof PATHS;

/** Returns the path that resumes a sign-in after the sign-in page (decision 110). */
export const continuePath = (protocol: SignInProtocol, orgCode: string): string =>
  `${PATHS[protocol](orgCode)}/continue`;

/** Returns the path that receives a test sign-in's response (decision 177). */
export const testSignInPath = (protocol: SignInProtocol, orgCode: string): string => `${PATHS[protocol](orgCode)}/try`;

/** Returns the path that signs a browser out of all its applications (decision 178). */
export const logoutPath = (orgCode: string, id: string): string => `/logout/${orgCode}/${id}`;

/**
 * Returns true if the address is one where the portal starts or ends sign-ins. These addresses can't be redirect
 * URIs: a browser redirected there by an application would seem to come from the portal rather than from another
 * site.
 */
export function isOwnProtocolAddress(publicUrl: string, address: string): boolean {
  const { origin, pathname = '' } = URL.parse(address) ?? {};
  return origin === new URL(publicUrl).origin && /^\/(?:oidc|saml|logout)\//i.test(pathname);
}

/** Returns the URLs of an organisation's OpenID provider (spec 2 §7). */
export function oidcAddresses(publicUrl: string, orgCode: string) {
  const issuer = `${publicUrl}${oidcPath(orgCode)}`;
  return {
    issuer,
    authorizationEndpoint: `${issuer}/auth`,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    endpoints: {
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/session/end`,
      introspection_endpoint: `${issuer}/token/introspection`,
      revocation_endpoint: `${issuer}/token/revocation`,
      pushed_authorization_request_endpoint: `${issuer}/request`,
      device_authorization_endpoint: `${issuer}/device-authorization`,
    },
  };
}

/** Returns the URLs of an organisation's identity provider for one SAML application. */
export function idpAddresses(publicUrl: string, { orgCode, appId }: { orgCode: string; appId: string }) {
  const entityId = `${publicUrl}${samlPath(orgCode)}/${appId}`;
  return {
    entityId,
    singleSignOnUrl: `${entityId}/sso`,
    singleLogoutUrl: `${entityId}/slo`,
    metadataUrl: `${publicUrl}/api/login/idp-metadata.xml?${new URLSearchParams({ orgCode, appId })}`,
  };
}

/** Returns the redirect URI to register at an external provider (decision 088). */
export const callbackAddress = ({ publicUrl }: { publicUrl: string }): string => `${publicUrl}/api/oidc/callback`;

/**
 * Converts an address for storage. The portal's own addresses become paths, so they stay valid if the portal's origin
 * changes (decision 081).
 */
export const storedAddress = (publicUrl: string, address: string): string =>
  address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;

/** Returns the full URL of a stored address. */
export const fullAddress = (publicUrl: string, stored: string): string =>
  stored.startsWith('/') ? `${publicUrl}${stored}` : stored;
