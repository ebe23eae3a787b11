import { isUnencrypted } from '@orchestrate/shared';
import type { Config } from '#config.ts';
import { isPrivateHost } from '#platform/adapters/outside-address.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';

export const USE_HTTPS = 'Use https, or http on 127.0.0.1, [::1] or localhost: others can reach this portal';

/**
 * Whether an address that receives codes, assertions or sign-outs must use https (RFC 9700 §4.1.3): anyone on the way
 * could read them. A local portal accepts http with a warning, every portal its own origin, and
 * `ALLOW_PRIVATE_NETWORKS` opens private networks (decision 170).
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
