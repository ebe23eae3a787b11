import type { passkeyRepo } from '@orchestrate/db';
import { type NewPasskey, type PasskeyAssertion, readJson } from '@orchestrate/shared';
import { z } from 'zod';
import { Refusal } from '#platform/refusal.ts';
import type { RelyingParty } from './relying-party.ts';

/**
 * The signature algorithms that the portal accepts, best first: Ed25519, P-256 and, for older Windows, RSA (RFC 9053,
 * RFC 8812).
 */
export const PASSKEY_ALGORITHMS = [-8, -7, -257] as const;

/** The portal requests no extensions, so their results are ignored. */
const NO_EXTENSIONS = { clientExtensionResults: {} };

/** The expected context of a response. */
interface Expected {
  relyingParty: RelyingParty;
  /** Base64url, as sent to the browser. */
  challenge: string;
}

/** A newly created passkey. */
export interface VerifiedPasskey {
  credential: Omit<passkeyRepo.PasskeyRow, 'zid' | 'orgCode'>;
  /** UUID of the authenticator model; zeros if it isn't disclosed. */
  aaguid: string;
}

/**
 * Verifies a new passkey (W3C Web Authentication Level 3 §7.1): type, challenge, origin, host, presence and
 * verification of its owner, algorithm, backup flags. No attestation is requested: any authenticator is accepted.
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
 * Verifies a passkey assertion (W3C Web Authentication Level 3 §7.2) of the member `userHandle`, base64url: type,
 * challenge, origin, host, presence and verification of its owner, signature, backup flags. The caller must still check
 * the returned signature count, which reveals copies of the passkey.
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
  // §7.2: backup eligibility is fixed when the passkey is created.
  if (known !== null && known !== backupEligible) throw new Refusal('SIGNATURE_MISMATCH');
  return { counter, backedUp, backupEligible };
}

/**
 * Requires that the passkey was not used in a frame of another site, where the portal never is (decision 013; §7.1,
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
 * Checks the origin before the library does, whose messages are not for users.
 * @throws Refusal SIGNATURE_MISMATCH if it is a different one
 */
function requireHere(clientDataJSON: string, { origins }: RelyingParty): void {
  const clientData = z
    .object({ origin: z.string() })
    .safeParse(readJson(Buffer.from(clientDataJSON, 'base64url').toString()));
  if (!clientData.success || origins.includes(clientData.data.origin)) return;
  const message = "This passkey was used at a different address than this portal's.";
  throw new Refusal('SIGNATURE_MISMATCH', { message });
}

/** Maps any error of the library to SIGNATURE_MISMATCH: it throws for rejected and for malformed input. */
async function orMismatch<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    throw new Refusal('SIGNATURE_MISMATCH');
  }
}

/** Returns the WebAuthn user handle of a member: the id, as base64url. */
export const userHandleOf = (suid: string): string => Buffer.from(suid).toString('base64url');
