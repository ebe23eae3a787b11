const WELL_KNOWN = '/.well-known/openid-configuration';

/** The address of a discovery document, and its expected issuer. */
export interface DiscoveryAddress {
  url: string;
  /** Without a trailing slash (OpenID Connect Discovery 1.0 §4.1). */
  issuer: string;
}

/** Returns the discovery address. @param configurationUrl URL of a discovery document or its issuer */
export function discoveryAddressOf(configurationUrl: string): DiscoveryAddress {
  const url = new URL(configurationUrl);
  url.hash = '';
  if (!url.pathname.endsWith(WELL_KNOWN)) url.pathname = `${url.pathname.replace(/\/+$/, '')}${WELL_KNOWN}`;
  return { url: url.href, issuer: `${url.origin}${url.pathname.slice(0, -WELL_KNOWN.length)}` };
}
