import type { Deps } from '../../deps.ts';

/** The portal as authenticators know it: a passkey belongs to a host, and is used under an origin of it. */
export interface RelyingParty {
  /** Host name, e.g. 'localhost'. */
  id: string;
  origin: string;
}

/** Both follow from the address under which people reach the portal. */
export function relyingPartyOf({ publicUrl }: Pick<Deps, 'publicUrl'>): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}
