import type { Path } from '../../core/configuration/configuration-part.ts';

/** Where a file has the fields of the API. */
const PLACES: Readonly<Record<string, Path>> = {
  appId: ['id'],
  redirect_uris: ['oidc', 'redirectUris'],
  post_logout_redirect_uris: ['oidc', 'postLogoutRedirectUris'],
  ttl_IdToken: ['oidc', 'ttlIdToken'],
  ttl_AccessToken: ['oidc', 'ttlAccessToken'],
  ttl_AuthorizationCode: ['oidc', 'ttlAuthorizationCode'],
  ttl_RefreshToken: ['oidc', 'ttlRefreshToken'],
  backchannel_logout_uri: ['oidc', 'backchannelLogoutUri'],
  frontchannel_logout_uri: ['oidc', 'frontchannelLogoutUri'],
  jwks_uri: ['oidc', 'jwksUri'],
  id_token_signed_response_alg: ['oidc', 'idTokenAlg'],
  metadata: ['saml', 'metadata'],
  redirectUrl: ['saml', 'redirectUrl'],
  samlNameId: ['saml', 'nameId'],
  samlNameIdFormat: ['saml', 'nameIdFormat'],
  samlNameIdTransformationTemplate: ['saml', 'nameIdTransformationTemplate'],
  samlAttributes: ['saml', 'attributes'],
  samlAttributesConfig: ['saml', 'attributesConfig'],
  encryptAssertions: ['saml', 'encryptAssertions'],
  flags: [],
  oidcConfiguration: ['oidc'],
  radiusConfiguration: ['radius'],
};

/** The place in a configuration file: of `oidcConfiguration.clients.redirect_uris.0` it is `oidc.redirectUris.0`. */
export function configPathOf(field: string): Path {
  const [name = '', ...deeper] = field.replace(/^oidcConfiguration\.clients\./, '').split('.');
  const isOfClient = field.startsWith('oidcConfiguration.clients.');
  return [...(PLACES[name] ?? (isOfClient ? ['oidc', name] : [name])), ...deeper];
}
