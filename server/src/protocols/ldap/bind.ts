import { type applicationRepo, radiusLdapClientRepo } from '@orchestrate/db';
import { serviceDnOf } from '#core/applications.ts';
import { claimAnswered, signInWithoutBrowser, whenAnswered } from '#core/sign-in/app-logins/sign-in-without-browser.ts';
import { withdrawChallenge } from '#core/sign-in/challenges/challenge.ts';
import { countFailure, requireNotThrottled } from '#core/sign-in/throttles.ts';
import { isWeakSecret } from '#core/weak-secret.ts';
import type { Deps } from '#deps.ts';
import { isSameSecret } from '#platform/adapters/secrets.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import { Refusal } from '#platform/refusal.ts';
import { personDnOf } from './entries.ts';
import { type LdapResult, RESULT } from './message.ts';
import { INVALID_NAME, type LocatedName, locate, readName } from './names.ts';

/** The identity that a connection is bound to. */
export interface BoundIdentity {
  application: applicationRepo.ApplicationRow;
  dn: string;
  /** The bound member's ID. Undefined for the application's service account, which can read all entries. */
  suid: string | undefined;
}

export interface BindAnswer {
  result: LdapResult;
  bound?: BoundIdentity;
}

interface Binding {
  version: number;
  dn: string;
  /** Undefined if the client didn't choose simple authentication. */
  password: string | undefined;
}

const refused = (code: number, message?: string): BindAnswer => ({ result: { code, message } });
const WRONG = refused(RESULT.invalidCredentials);

/**
 * Answers a bind. If a member binds, waits for their device.
 * @param onWaiting receives a function that cancels the wait
 * @returns undefined if the wait was cancelled
 */
export async function answerBind(
  deps: Deps,
  { version, dn, password }: Binding,
  { ip, onWaiting }: { ip: string; onWaiting: (stop: () => void) => void },
): Promise<BindAnswer | undefined> {
  if (version !== 3) return refused(RESULT.protocolError, 'Only LDAP version 3 is supported.');
  if (password === undefined) return refused(RESULT.authMethodNotSupported, 'Only simple binds are supported.');
  if (dn === '' && password === '') return { result: { code: RESULT.success } };
  // RFC 4513 §5.1.2: reject a bind without a password, because many clients would mistake its success for a
  // successful sign-in.
  if (password === '') return refused(RESULT.unwillingToPerform, 'A password is required to bind.');
  const name = readName(dn);
  if (!name) return { result: INVALID_NAME };
  const found = locate(deps, name);
  if (!found) return WRONG;
  const [first, second] = found.inner;
  const isInner = (length: number) => found.inner.length === length;
  if (isInner(1) && first?.attribute === 'cn' && first.value.toLowerCase() === 'service')
    return bindService(deps, found, password, ip);
  const isPerson = isInner(2) && first?.attribute === 'uid' && second?.value.toLowerCase() === 'people';
  return isPerson ? bindPerson(deps, found, { name: first.value, ip, onWaiting }) : WRONG;
}

/**
 * Binds the service account. Wrong secrets are limited per network. The limit never blocks a strong secret, because
 * the client may share its network with an attacker.
 */
function bindService(deps: Deps, { application }: LocatedName, password: string, ip: string): BindAnswer {
  const { orgCode, appId } = application;
  const subject = { kind: 'client-secret' as const, orgCode, subject: `${networkOf(ip)} ${appId}` };
  const secret = radiusLdapClientRepo.findRadiusLdapClient(deps.db, orgCode, appId)?.secret ?? '';
  const isRight = secret !== '' && isSameSecret(password, secret);
  const success: BindAnswer = {
    result: { code: RESULT.success },
    bound: { application, dn: serviceDnOf(application), suid: undefined },
  };
  if (isRight && !isWeakSecret(secret)) return success;
  try {
    requireNotThrottled(deps, deps.db, subject);
  } catch (reason) {
    return refusedBy(reason);
  }
  if (isRight) return success;
  countFailure(deps, deps.db, subject);
  return WRONG;
}

async function bindPerson(
  deps: Deps,
  { application }: LocatedName,
  { name, ip, onWaiting }: { name: string; ip: string; onWaiting: (stop: () => void) => void },
): Promise<BindAnswer | undefined> {
  try {
    const requester = { ip, userAgent: 'LDAP client' };
    const { loginId } = signInWithoutBrowser(deps, { application, protocol: 'ldap', method: 'push', name, requester });
    const isAnswered = await new Promise<boolean>((resolve) => {
      const stop = whenAnswered(deps, loginId, () => resolve(true));
      onWaiting(() => {
        stop();
        resolve(false);
      });
    });
    if (!isAnswered) {
      withdrawChallenge(deps, application.orgCode, loginId);
      return undefined;
    }
    const member = claimAnswered(deps, { application, loginId, ip });
    return {
      result: { code: RESULT.success },
      bound: { application, dn: personDnOf(application, member), suid: member.suid },
    };
  } catch (reason) {
    return refusedBy(reason);
  }
}

/**
 * Returns the answer to a refused bind. A timeout or rate limit maps to busy rather than invalid credentials, because
 * clients retry when busy.
 * @throws `reason` if it is an unexpected error
 */
function refusedBy(reason: unknown): BindAnswer {
  if (!(reason instanceof Refusal)) throw reason;
  if (reason.result === 'EXPIRED') return refused(RESULT.busy, "The user didn't answer in time.");
  if (reason.status === 429) return refused(RESULT.busy, reason.message);
  if (reason.result === 'LOGIN_NO_CONSENT') return refused(RESULT.invalidCredentials, 'Denied on the device.');
  return refused(RESULT.invalidCredentials, reason.message);
}
