import { isUnencrypted } from '@orchestrate/shared';
import type { Config } from '#config.ts';
import { isPrivateHost } from '#platform/adapters/outside-address.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';

export const USE_HTTPS = 'Use https, or http on 127.0.0.1, [::1] or localhost: others can reach this portal';

/**
 * Returns true if an address that receives codes, assertions or sign-outs must use https, because the network in between
 * could read them (RFC 9700 §4.1.3). Http is accepted by a local portal (with a warning), for the portal's own origin
 * and, with `ALLOW_PRIVATE_NETWORKS`, for private networks (decision 170).
 */
export function requiresHttps(
  config: Parameters<typeof isLocalPortal>[0] & Pick<Config, 'allowPrivateNetworks'>,
  address: string,
): boolean {
  if (!isUnencrypted(address) || isLocalPortal(config)) return false;
  const { hostname, origin } = URL.parse(address) ?? {};
  if (config.allowPrivateNetworks && isPrivateHost(hostname ?? '')) return false;
  return config.publicUrl === null || origin !== URL.parse(config.publicUrl)?.origin;
}
