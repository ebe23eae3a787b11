import type { Config } from '#config.ts';

const LOCAL_NAME = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i;

/** Whether a host name can only mean this machine: `localhost` and names below it, `127.*`, `::1`. */
const isLocalName = (host: string): boolean => LOCAL_NAME.test(host);

/** Whether a `Host` header can only mean this machine: a name and a port, and nothing that hides in another part. */
export const isLocalHost = (host: string): boolean => /^[\w.:[\]-]+$/.test(host) && isLocalAddress(`http://${host}`);

/** Whether the host of an absolute address can only mean this machine. */
export const isLocalAddress = (address: string): boolean => isLocalName(URL.parse(address)?.hostname ?? '');

/** The settings that decide who can reach the portal. */
type Reach = Pick<Config, 'host' | 'publicUrl' | 'backchannelUrl' | 'trustedProxies'>;

/**
 * Whether only this machine can reach the portal: it listens on loopback, is reached there, and no proxy is trusted
 * (contract §15). Only then does the lab answer without `LAB_TOKEN`, and only then do keys follow from public names
 * (decision 205). If `PUBLIC_URL` is not set, it is derived from the port on this machine.
 */
export const isLocalPortal = ({ host, publicUrl, backchannelUrl, trustedProxies }: Reach): boolean =>
  trustedProxies.length === 0 &&
  isLocalName(host) &&
  [publicUrl, backchannelUrl].every((url) => url === null || isLocalAddress(url));

/**
 * Whether nobody at all can use the lab: the portal is reached from elsewhere, and there is no token (decision 014).
 */
export const isLabClosed = (config: Reach & Pick<Config, 'labToken'>): boolean =>
  config.labToken === null && !isLocalPortal(config);

/** Whether someone can use simulated phones: where others can reach the portal, only the lab gives out their keys. */
export const hasSimulatedPhones = (config: Reach & Pick<Config, 'lab' | 'labToken'>): boolean =>
  isLocalPortal(config) || (config.lab && !isLabClosed(config));
