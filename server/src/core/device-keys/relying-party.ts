import type { Config } from '#config.ts';
import type { Deps } from '#deps.ts';

/** The portal as a WebAuthn relying party. A passkey is bound to the host and can be used from any of the origins. */
export interface RelyingParty {
  /** Host name, e.g. `localhost`. */
  id: string;
  origins: string[];
}

/**
 * Derives the relying party from the portal's public URL. Clients at `CORS_ORIGINS` use the same passkeys; browsers
 * allow that only on this host and its subdomains.
 */
export function relyingPartyOf({
  publicUrl,
  config,
}: Pick<Deps, 'publicUrl'> & { config: Pick<Config, 'corsOrigins'> }): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origins: [origin, ...config.corsOrigins] };
}
