import { type challengeRepo, organisationRepo, passkeyRepo } from '@orchestrate/db';
import type { PasskeyAssertion } from '@orchestrate/shared';
import { relyingPartyOf } from '#core/device-keys/relying-party.ts';
import { requireActive } from '#core/device-keys/require-active.ts';
import { userHandleOf, verifyPasskey } from '#core/device-keys/verify-passkey.ts';
import { requireAppSignIn } from '#core/sign-in/app-logins/require-app-login.ts';
import { announceChallenge, outcomeOf } from '#core/sign-in/challenges/challenge.ts';
import { APPROVED, type Verdict } from '#core/sign-in/challenges/judge.ts';
import { settle } from '#core/sign-in/challenges/settle.ts';
import { policyOfSignIn, requireSignInMethod } from '#core/sign-in/login-policy.ts';
import type { Deps } from '#deps.ts';
import { requireAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import { Refusal } from '#platform/refusal.ts';
import { requireLogin } from './login-state.ts';

export interface PasskeyApproval {
  loginId: string;
  assertion: PasskeyAssertion;
  /** IP address of the browser that sends the assertion. */
  ip: string;
  /** ID of the browser that sends the assertion, see `browserOf`. */
  browser: string | undefined;
}

/**
 * Approves a sign-in with a passkey from the same organisation. The status of the passkey and its owner is disclosed
 * only to the passkey's holder.
 * @throws Refusal ID_DOESNOT_EXIST if there is no such passkey sign-in or another browser started it; EXPIRED if the
 * sign-in has expired or was already answered; IP_NOT_VALID; WEBAUTHN_NOT_ENABLED if passkeys have been disabled
 * since; DEVICE_NOT_TRUSTED if the passkey is unknown; SIGNATURE_MISMATCH if the assertion is invalid or from a
 * copied passkey, which ends the sign-in; as `requireActive`
 */
export async function approveLoginByPasskey(
  deps: Deps,
  { loginId, assertion, ip, browser }: PasskeyApproval,
): Promise<{ deviceName: string }> {
  const { db } = deps;
  const login = requireOpen(deps, loginId, ip);
  if (login.appLoginId !== null) requireAppSignIn(deps, { id: login.appLoginId, browser });
  const { orgCode } = login;
  const known = passkeyRepo.findPasskey(db, orgCode, assertion.id);
  if (!known) throw new Refusal('DEVICE_NOT_TRUSTED');
  const { passkey, device } = known;
  const proven = await verifyPasskey(assertion, passkey, {
    relyingParty: relyingPartyOf(deps),
    challenge: loginId,
    userHandle: userHandleOf(device.suid),
  });
  const isCopy = db.transaction((tx) => {
    requireActive(tx, device);
    const hasCountedOn = passkeyRepo.advancePasskey(tx, orgCode, { zid: device.zid, ...proven });
    settle(deps, tx, login, device, hasCountedOn ? APPROVED : COPIED);
    return !hasCountedOn;
  });
  announceChallenge(deps, { id: loginId, suid: device.suid });
  // Throw after the commit, so that the history records the attempt with a copied passkey.
  if (isCopy) throw new Refusal('SIGNATURE_MISMATCH');
  return { deviceName: device.name };
}

function requireOpen(deps: Deps, loginId: string, ip: string): challengeRepo.ChallengeRow {
  const login = requireLogin(deps, loginId);
  if (login.mode !== 'WEBAUTHN') throw new Refusal('ID_DOESNOT_EXIST');
  if (outcomeOf(login, deps.clock.now()) !== 'pending') throw new Refusal('EXPIRED');
  const organisation = organisationRepo.findOrganisation(deps.db, login.orgCode);
  if (!organisation) throw new Refusal('ORG_CODE_NOT_FOUND');
  requireAllowedIp(ip, organisation);
  requireSignInMethod(policyOfSignIn(deps.db, organisation, login), 'webAuthnEnabled');
  return login;
}

/** Verdict for a lower counter, which means that the passkey was copied. */
const COPIED: Verdict = { status: 'denied', result: 'SIGNATURE_MISMATCH', reason: 'copied-passkey' };
