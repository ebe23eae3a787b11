import type { Deps } from '../../deps.ts';

/** The portal as authenticators know it: a passkey belongs to a host and is used under one of its origins. */
export interface RelyingParty {
  /** Host name, e.g. 'localhost'. */
  id: string;
  origin: string;
}

/** Both are derived from the public address of the portal. */
export function relyingPartyOf({ publicUrl }: Pick<Deps, 'publicUrl'>): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}
