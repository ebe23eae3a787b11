import type { Config } from '#config.ts';

const LOCAL_NAME = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i;

/** Returns true for names of this machine: `localhost` and its subdomains, `127.*`, `::1`. */
const isLocalName = (host: string): boolean => LOCAL_NAME.test(host);

/** Returns true if a `Host` header is a name of this machine with an optional port, and nothing else. */
export const isLocalHost = (host: string): boolean => /^[\w.:[\]-]+$/.test(host) && isLocalAddress(`http://${host}`);

/** Returns true if the host of a URL is a name of this machine. */
export const isLocalAddress = (address: string): boolean => isLocalName(URL.parse(address)?.hostname ?? '');

/** The settings that decide who can reach the portal. */
type Reach = Pick<Config, 'host' | 'publicUrl' | 'backchannelUrl' | 'trustedProxies'>;

/**
 * Returns true if only this machine can reach the portal: it listens on loopback, its addresses are local, and no proxy
 * is trusted (contract §15). Only then does the lab answer without `LAB_TOKEN`, and only then are keys derived from public
 * names (decision 205). An unset `PUBLIC_URL` is local.
 */
export const isLocalPortal = ({ host, publicUrl, backchannelUrl, trustedProxies }: Reach): boolean =>
  trustedProxies.length === 0 &&
  isLocalName(host) &&
  [publicUrl, backchannelUrl].every((url) => url === null || isLocalAddress(url));

/** Returns true if the lab can't be used at all: the portal is reachable, and there is no token (decision 014). */
export const isLabClosed = (config: Reach & Pick<Config, 'labToken'>): boolean =>
  config.labToken === null && !isLocalPortal(config);

/** Returns true if simulated phones can be used. On a reachable portal, only the lab returns their keys. */
export const hasSimulatedPhones = (config: Reach & Pick<Config, 'lab' | 'labToken'>): boolean =>
  isLocalPortal(config) || (config.lab && !isLabClosed(config));
