import { appLoginRepo, applicationRepo, challengeRepo, foldCase, type memberRepo } from '@orchestrate/db';
import { LIMITS, type RadiusMethod } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { portalTime } from '#platform/times.ts';
import { mayUseApplication } from '../../applications.ts';
import { requireActiveMember } from '../active-member.ts';
import { beginPushTo } from '../begin/begin-push.ts';
import type { Destination } from '../begin/destination.ts';
import { findPushPerson } from '../begin/push-person.ts';
import { requireOrganisation } from '../begin/require-organisation.ts';
import { beginChallenge, type Requester } from '../challenges/begin.ts';
import { outcomeOf } from '../challenges/challenge.ts';
import { drawMatchNumbers } from '../challenges/codes.ts';
import { claimKnown } from '../challenges/exchange.ts';
import { loginPolicyOf, requireSignInMethod } from '../login-policy.ts';
import { preparedUserName } from '../prepared-user-name.ts';
import { beginAppLogin } from './begin-app-login.ts';

/** A sign-in without a browser: the application has asked for the person's name itself. */
export interface Asking {
  application: applicationRepo.ApplicationRow;
  protocol: 'radius' | 'ldap';
  /** Wanted; where the organisation asks for numbers, a push becomes one with a number. */
  method: RadiusMethod;
  /** What the person typed: an email address or primary attribute. */
  name: string;
  requester: Requester;
}

/** What the person must be shown before the device can answer; nothing where it simply waits. */
export interface Asked {
  loginId: string;
  matchNumber?: string;
  typedCode?: string;
}

/**
 * Begins a sign-in to an application whose protocol has no browser (decision 173).
 * @throws Refusal as `beginPush`; DID_NOT_ENABLED a code is wanted, and the application or organisation forbids them;
 * FORBIDDEN the organisation asks for numbers, and the protocol cannot show any
 */
export function askPerson(deps: Deps, asking: Asking): Asked {
  const { application, protocol, name, requester } = asking;
  const { orgCode, appId } = application;
  const organisation = requireOrganisation(deps, orgCode, requester);
  const policy = loginPolicyOf(organisation, application);
  const needsNumber = asking.method === 'push' && policy.stepUpAuthEnabled;
  if (needsNumber && protocol === 'ldap') {
    throw new Refusal('FORBIDDEN', { message: 'The organisation asks for a number, which LDAP cannot show.' });
  }
  const method = needsNumber ? 'number' : asking.method;
  const id = deps.random.id();
  const destination: Destination = { kind: 'app-login', policy, appName: application.name, appLoginId: id };
  const asked = method === 'code' ? showCode(deps, orgCode, destination, requester) : push();
  const { suid } = findPushPerson(deps.db, organisation, name, () => true);
  // After the challenge, which may be refused: a flood of unknown names leaves nothing behind.
  const request = { request: suid, loginHint: name, needsStepUp: false, browser: null };
  beginAppLogin(deps, { id, orgCode, appId, protocol, ...request });
  return asked;

  function push(): Asked {
    const isNumbered = method === 'number';
    const { loginId, matchNumber } = beginPushTo(deps, organisation, destination, { name, requester, isNumbered });
    return { loginId, ...(matchNumber !== undefined && { matchNumber }) };
  }
}

/** Any device can open a typed code: the answer is compared with the name. */
function showCode(
  deps: Deps,
  orgCode: string,
  { policy, ...aim }: Destination,
  requester: Requester,
): Asked & { typedCode: string } {
  requireSignInMethod(policy, 'didEnabled');
  const numbers = policy.stepUpAuthEnabled ? drawMatchNumbers(deps.random) : undefined;
  const { id: loginId, did } = beginChallenge(deps, deps.db, {
    orgCode,
    ...aim,
    ...numbers,
    mode: 'DID',
    codes: ['DID'],
    lifetimeSeconds: LIMITS.loginLifetimeSeconds,
    requester,
  });
  return { loginId, typedCode: did ?? '', ...(numbers && { matchNumber: numbers.matchNumber }) };
}

/**
 * Whether `loginId` is a sign-in of this application for this name: it comes back from a client.
 * @returns false also for one that is not known
 */
export function isAskedHere(
  { db }: Pick<Deps, 'db'>,
  { orgCode, appId }: Pick<applicationRepo.ApplicationRow, 'orgCode' | 'appId'>,
  { loginId, name }: { loginId: string; name: string },
): boolean {
  const challenge = challengeRepo.findChallenge(db, orgCode, loginId);
  const appLogin = challenge?.appLoginId && appLoginRepo.findAppLogin(db, challenge.appLoginId);
  if (!appLogin || appLogin.appId !== appId) return false;
  return keyOf(appLogin.loginHint) === keyOf(name);
}

const keyOf = (name: string): string => foldCase(preparedUserName(name));

/**
 * Waits until the device has answered or the time is over, and then calls back once; never within this call.
 * @returns a function that stops waiting
 */
export function whenAnswered({ db, clock, bus }: Deps, loginId: string, callback: () => void): () => void {
  let stops: (() => void)[] = [];
  const stop = () => {
    for (const one of stops) one();
    stops = [];
  };
  const look = () => {
    const challenge = challengeRepo.findChallengeBySecretId(db, loginId);
    if (stops.length === 0 || (challenge && outcomeOf(challenge, clock.now()) === 'pending')) return;
    stop();
    callback();
  };
  const expiresAt = challengeRepo.findChallengeBySecretId(db, loginId)?.expiresAt ?? clock.now();
  stops = [
    bus.listen([TOPIC.challenge(loginId), TOPIC.reset], look),
    clock.at(portalTime(expiresAt), look),
    clock.at(portalTime(0), look),
  ];
  return stop;
}

/**
 * Who has signed in, once, after `whenAnswered`.
 * @throws Refusal as `claimApproved`; FORBIDDEN the person may not use the application, or somebody other than
 * the named person has typed the code
 */
export function claimAnswered(
  deps: Deps,
  { application, loginId, ip }: { application: applicationRepo.ApplicationRow; loginId: string; ip: string },
): memberRepo.MemberRow {
  return deps.db.transaction((tx) => {
    const { appLoginId, orgCode, suid, zid, mode, isNumbered } = claimKnown(deps, tx, { loginId, ip }, 'app-login');
    const completed =
      appLoginId !== null &&
      appLoginRepo.authenticateAppLogin(tx, appLoginId, { suid, zid, mode, isNumbered }, deps.clock.now());
    if (!completed) throw new Refusal('EXPIRED');
    const member = requireActiveMember(tx, orgCode, suid);
    if (completed.request !== suid) throw new Refusal('FORBIDDEN', { message: 'Someone else entered the code.' });
    // As it is now: access may have been taken away while the device was asked.
    const current = applicationRepo.findApplication(tx, orgCode, application.appId);
    if (!current || !mayUseApplication(tx, current, member)) throw new Refusal('FORBIDDEN');
    return member;
  });
}
