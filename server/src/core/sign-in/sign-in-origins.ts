import { signInOriginRepo, type Tx } from '@orchestrate/db';
import { DAY } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';

/** How long a network or browser is considered the member's own after their last sign-in from it, in milliseconds. */
const KNOWN_FOR = 90 * DAY;

interface Person {
  orgCode: string;
  suid: string;
}

/** Returns the networks that the member has recently signed in from. */
export function knownNetworks({ clock }: Pick<Deps, 'clock'>, tx: Tx, { orgCode, suid }: Person): ReadonlySet<string> {
  const addresses = signInOriginRepo.listSignInAddresses(tx, orgCode, suid, clock.now() - KNOWN_FOR);
  return new Set(addresses.map(networkOf));
}

/** Returns true if the member has recently signed in with this browser. */
export function isKnownBrowser(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  person: Person,
  browser: string | null | undefined,
): browser is string {
  return !!browser && signInOriginRepo.hasSignedIn(tx, { ...person, browser }, clock.now() - KNOWN_FOR);
}
