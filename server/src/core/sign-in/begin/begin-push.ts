import { challengeRepo, deviceRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { durationInWords } from '#platform/times.ts';
import { beginChallenge, type Requester } from '../challenges/begin.ts';
import { drawMatchNumbers } from '../challenges/codes.ts';
import { denialPause, pauseRefusal } from '../challenges/denial-pause.ts';
import { allowedDeviceTypes, isSignIn, type LoginPolicy } from '../login-policy.ts';
import { isKnownBrowser, knownNetworks } from '../sign-in-origins.ts';
import { tooManyAttemptsRefusal } from '../throttles.ts';
import { type Destination, destinationOf } from './destination.ts';
import { findPushRecipient, organisationOfPush } from './push-person.ts';
import type { LoginRequest, StartedLogin } from './started-login.ts';

interface RequestedPush {
  /** '' if no device can answer the push. */
  suid: string;
  /** The name as entered, in lower case. */
  askedFor: string;
  network: string;
  browser: string | null | undefined;
}

/**
 * Returns true if a push must be withheld from the member's devices because too many pushes are pending (decision
 * 144). Each browser and network that the member has signed in from has a separate limit. All others share one limit,
 * so strangers can't use up the member's limits.
 * @throws Refusal BAD_REQUEST (HTTP 429) for the browser or network that has reached its limit, and for all of them
 * if the organisation discloses its members. Otherwise the push looks as if it wasn't answered
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
    // Withdrawn requests don't count, because this limit applies to one of the member's own browsers.
    const own = reached.filter((push) => push.browser === browser && push.status === 'pending');
    if (isFull(own)) throw tooManyWaiting(own, now);
    return false;
  }
  // This limit counts requests by name and network, so the response is the same whether or not the member exists.
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
  return tooManyAttemptsRefusal(
    seconds,
    pushes.some(({ status }) => status === 'pending')
      ? `${LIMITS.pushesWaiting} requests are already pending for this name. Answer one on your device, or try again in ${durationInWords(seconds)}.`
      : `${LIMITS.pushesWaiting} requests for this name were recently cancelled. Try again in ${durationInWords(seconds)}.`,
  );
}

/**
 * Returns true if a push from `ip` must be withheld from a member who recently denied a push. To the client, it looks
 * like an unanswered push.
 * @throws Refusal BAD_REQUEST (HTTP 429) for the network or browser whose push was denied, and for all if the
 * organisation discloses its members
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
 * Starts a sign-in that the named member answers on one of their devices. Unless the organisation discloses its
 * members, a sign-in for an unknown name looks like an unanswered sign-in (decision 143).
 * @throws Refusal ORG_CODE_NOT_FOUND, IP_NOT_VALID; INVALID_REQUEST without a name; EXPIRED, ID_DOESNOT_EXIST as
 * `destinationOf`; BAD_REQUEST (HTTP 429) if too many are pending for that name, or if the member has recently denied
 * a push from this network or browser; USER_IN_MULTIPLE_ORGS if no organisation is named and several disclose the
 * address; USER_NOT_REGISTERED_FOR_ORG, USER_INACTIVE if the organisation discloses its members
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

interface PushOptions {
  name: string;
  requester: Requester;
  isNumbered?: boolean;
  zid?: string | undefined;
}

/**
 * Like `beginPush`, but for a given organisation and destination.
 * @param isNumbered false if the client can't display a number
 * @param zid the only device that can answer; any of the member's devices if undefined
 * @throws Refusal as `beginPush`, for errors about the member
 */
export function beginPushTo(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  destination: Destination,
  { name, requester, isNumbered = true, zid }: PushOptions,
): StartedLogin {
  const numbers = isNumbered ? drawMatchNumbers(deps.random) : undefined;
  const challenge = deps.db.transaction((tx) => {
    const { suid, obstacle } = findPushRecipient(tx, organisation, name, (of) => hasDevice(tx, destination.policy, of));
    if (obstacle && organisation.discloseUnknownUsers) throw new Refusal(obstacle);
    const { ip, browser } = requester;
    const attempt = { askedFor: name.toLowerCase(), network: networkOf(ip) };
    const isWithheld = isOverPushLimit(deps, tx, organisation, { ...attempt, browser, suid: obstacle ? '' : suid });
    const isPaused = pushPause(deps, tx, organisation, { suid, ip, browser });
    const isAnswerable = obstacle === undefined && !isWithheld && !isPaused;
    const { policy: _, ...aim } = destination;
    return beginChallenge(deps, tx, {
      orgCode: organisation.orgCode,
      ...aim,
      ...numbers,
      mode: 'PUSH',
      codes: [],
      ...attempt,
      suid: isAnswerable ? suid : null,
      zid: (isAnswerable && zid) || null,
      lifetimeSeconds: LIMITS.loginLifetimeSeconds,
      requester,
    });
  });
  if (challenge.suid) deps.bus.changed(TOPIC.member(challenge.suid));
  const number = numbers && { matchNumber: numbers.matchNumber };
  return { loginId: challenge.id, mode: 'PUSH', ...number, idTimeout: LIMITS.loginLifetimeSeconds };
}

function hasDevice(tx: Tx, policy: LoginPolicy, { orgCode, suid }: { orgCode: string; suid: string }): boolean {
  return deviceRepo.hasActiveDevice(tx, orgCode, suid, allowedDeviceTypes(policy));
}
