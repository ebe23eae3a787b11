import { isUnencrypted } from '@orchestrate/shared';
import type { Config } from '#config.ts';
import { isPrivateHost } from '#platform/adapters/outside-address.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';

export const HTTPS_REQUIRED_MESSAGE =
  'Use https, or http on 127.0.0.1, [::1] or localhost. This portal is open to other machines';

/**
 * Returns true if an address that receives codes, assertions or sign-outs must use https, because anyone on the
 * network could read them otherwise (RFC 9700 §4.1.3). Plain http is accepted by a local portal (with a warning), for
 * the portal's own origin and, with `ALLOW_PRIVATE_NETWORKS`, for private networks (decision 170).
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
