import type { Client, Configuration } from 'oidc-provider';
import { requestErrorPage, signedOutPage, signOutPage } from '../http/pages.ts';
import { sendLibraryPage } from '../http/send-page.ts';
import { STEP_UP } from '../sign-in/acr.ts';
import { SELECT_ACCOUNT_PROMPT } from '../sign-in/sign-in-policy.ts';
import { LIFETIMES_PROPERTY } from '../tokens/lifetimes.ts';

const OFF = { enabled: false } as const;

/** Configuration shared by all organisations: only the authorization code flow and the features below are enabled. */
export const FIXED_CONFIGURATION = {
  acrValues: [STEP_UP],
  scopes: ['openid', 'offline_access'],
  responseTypes: ['code'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  enabledJWA: {
    idTokenSigningAlgValues: ['RS256', 'ES256'],
    clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'],
  },
  // Requested claims go into ID tokens too, because many clients never call userinfo.
  conformIdTokenClaims: false,
  allowOmittingSingleRegisteredRedirectUri: false,
  // RFC 9700 §2.1.1 requires PKCE for public clients, FAPI 2.0 Security Profile §5.3.2.2 for clients with keys.
  pkce: { required: (_ctx, client) => isPublic(client) || client.tokenEndpointAuthMethod === 'private_key_jwt' },
  // `prompt_values_supported` is defined in OpenID Connect Prompt Create 1.0 §4.2.
  discovery: {
    prompt_values_supported: ['none', 'login', 'consent', SELECT_ACCOUNT_PROMPT],
    // OpenID Connect Front-Channel Logout 1.0 §3. The library itself implements only back-channel logout.
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  },
  extraClientMetadata: { properties: [LIFETIMES_PROPERTY] },
  // A grant covers all sign-ins of a browser to an application, so revoking one sign-in's token must not revoke the
  // grant.
  revokeGrantPolicy: (ctx) => ctx.oidc.route !== 'revocation',
  // A device stays signed in when the browser that was used to enter its code signs out.
  expiresWithSession: async (_ctx, { kind, scopes }) => kind !== 'DeviceCode' && !scopes.has('offline_access'),
  routes: { device_authorization: '/device-authorization' },
  clientBasedCORS: (_ctx, origin, client) =>
    (client.redirectUris ?? []).some((address) => URL.parse(address)?.origin === origin),
  features: {
    backchannelLogout: { enabled: true },
    // RFC 6749 §4.4, for service clients.
    clientCredentials: { enabled: true },
    claimsParameter: { enabled: true },
    devInteractions: OFF,
    pushedAuthorizationRequests: { enabled: true },
    userinfo: { enabled: true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => sendLibraryPage(ctx, signOutPage(ctx, form)),
      postLogoutSuccessSource: (ctx) => sendLibraryPage(ctx, signedOutPage),
    },
  },
  renderError: (ctx, out) => sendLibraryPage(ctx, requestErrorPage(ctx, out)),
} satisfies Configuration;

export const isPublic = ({ tokenEndpointAuthMethod }: Client): boolean => tokenEndpointAuthMethod === 'none';
