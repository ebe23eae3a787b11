import type { Config } from '#config.ts';

const LOCAL_NAME = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i;

/** Returns true for hostnames of this machine: `localhost` and its subdomains, `127.*`, `::1`. */
const isLocalName = (host: string): boolean => LOCAL_NAME.test(host);

/** Returns true if a `Host` header consists of a hostname of this machine and an optional port. */
export const isLocalHost = (host: string): boolean => /^[\w.:[\]-]+$/.test(host) && isLocalUrl(`http://${host}`);

/** Returns true if a URL's host is a hostname of this machine. */
export const isLocalUrl = (address: string): boolean => isLocalName(URL.parse(address)?.hostname ?? '');

/** Settings that determine who can reach the portal. */
type Reach = Pick<Config, 'host' | 'publicUrl' | 'backchannelUrl' | 'trustedProxies'>;

/**
 * Returns true if only this machine can reach the portal: it listens on loopback, its addresses are local, and no
 * proxy is trusted (contract §15). An unset `PUBLIC_URL` is local. Only local portals serve the lab without
 * `LAB_TOKEN` and derive keys from public names (decision 205).
 */
export const isLocalPortal = ({ host, publicUrl, backchannelUrl, trustedProxies }: Reach): boolean =>
  trustedProxies.length === 0 &&
  isLocalName(host) &&
  [publicUrl, backchannelUrl].every((url) => url === null || isLocalUrl(url));

/**
 * Returns true if the lab can't be used at all, because other machines can reach the portal and no token is set
 * (decision 014).
 */
export const isLabClosed = (config: Reach & Pick<Config, 'labToken'>): boolean =>
  config.labToken === null && !isLocalPortal(config);

/**
 * Returns true if simulated phones can be used. On a portal that other machines can reach, only the lab returns the
 * phones' keys, so the lab must be open.
 */
export const hasSimulatedPhones = (config: Reach & Pick<Config, 'lab' | 'labToken'>): boolean =>
  isLocalPortal(config) || (config.lab && !isLabClosed(config));
