import { appLoginRepo, applicationRepo, challengeRepo, foldCase, type memberRepo } from '@orchestrate/db';
import { LIMITS, type RadiusMethod } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { portalTime } from '#platform/times.ts';
import { mayUseApplication } from '../../applications.ts';
import { beginPushTo } from '../begin/begin-push.ts';
import type { Destination } from '../begin/destination.ts';
import { findPushRecipient } from '../begin/push-person.ts';
import { requireOrganisation } from '../begin/require-organisation.ts';
import { beginChallenge, type Requester } from '../challenges/begin.ts';
import { outcomeOf } from '../challenges/challenge.ts';
import { drawMatchNumbers } from '../challenges/codes.ts';
import { claimWithoutToken } from '../challenges/exchange.ts';
import { normaliseUserName, requireActiveMember } from '../find-member.ts';
import { loginPolicyOf, requireSignInMethod } from '../login-policy.ts';
import { startAppSignIn } from './begin-app-login.ts';

/** A sign-in without a browser, where the application prompts for the user name. */
export interface BrowserlessRequest {
  application: applicationRepo.ApplicationRow;
  protocol: 'radius' | 'ldap';
  /** Preferred method. `push` becomes `number` if the organisation requires number matching. */
  method: RadiusMethod;
  /** Email address or primary attribute, as typed. */
  name: string;
  requester: Requester;
}

/** The started sign-in, and any number or code to display. */
export interface BrowserlessSignIn {
  loginId: string;
  matchNumber?: string;
  typedCode?: string;
}

/**
 * Starts a sign-in to an application whose protocol doesn't use a browser (decision 173).
 * @throws Refusal as `beginPush`; DID_NOT_ENABLED if the method is a code and the application or organisation forbids
 * codes; FORBIDDEN if the organisation requires number matching and the protocol can't display a number
 */
export function signInWithoutBrowser(deps: Deps, request: BrowserlessRequest): BrowserlessSignIn {
  const { application, protocol, name, requester } = request;
  const { orgCode, appId } = application;
  const organisation = requireOrganisation(deps, orgCode, requester);
  const policy = loginPolicyOf(organisation, application);
  const needsNumber = request.method === 'push' && policy.stepUpAuthEnabled;
  if (needsNumber && protocol === 'ldap') {
    throw new Refusal('FORBIDDEN', {
      message: "Your organisation requires number matching, which isn't possible over LDAP.",
    });
  }
  const method = needsNumber ? 'number' : request.method;
  const id = deps.random.id();
  const destination: Destination = { kind: 'app-login', policy, appName: application.name, appLoginId: id };
  const started = method === 'code' ? showCode(deps, orgCode, destination, requester) : push();
  const { suid } = findPushRecipient(deps.db, organisation, name, () => true);
  // Store the sign-in only after the challenge has been created. The challenge can be refused, so a flood of unknown
  // names stores no rows.
  const details = { request: suid, loginHint: name, needsStepUp: false, browser: null };
  startAppSignIn(deps, { id, orgCode, appId, protocol, ...details });
  return started;

  function push(): BrowserlessSignIn {
    const isNumbered = method === 'number';
    const { loginId, matchNumber } = beginPushTo(deps, organisation, destination, { name, requester, isNumbered });
    return { loginId, ...(matchNumber !== undefined && { matchNumber }) };
  }
}

/**
 * Starts a sign-in with a typed code. Any member's device can use the code, so `claimAnswered` checks that the member
 * matches the name.
 */
function showCode(
  deps: Deps,
  orgCode: string,
  { policy, ...aim }: Destination,
  requester: Requester,
): BrowserlessSignIn & { typedCode: string } {
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

/** Returns true if `loginId`, received from a client, identifies a sign-in to this application for this name. */
export function isSignInFor(
  { db }: Pick<Deps, 'db'>,
  { orgCode, appId }: Pick<applicationRepo.ApplicationRow, 'orgCode' | 'appId'>,
  { loginId, name }: { loginId: string; name: string },
): boolean {
  const challenge = challengeRepo.findChallenge(db, orgCode, loginId);
  const appLogin = challenge?.appLoginId && appLoginRepo.findAppSignIn(db, challenge.appLoginId);
  if (!appLogin || appLogin.appId !== appId) return false;
  return keyOf(appLogin.loginHint) === keyOf(name);
}

const keyOf = (name: string): string => foldCase(normaliseUserName(name));

/**
 * Calls back when the device has answered or the sign-in has expired, but never synchronously.
 * @returns a function that cancels the wait
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
 * Claims a sign-in once, after `whenAnswered`, and returns the member.
 * @throws Refusal as `claimApproved`; FORBIDDEN if the member isn't allowed to use the application, or another member
 * entered the code
 */
export function claimAnswered(
  deps: Deps,
  { application, loginId, ip }: { application: applicationRepo.ApplicationRow; loginId: string; ip: string },
): memberRepo.MemberRow {
  return deps.db.transaction((tx) => {
    const { appLoginId, orgCode, suid, zid, mode, isNumbered } = claimWithoutToken(
      deps,
      tx,
      { loginId, ip },
      'app-login',
    );
    const completed =
      appLoginId !== null &&
      appLoginRepo.authenticateAppSignIn(tx, appLoginId, { suid, zid, mode, isNumbered }, deps.clock.now());
    if (!completed) throw new Refusal('EXPIRED');
    const member = requireActiveMember(tx, orgCode, suid);
    if (completed.request !== suid) throw new Refusal('FORBIDDEN', { message: 'Another member entered the code.' });
    // Read again, because access may have been revoked while the request was pending.
    const current = applicationRepo.findApplication(tx, orgCode, application.appId);
    if (!current || !mayUseApplication(tx, current, member)) throw new Refusal('FORBIDDEN');
    return member;
  });
}
