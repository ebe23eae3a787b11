import type { OidcSettings, SamlSettings } from '../foreign-client.ts';

/** Returns the environment variables for an OpenID Connect client. */
export const oidcEnvironment = ({ issuer, clientId, clientSecret }: OidcSettings) => ({
  ISSUER: issuer,
  CLIENT_ID: clientId,
  CLIENT_SECRET: clientSecret,
});

/** Returns the environment variables for a SAML service provider. */
export const samlEnvironment = ({ idp, isSigning, binding, keys }: SamlSettings) => ({
  IDP: idp,
  SIGNING: String(isSigning),
  BINDING: binding,
  KEY: keys.privateKey,
  CERTIFICATE: keys.certificate,
});
