import { deviceRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS } from '@orchestrate/shared';
import type { Deps } from '../../../deps.ts';
import { networkOf } from '../../../platform/http/callers/network-of.ts';
import { TOPIC } from '../../../platform/live/bus.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { beginChallenge, type Requester } from '../challenges/begin.ts';
import { drawMatchNumbers } from '../challenges/match-numbers.ts';
import { type LoginPolicy, typesAllowed } from '../login-policy.ts';
import type { BegunLogin, LoginRequest } from './begun-login.ts';
import { type Destination, destinationOf } from './destination.ts';
import { isOverPushLimit } from './push-limit.ts';
import { pushPause } from './push-pause.ts';
import { findPushPerson, organisationOfPush } from './push-person.ts';

/**
 * Begins a sign-in that waits on the devices of the named person. If the organisation discloses nothing, a sign-in for
 * somebody who could never answer looks like one that nobody answers (decision 145).
 * @throws Refusal ORG_CODE_NOT_FOUND, IP_NOT_VALID; INVALID_REQUEST nobody named; EXPIRED, ID_DOESNOT_EXIST as
 * `destinationOf`; BAD_REQUEST (HTTP 429) too many wait for that name, or its person has just denied one that was asked
 * from here; USER_IN_MULTIPLE_ORGS without an organisation, and several disclose that they know the address; where the
 * organisation discloses it USER_NOT_REGISTERED_FOR_ORG, USER_INACTIVE
 */
export function beginPush(deps: Deps, request: LoginRequest, requester: Requester): BegunLogin {
  const { primaryAttr: name } = request;
  if (name === undefined) {
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'primaryAttr', message: 'This field is required' }] });
  }
  const organisation = organisationOfPush(deps, { ...request, name }, requester);
  const destination = destinationOf(deps, organisation, request, requester);
  return beginPushTo(deps, organisation, destination, { name, requester });
}

/**
 * The same where organisation and target are known already.
 * @param isNumbered false where nothing could show a number to the person
 * @throws Refusal as `beginPush`, for the person
 */
export function beginPushTo(
  deps: Deps,
  organisation: organisationRepo.OrganisationRow,
  destination: Destination,
  { name, requester, isNumbered = true }: { name: string; requester: Requester; isNumbered?: boolean },
): BegunLogin {
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
