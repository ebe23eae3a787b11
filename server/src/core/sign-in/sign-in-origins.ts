import { signInOriginRepo, type Tx } from '@orchestrate/db';
import { DAY } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';

/** How long a network or browser counts as the person's own after their last sign-in there. */
const KNOWN_FOR = 90 * DAY;

interface Person {
  orgCode: string;
  suid: string;
}

/** The networks from which the person has signed in. */
export function knownNetworks({ clock }: Pick<Deps, 'clock'>, tx: Tx, { orgCode, suid }: Person): ReadonlySet<string> {
  const addresses = signInOriginRepo.listAddresses(tx, orgCode, suid, clock.now() - KNOWN_FOR);
  return new Set(addresses.map(networkOf));
}

/** Whether the person has signed in in this browser. */
export function isKnownBrowser(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  person: Person,
  browser: string | null | undefined,
): browser is string {
  return !!browser && signInOriginRepo.hasSignedIn(tx, { ...person, browser }, clock.now() - KNOWN_FOR);
}
