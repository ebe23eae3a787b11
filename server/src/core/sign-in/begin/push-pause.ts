import type { organisationRepo, Tx } from '@orchestrate/db';
import type { Deps } from '../../../deps.ts';
import { askedTooSoon, denialPause } from '../challenges/denial-pause.ts';

/**
 * Whether a push from `ip` is withheld from a person who has just denied one.
 * @throws Refusal BAD_REQUEST (HTTP 429) where it is told: to the network that has seen the denial, and where the
 * organisation discloses; to everybody else it looks like a push that nobody answers
 */
export function pushPause(
  deps: Deps,
  tx: Tx,
  { orgCode, discloseUnknownUsers }: organisationRepo.OrganisationRow,
  person: { suid: string; ip: string; browser?: string | null | undefined },
): boolean {
  const pause = denialPause(deps, tx, orgCode, person);
  if (!pause) return false;
  if (!pause.isFromThere && !discloseUnknownUsers) return true;
  throw askedTooSoon(pause, ', or sign in with a code');
}
