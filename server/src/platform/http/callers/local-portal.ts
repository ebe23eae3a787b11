import type { Config } from '../../../config.ts';

const LOCAL_NAME = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/i;

/** Whether a host name can only mean this machine: `localhost` and names below it, `127.*`, `::1`. */
const isLocalName = (host: string): boolean => LOCAL_NAME.test(host);

/** Whether a `Host` header can only mean this machine: a name and a port, and nothing that hides in another part. */
export const isLocalHost = (host: string): boolean => /^[\w.:[\]-]+$/.test(host) && isLocalAddress(`http://${host}`);

/** Whether the host of an absolute address can only mean this machine. */
export const isLocalAddress = (address: string): boolean => isLocalName(URL.parse(address)?.hostname ?? '');

/**
 * Whether the portal is one person's own: it listens on loopback and is reached there (contract §15). Only then may
 * anybody use the lab without `LAB_TOKEN`. If `PUBLIC_URL` is not set, it is derived from the port on this machine.
 */
export function isLocalPortal({
  host,
  publicUrl,
  backchannelUrl,
}: Pick<Config, 'host' | 'publicUrl' | 'backchannelUrl'>): boolean {
  return isLocalName(host) && [publicUrl, backchannelUrl].every((url) => url === null || isLocalAddress(url));
}

/**
 * Whether nobody at all can use the lab: the portal is reached from elsewhere, and there is no token (decision 014).
 */
export const isLabClosed = (config: Pick<Config, 'host' | 'publicUrl' | 'backchannelUrl' | 'labToken'>): boolean =>
  config.labToken === null && !isLocalPortal(config);
