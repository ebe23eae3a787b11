const WELL_KNOWN = '/.well-known/openid-configuration';

/** Address of a discovery document and the issuer expected in it. */
export interface DiscoveryAddress {
  url: string;
  /** Issuer without a trailing slash (OpenID Connect Discovery 1.0 §4.1). */
  issuer: string;
}

/**
 * Returns the discovery address and expected issuer. @param configurationUrl URL of a discovery document or its
 * issuer
 */
export function discoveryAddressOf(configurationUrl: string): DiscoveryAddress {
  const url = new URL(configurationUrl);
  url.hash = '';
  if (!url.pathname.endsWith(WELL_KNOWN)) url.pathname = `${url.pathname.replace(/\/+$/, '')}${WELL_KNOWN}`;
  return { url: url.href, issuer: `${url.origin}${url.pathname.slice(0, -WELL_KNOWN.length)}` };
}
