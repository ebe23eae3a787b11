import type { Client, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { requestErrorPage, signedOutPage, signOutPage } from '../http/pages.ts';
import { STEP_UP } from '../sign-in/acr.ts';
import { SELECT_ACCOUNT } from '../sign-in/sign-in-policy.ts';
import { LIFETIMES } from '../tokens/lifetimes.ts';

const OFF = { enabled: false } as const;

/** The configuration shared by all organisations: the authorization code flow and what belongs to it, nothing else. */
export const FIXED_CONFIGURATION = {
  acrValues: [STEP_UP],
  scopes: ['openid', 'offline_access'],
  responseTypes: ['code'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  enabledJWA: {
    idTokenSigningAlgValues: ['RS256', 'ES256'],
    clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'],
  },
  // The id token contains the requested claims too: many clients never call userinfo.
  conformIdTokenClaims: false,
  allowOmittingSingleRegisteredRedirectUri: false,
  // RFC 9700 §2.1.1: a client without a secret must prove that it is the one that began; FAPI 2.0 Security Profile
  // §5.3.2.2: so must one that signs for itself.
  pkce: { required: (_ctx, client) => isPublic(client) || client.tokenEndpointAuthMethod === 'private_key_jwt' },
  // OpenID Connect Prompt Create 1.0 §4.2.
  discovery: {
    prompt_values_supported: ['none', 'login', 'consent', SELECT_ACCOUNT],
    // OpenID Connect Front-Channel Logout 1.0 §3: the library has only the back channel.
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  },
  extraClientMetadata: { properties: [LIFETIMES] },
  rotateRefreshToken: true,
  // The grant is that of a browser and application, with other sign-ins beside the one whose token is revoked.
  revokeGrantPolicy: (ctx) => ctx.oidc.route !== 'revocation',
  // A device is not the browser in which its code was entered, and stays when that one signs out.
  expiresWithSession: async (_ctx, { kind, scopes }) => kind !== 'DeviceCode' && !scopes.has('offline_access'),
  routes: { device_authorization: '/device-authorization' },
  clientBasedCORS: (_ctx, origin, client) =>
    (client.redirectUris ?? []).some((address) => URL.parse(address)?.origin === origin),
  features: {
    backchannelLogout: { enabled: true },
    // RFC 6749 §4.4: machines, which are nobody's.
    clientCredentials: { enabled: true },
    claimsParameter: { enabled: true },
    devInteractions: OFF,
    pushedAuthorizationRequests: { enabled: true },
    userinfo: { enabled: true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => show(ctx, signOutPage(ctx, form)),
      postLogoutSuccessSource: (ctx) => show(ctx, signedOutPage()),
    },
  },
  renderError: (ctx, out) => show(ctx, requestErrorPage(ctx, out)),
} satisfies Configuration;

export const isPublic = ({ tokenEndpointAuthMethod }: Client): boolean => tokenEndpointAuthMethod === 'none';

function show(ctx: KoaContextWithOIDC, html: string): void {
  ctx.type = 'html';
  ctx.body = html;
}
