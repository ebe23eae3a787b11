const WELL_KNOWN = '/.well-known/openid-configuration';

/** Where a discovery document is, and which issuer it must belong to. */
export interface DiscoveryAddress {
  url: string;
  /** Without a trailing slash (OpenID Connect Discovery 1.0 §4.1). */
  issuer: string;
}

/** @param configurationUrl address of a discovery document, or of its issuer */
export function discoveryAddressOf(configurationUrl: string): DiscoveryAddress {
  const url = new URL(configurationUrl);
  url.hash = '';
  if (!url.pathname.endsWith(WELL_KNOWN)) url.pathname = `${url.pathname.replace(/\/+$/, '')}${WELL_KNOWN}`;
  return { url: url.href, issuer: `${url.origin}${url.pathname.slice(0, -WELL_KNOWN.length)}` };
}
