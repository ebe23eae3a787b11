/**
 * Where the portal is reached by applications, directories and providers. `publicUrl` is the portal's origin; a path
 * begins with a slash. Routes are registered at the same paths, with `:orgCode` in place of an organisation's code.
 */

/** An organisation as OpenID provider, SAML identity provider, and SCIM service. */
export const oidcPath = (orgCode: string): string => `/oidc/${orgCode}`;
export const samlPath = (orgCode: string): string => `/saml/${orgCode}`;
export const scimPath = (orgCode: string): string => `/scim/v2/${orgCode}`;

const PATHS = { oidc: oidcPath, saml: samlPath };
type SignInProtocol = keyof typeof PATHS;

/** The way back from the sign-in page (decision 110). */
export const continuePath = (protocol: SignInProtocol, orgCode: string): string =>
  `${PATHS[protocol](orgCode)}/continue`;

/** The path that receives the answer of a try (decision 177). */
export const tryPath = (protocol: SignInProtocol, orgCode: string): string => `${PATHS[protocol](orgCode)}/try`;

/** Where everything ends that one browser is signed in to (decision 178). */
export const logoutPath = (orgCode: string, id: string): string => `/logout/${orgCode}/${id}`;

/**
 * Whether the portal itself starts or ends sign-ins at an address. A browser that an application sends there would seem
 * to come from the portal and not from another site, so such addresses are never redirect addresses of applications.
 */
export function isOwnProtocolAddress(publicUrl: string, address: string): boolean {
  const { origin, pathname = '' } = URL.parse(address) ?? {};
  return origin === new URL(publicUrl).origin && /^\/(?:oidc|saml|logout)\//i.test(pathname);
}

/** The addresses of an organisation as OpenID provider (spec 2 §7). */
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

/** The addresses of an organisation as identity provider for one SAML application. */
export function idpAddresses(publicUrl: string, { orgCode, appId }: { orgCode: string; appId: string }) {
  const entityId = `${publicUrl}${samlPath(orgCode)}/${appId}`;
  return {
    entityId,
    singleSignOnUrl: `${entityId}/sso`,
    singleLogoutUrl: `${entityId}/slo`,
    metadataUrl: `${publicUrl}/api/login/idp-metadata.xml?${new URLSearchParams({ orgCode, appId })}`,
  };
}

/** Where an external provider sends browsers back to (decision 088); to be registered there. */
export const callbackAddress = ({ publicUrl }: { publicUrl: string }): string => `${publicUrl}/api/oidc/callback`;

/**
 * Addresses of the portal itself are stored as paths, so that they remain valid wherever the portal is reached
 * (decision 081); all others are stored unchanged.
 */
export const keptAddress = (publicUrl: string, address: string): string =>
  address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;

/** The full address of what `keptAddress` returned. */
export const wholeAddress = (publicUrl: string, kept: string): string =>
  kept.startsWith('/') ? `${publicUrl}${kept}` : kept;
