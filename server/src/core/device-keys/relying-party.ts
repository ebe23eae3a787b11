import type { Config } from '#config.ts';
import type { Deps } from '#deps.ts';

/** The portal as authenticators know it: a passkey belongs to a host and is used under one of its origins. */
export interface RelyingParty {
  /** Host name, e.g. 'localhost'. */
  id: string;
  origins: string[];
}

/**
 * Derived from the public address of the portal. Clients of `CORS_ORIGINS` use the same passkeys: their browsers allow
 * that on this host and below it, and nowhere else.
 */
export function relyingPartyOf({
  publicUrl,
  config,
}: Pick<Deps, 'publicUrl'> & { config: Pick<Config, 'corsOrigins'> }): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origins: [origin, ...config.corsOrigins] };
}
