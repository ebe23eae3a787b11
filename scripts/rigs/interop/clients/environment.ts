import type { OidcSettings, SamlSettings } from '../foreign-client.ts';

/** What the programs of an OpenID client find in their environment. */
export const oidcEnvironment = ({ issuer, clientId, clientSecret }: OidcSettings) => ({
  ISSUER: issuer,
  CLIENT_ID: clientId,
  CLIENT_SECRET: clientSecret,
});

/** What the programs of a service provider find in their environment. */
export const samlEnvironment = ({ idp, isSigning, binding, keys }: SamlSettings) => ({
  IDP: idp,
  SIGNING: String(isSigning),
  BINDING: binding,
  KEY: keys.privateKey,
  CERTIFICATE: keys.certificate,
});
