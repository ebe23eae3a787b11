import { challengeRepo, deviceRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { inWords } from '#platform/times.ts';
import { beginChallenge, type Requester } from '../challenges/begin.ts';
import { drawMatchNumbers } from '../challenges/codes.ts';
import { denialPause, pauseRefusal } from '../challenges/denial-pause.ts';
import { isSignIn, type LoginPolicy, typesAllowed } from '../login-policy.ts';
import { isKnownBrowser, knownNetworks } from '../sign-in-origins.ts';
import { tooManyTries } from '../throttles.ts';
import { type Destination, destinationOf } from './destination.ts';
import { findPushPerson, organisationOfPush } from './push-person.ts';
import type { LoginRequest, StartedLogin } from './started-login.ts';

interface RequestedPush {
  /** '' if no device can answer. */
  suid: string;
  /** The name as entered, in lower case. */
  askedFor: string;
  network: string;
  browser: string | null | undefined;
}

/**
 * Decides whether a push is withheld from the person's devices because too many are waiting (decision 144). Each browser
 * and network in which the person has signed in has a limit of its own; all others share one, so that strangers can't use
 * up the person's.
 * @throws Refusal BAD_REQUEST (HTTP 429) to the browser or network that has reached its limit, and to all where the
 * organisation discloses who is known; otherwise the push looks like one that isn't answered
 */
function isOverPushLimit(
  deps: Deps,
  tx: Tx,
  { orgCode, discloseUnknownUsers }: organisationRepo.OrganisationRow,
  { suid, askedFor, network, browser }: RequestedPush,
): boolean {
  const now = deps.clock.now();
  const fromHere = challengeRepo.listPushesRequestedFor(tx, orgCode, { askedFor, network }, now);
  const reached = challengeRepo.listPushesTo(tx, orgCode, suid, now).filter(isSignIn);
  if (!isFull(fromHere) && !isFull(reached)) return false;
  const person = { orgCode, suid };
  if (isKnownBrowser(deps, tx, person, browser)) {
    // Withdrawn requests don't count here, because only the member uses this limit.
    const own = reached.filter((push) => push.browser === browser && push.status === 'pending');
    if (isFull(own)) throw tooManyWaiting(own, now);
    return false;
  }
  // Counted by the name alone, so that the answer is the same whether or not the person exists.
  if (isFull(fromHere)) throw tooManyWaiting(fromHere, now);
  const known = knownNetworks(deps, tx, person);
  const sharing = reached.filter((push) =>
    known.has(network) ? push.network === network : !known.has(push.network ?? ''),
  );
  if (!isFull(sharing)) return false;
  if (discloseUnknownUsers) throw tooManyWaiting(sharing, now);
  return true;
}

const isFull = (pushes: readonly challengeRepo.CountedPush[]): boolean => pushes.length >= LIMITS.pushesWaiting;

function tooManyWaiting(pushes: readonly challengeRepo.CountedPush[], now: number): Refusal {
  const seconds = Math.ceil((Math.min(...pushes.map(({ expiresAt }) => expiresAt)) - now) / SECOND);
  return tooManyTries(
    seconds,
    pushes.some(({ status }) => status === 'pending')
      ? `${LIMITS.pushesWaiting} requests are already waiting for this name. Answer one on your device, or try again in ${inWords(seconds)}.`
      : `${LIMITS.pushesWaiting} requests for this name were just abandoned. Try again in ${inWords(seconds)}.`,
  );
}

/**
 * Returns true if a push from `ip` is withheld from a member who has just denied one; the caller sees an unanswered push.
 * @throws Refusal BAD_REQUEST (HTTP 429) in the network that got the denial, and in all networks if the organisation
 * discloses its members
 */
function pushPause(
  deps: Deps,
  tx: Tx,
  { orgCode, discloseUnknownUsers }: organisationRepo.OrganisationRow,
  person: { suid: string; ip: string; browser?: string | null | undefined },
): boolean {
  const pause = denialPause(deps, tx, orgCode, person);
  if (!pause) return false;
  if (!pause.isFromThere && !discloseUnknownUsers) return true;
  throw pauseRefusal(pause, ', or sign in with a code');
}

/**
 * Starts a sign-in that waits on the devices of the named member. Unless the organisation discloses its members, a
 * sign-in for an unknown name looks like an unanswered one (decision 143).
 * @throws Refusal ORG_CODE_NOT_FOUND, IP_NOT_VALID; INVALID_REQUEST without a name; EXPIRED, ID_DOESNOT_EXIST as
 * `destinationOf`; BAD_REQUEST (HTTP 429) if too many are pending for that name, or the member has just denied one from
 * here; USER_IN_MULTIPLE_ORGS if no organisation is named and several disclose the address; USER_NOT_REGISTERED_FOR_ORG,
 * USER_INACTIVE if the organisation discloses them
 */
export function beginPush(deps: Deps, request: LoginRequest, requester: Requester): StartedLogin {
  const { primaryAttr: name } = request;
  if (name === undefined) {
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'primaryAttr', message: 'This field is required' }] });
  }
  const organisation = organisationOfPush(deps, { ...request, name }, requester);
  const destination = destinationOf(deps, organisation, request, requester);
  return beginPushTo(deps, organisation, destination, { name, requester });
}

/**
 * Like `beginPush`, for a given organisation and target.
 * @param isNumbered false if no number can be displayed
 * @throws Refusal as `beginPush`, for the member
 */
export function beginPushTo(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  destination: Destination,
  { name, requester, isNumbered = true }: { name: string; requester: Requester; isNumbered?: boolean },
): StartedLogin {
  const numbers = isNumbered ? drawMatchNumbers(deps.random) : undefined;
  const begun = deps.db.transaction((tx) => {
    const { suid, obstacle } = findPushPerson(tx, organisation, name, (of) => hasDevice(tx, destination.policy, of));
    if (obstacle && organisation.discloseUnknownUsers) throw new Refusal(obstacle);
    const { ip, browser } = requester;
    const asked = { askedFor: name.toLowerCase(), network: networkOf(ip) };
    const isWithheld = isOverPushLimit(deps, tx, organisation, { ...asked, browser, suid: obstacle ? '' : suid });
    const isPaused = pushPause(deps, tx, organisation, { suid, ip, browser });
    const isAnswerable = obstacle === undefined && !isWithheld && !isPaused;
    const { policy: _, ...aim } = destination;
    return beginChallenge(deps, tx, {
      orgCode: organisation.orgCode,
      ...aim,
      ...numbers,
      mode: 'PUSH',
      codes: [],
      ...asked,
      suid: isAnswerable ? suid : null,
      lifetimeSeconds: LIMITS.loginLifetimeSeconds,
      requester,
    });
  });
  if (begun.suid) deps.bus.changed(TOPIC.member(begun.suid));
  const number = numbers && { matchNumber: numbers.matchNumber };
  return { loginId: begun.id, mode: 'PUSH', ...number, idTimeout: LIMITS.loginLifetimeSeconds };
}

function hasDevice(tx: Tx, policy: LoginPolicy, { orgCode, suid }: { orgCode: string; suid: string }): boolean {
  return deviceRepo.hasActiveDevice(tx, orgCode, suid, typesAllowed(policy));
}
