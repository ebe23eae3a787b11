import { loginHistoryRepo, type organisationRepo, pushDenialRepo, type Tx } from '@orchestrate/db';
import { HOUR, MINUTE, SECOND } from '@orchestrate/shared';
import { inWords, tooManyTries } from '../../attempts/budgets.ts';
import type { Deps } from '../../deps.ts';
import { networkOf } from '../../http/network-of.ts';

/** How long nobody is asked again after one denial, two, three and so on, in milliseconds; a report counts as two. */
const PAUSES = [0, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR] as const;

/** How many of a person's latest sign-ins say from where they sign in. */
const LATEST_SIGN_INS = 20;

/** Milliseconds of pause after so many denials in a row. */
export const pauseAfter = (denials: number): number => PAUSES[Math.min(denials, PAUSES.length) - 1] ?? 0;

/**
 * Whether a push from `ip` is kept from a person who has just denied one. A network from which they have signed in lately
 * is not, unless what they denied came from there.
 * @throws Refusal 65 (HTTP 429) where it is told: to the network that has seen the denial, and where the organisation
 * discloses; to everybody else it looks like a push that nobody answers
 */
export function pushPause(
  { clock }: Deps,
  tx: Tx,
  { orgCode, discloseUnknownUsers }: organisationRepo.OrganisationRow,
  { suid, ip }: { suid: string; ip: string },
): boolean {
  const denied = pushDenialRepo.findPushDenials(tx, orgCode, suid);
  const left = denied ? denied.lastDeniedAt + pauseAfter(denied.denials) - clock.now() : 0;
  if (!denied || left <= 0) return false;
  const network = networkOf(ip);
  const isFromThere = denied.network === network;
  if (!isFromThere && signsInFrom(tx, orgCode, suid, network)) return false;
  if (!isFromThere && !discloseUnknownUsers) return true;
  const seconds = Math.ceil(left / SECOND);
  throw tooManyTries(
    seconds,
    `The last request was denied on the device. Ask again in ${inWords(seconds)}, or sign in with a code.`,
  );
}

function signsInFrom(tx: Tx, orgCode: string, suid: string, network: string): boolean {
  return loginHistoryRepo
    .listLoginHistory(tx, orgCode, suid, { count: LATEST_SIGN_INS })
    .some(({ loginStatus, ip }) => loginStatus === 'Success' && networkOf(ip) === network);
}
