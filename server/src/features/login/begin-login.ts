import { type CodeKind, LIMITS, type PasskeyRequestOptions, SECOND } from '@orchestrate/shared';
import { relyingPartyOf } from '../../core/device-keys/relying-party.ts';
import { beginPush } from '../../core/sign-in/begin/begin-push.ts';
import type { BegunLogin, LoginRequest } from '../../core/sign-in/begin/begun-login.ts';
import { destinationOf } from '../../core/sign-in/begin/destination.ts';
import { requireOrganisation } from '../../core/sign-in/begin/require-organisation.ts';
import { beginChallenge, type Requester } from '../../core/sign-in/challenges/begin.ts';
import { drawMatchNumbers } from '../../core/sign-in/challenges/match-numbers.ts';
import { requireSignInMethod } from '../../core/sign-in/login-policy.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';

const LIFETIME = { lifetimeSeconds: LIMITS.loginLifetimeSeconds };

/**
 * Begins a sign-in that a device approves (contract §8).
 * @throws Refusal ORG_MISSING, ORG_CODE_NOT_FOUND, IP_NOT_VALID, DID_NOT_ENABLED, WEBAUTHN_NOT_ENABLED; for a push as
 * `beginPush`; for an application EXPIRED, ID_DOESNOT_EXIST
 */
export function beginLogin(deps: Deps, request: LoginRequest, requester: Requester): BegunLogin {
  const { mode } = request;
  if (mode === 'PUSH') return beginPush(deps, request, requester);
  if (mode === 'WEBAUTHN') return beginByPasskey(deps, request, requester);
  return beginByCode(deps, { ...request, mode }, requester);
}

function beginByCode(deps: Deps, request: LoginRequest & { mode: CodeKind }, requester: Requester): BegunLogin {
  const { orgCode, mode } = request;
  if (orgCode === undefined) throw new Refusal('ORG_MISSING');
  const { policy, ...destination } = destinationOf(
    deps,
    requireOrganisation(deps, orgCode, requester),
    request,
    requester,
  );
  if (mode === 'DID') requireSignInMethod(policy, 'didEnabled');
  const numbers = policy.stepUpAuthEnabled ? drawMatchNumbers(deps.random) : undefined;
  const { id, qid, did } = beginChallenge(deps, deps.db, {
    orgCode,
    ...destination,
    mode,
    codes: [mode],
    ...LIFETIME,
    ...numbers,
    requester,
  });
  return {
    loginId: id,
    mode,
    ...(qid && { qid }),
    ...(did && { did }),
    ...(numbers && { matchNumber: numbers.matchNumber }),
    idTimeout: LIMITS.loginLifetimeSeconds,
  };
}

/** The id of the sign-in is also the challenge: 128 random bits, used once, and valid as long as the sign-in. */
function beginByPasskey(deps: Deps, request: LoginRequest, requester: Requester): BegunLogin {
  const { orgCode } = request;
  if (orgCode === undefined) throw new Refusal('ORG_MISSING');
  const { policy, ...destination } = destinationOf(
    deps,
    requireOrganisation(deps, orgCode, requester),
    request,
    requester,
  );
  requireSignInMethod(policy, 'webAuthnEnabled');
  const { id } = beginChallenge(deps, deps.db, {
    orgCode,
    ...destination,
    mode: 'WEBAUTHN',
    codes: [],
    ...LIFETIME,
    requester,
  });
  const idTimeout = LIMITS.loginLifetimeSeconds;
  const passkey: PasskeyRequestOptions = {
    challenge: id,
    rpId: relyingPartyOf(deps).id,
    userVerification: 'required',
    timeout: idTimeout * SECOND,
  };
  return { loginId: id, mode: 'WEBAUTHN', passkey, idTimeout };
}
