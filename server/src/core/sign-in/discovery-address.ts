const WELL_KNOWN = '/.well-known/openid-configuration';

/** Where a discovery document is, and whose it must be. */
export interface DiscoveryAddress {
  url: string;
  /** Without a slash at its end (OpenID Connect Discovery 1.0 §4.1). */
  issuer: string;
}

/** @param configurationUrl address of a discovery document, or of the issuer whose it is */
export function discoveryAddressOf(configurationUrl: string): DiscoveryAddress {
  const url = new URL(configurationUrl);
  url.hash = '';
  if (!url.pathname.endsWith(WELL_KNOWN)) url.pathname = `${url.pathname.replace(/\/+$/, '')}${WELL_KNOWN}`;
  return { url: url.href, issuer: `${url.origin}${url.pathname.slice(0, -WELL_KNOWN.length)}` };
}
