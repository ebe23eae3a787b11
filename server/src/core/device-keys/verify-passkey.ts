import type { passkeyRepo } from '@orchestrate/db';
import { type NewPasskey, type PasskeyAssertion, readJson } from '@orchestrate/shared';
import { z } from 'zod';
import { Refusal } from '#platform/refusal.ts';
import type { RelyingParty } from './relying-party.ts';

/**
 * Accepted signature algorithms, best first: Ed25519, P-256 and, for older Windows versions, RSA (RFC 9053, RFC
 * 8812).
 */
export const PASSKEY_ALGORITHMS = [-8, -7, -257] as const;

/** The portal requests no extensions and ignores extension results. */
const NO_EXTENSIONS = { clientExtensionResults: {} };

/** The expected context for a response. */
interface Expected {
  relyingParty: RelyingParty;
  /** Challenge in base64url, as sent to the browser. */
  challenge: string;
}

/** A newly created passkey. */
export interface VerifiedPasskey {
  credential: Omit<passkeyRepo.PasskeyRow, 'zid' | 'orgCode'>;
  /** UUID of the authenticator model. All zeros if the model isn't disclosed. */
  aaguid: string;
}

/**
 * Verifies a new passkey (W3C Web Authentication Level 3 §7.1): type, challenge, origin, host, user presence and
 * verification, algorithm, backup flags. The portal requests no attestation, so any authenticator is accepted.
 * @throws Refusal SIGNATURE_MISMATCH if any check fails
 */
export async function verifyNewPasskey(
  passkey: NewPasskey,
  { relyingParty, challenge }: Expected,
): Promise<VerifiedPasskey> {
  requireUnframed(passkey.response.clientDataJSON);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = await orMismatch(() =>
    verifyRegistrationResponse({
      response: { ...passkey, ...NO_EXTENSIONS },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origins,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    }),
  );
  if (!verified.verified) throw new Refusal('SIGNATURE_MISMATCH');
  const { credential, aaguid, credentialBackedUp: backedUp, credentialDeviceType } = verified.registrationInfo;
  const { id: credentialId, counter } = credential;
  const transports = passkey.response.transports ?? [];
  return {
    credential: {
      credentialId,
      publicKey: Buffer.from(credential.publicKey),
      counter,
      transports,
      backedUp,
      backupEligible: credentialDeviceType === 'multiDevice',
    },
    aaguid,
  };
}

/**
 * Verifies a passkey assertion by the member `userHandle` (base64url) according to W3C Web Authentication Level 3
 * §7.2: type, challenge, origin, host, user presence and verification, signature, backup flags. The caller must still
 * check the returned signature count, which reveals copies of the passkey.
 * @throws Refusal SIGNATURE_MISMATCH if any check fails
 */
export async function verifyPasskey(
  assertion: PasskeyAssertion,
  { credentialId: id, publicKey, backupEligible: known }: passkeyRepo.PasskeyRow,
  { relyingParty, challenge, userHandle }: Expected & { userHandle: string },
): Promise<Pick<passkeyRepo.PasskeyRow, 'counter' | 'backedUp' | 'backupEligible'>> {
  // The sign-in started without a user name, so the passkey must identify its owner (§7.2 step 6).
  if (assertion.response.userHandle !== userHandle) throw new Refusal('SIGNATURE_MISMATCH');
  requireHere(assertion.response.clientDataJSON, relyingParty);
  requireUnframed(assertion.response.clientDataJSON);
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await orMismatch(() =>
    verifyAuthenticationResponse({
      response: { ...assertion, ...NO_EXTENSIONS },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origins,
      expectedRPID: relyingParty.id,
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: true,
    }),
  );
  if (!verified) throw new Refusal('SIGNATURE_MISMATCH');
  const { newCounter: counter, credentialBackedUp: backedUp, credentialDeviceType } = authenticationInfo;
  const backupEligible = credentialDeviceType === 'multiDevice';
  // Backup eligibility is fixed when the passkey is created (§7.2), so a different value is rejected.
  if (known !== null && known !== backupEligible) throw new Refusal('SIGNATURE_MISMATCH');
  return { counter, backedUp, backupEligible };
}

/**
 * Requires that the passkey wasn't used in a frame on another site. The portal is never framed (decision 013; §7.1,
 * §7.2).
 * @throws Refusal SIGNATURE_MISMATCH
 */
function requireUnframed(clientDataJSON: string): void {
  const clientData = z
    .object({ crossOrigin: z.literal(false).optional(), topOrigin: z.undefined().optional() })
    .safeParse(readJson(Buffer.from(clientDataJSON, 'base64url').toString()));
  if (!clientData.success) throw new Refusal('SIGNATURE_MISMATCH');
}

/**
 * Checks the origin before the library does, because the library's messages aren't written for users.
 * @throws Refusal SIGNATURE_MISMATCH if the origin isn't the portal's
 */
function requireHere(clientDataJSON: string, { origins }: RelyingParty): void {
  const clientData = z
    .object({ origin: z.string() })
    .safeParse(readJson(Buffer.from(clientDataJSON, 'base64url').toString()));
  if (!clientData.success || origins.includes(clientData.data.origin)) return;
  const message = "This passkey was used at a different address than this portal's.";
  throw new Refusal('SIGNATURE_MISMATCH', { message });
}

/** Maps any library error to SIGNATURE_MISMATCH. The library throws for both rejected and malformed input. */
async function orMismatch<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    throw new Refusal('SIGNATURE_MISMATCH');
  }
}

/** Returns a member's WebAuthn user handle: the member ID, as base64url. */
export const userHandleOf = (suid: string): string => Buffer.from(suid).toString('base64url');
