import { activationCodeRepo, memberRepo, type organisationRepo, type Tx } from '@orchestrate/db';
import { activateClaims, type DeviceDescription, LIMITS, type PublicKey, type ResultName } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { deviceObstacle, requireNone } from '../../devices/device-admission.ts';
import { registerDevice } from '../../devices/register-device.ts';
import { networkOf } from '../../http/network-of.ts';
import { Refusal } from '../../http/refusal.ts';
import { TOPIC } from '../../live/bus.ts';
import { requireNewKey } from './new-key-proof.ts';

export interface ActivateRequest {
  orgCode: string;
  email: string;
  activationCode: string;
  device: DeviceDescription;
  publicKey: PublicKey;
  proof: string;
  /** From where it is asked. */
  ip: string;
}

export interface ActivatedDevice {
  zid: string;
  organisation: organisationRepo.OrganisationRow;
  member: memberRepo.MemberRow;
}

/**
 * Registers a device with an activation code: the code is used up, the device written and its person active, together.
 * @throws Refusal 18, 4, 10 as `requireNewKey`; 8 unknown e-mail; 9 no code; 11 locked; 10 expired; 62 another person's
 * code; 33 wrong; 57, 88, 56, 36, 17, 29, 35 although the code is right, which is then still to be used
 */
export function activateDevice(deps: Deps, request: ActivateRequest): ActivatedDevice {
  const { db, bus, random } = deps;
  const { organisation, thumbprint, claims } = requireNewKey(deps, request, activateClaims);
  const { email, device, publicKey } = request;
  if (claims.email !== email) throw new Refusal('SIGNATURE_MISMATCH');
  const { orgCode } = organisation;
  const activated = db.transaction(
    (tx): ActivatedDevice | { wrong: ResultName } => {
      const member = requireMember(tx, orgCode, email);
      const wrong = tryCode(deps, tx, member, request);
      // Returned, not thrown: the try that it counts must stay.
      if (wrong) return { wrong };
      requireNone(deviceObstacle(tx, { organisation, member, type: device.type, thumbprint }));
      const zid = random.id();
      registerDevice(deps, tx, { zid, organisation, member, device, publicKey, thumbprint });
      memberRepo.activateMember(tx, orgCode, member.suid);
      return { zid, organisation, member: memberRepo.findMember(tx, orgCode, member.suid) ?? member };
    },
    { behavior: 'immediate' },
  );
  if ('wrong' in activated) throw new Refusal(activated.wrong);
  bus.changed(TOPIC.member(activated.member.suid));
  bus.changed(TOPIC.outbox);
  return activated;
}

function requireMember(tx: Tx, orgCode: string, email: string): memberRepo.MemberRow {
  const member = memberRepo.findMemberByEmail(tx, orgCode, email);
  if (!member || member.accountStatus === 'deleted') throw new Refusal('ORG_EMAIL_NOT_FOUND');
  // Whatever code there is or is not: it would not help him.
  if (member.accountStatus === 'unverified') throw new Refusal('MOBILE_UNVERIFIED');
  return member;
}

/** @returns what is wrong with the code, after its try has been counted; undefined for the right one, now used up */
function tryCode(
  { clock }: Deps,
  tx: Tx,
  { orgCode, suid }: memberRepo.MemberRow,
  { activationCode, device: { type }, ip }: ActivateRequest,
): ResultName | undefined {
  const now = clock.now();
  const code = activationCode.replace(/[\s-]/g, '');
  const tried = activationCodeRepo.tryActivationCode(
    tx,
    { orgCode, suid, type, code, network: networkOf(ip) },
    { allowed: { fromOneNetwork: LIMITS.activationCodeTries, inAll: LIMITS.activationCodeTriesInAll }, now },
  );
  if (tried === 'right') return undefined;
  if (tried === undefined)
    throw new Refusal(obstacleOf(activationCodeRepo.findActivationCode(tx, orgCode, suid, type)));
  const isAnothers = activationCodeRepo.isCodeOfAnother(tx, { orgCode, suid, code }, now);
  return isAnothers ? 'EMAIL_OR_CODE_MISMATCH' : 'ACTIVATION_CODE_MISMATCH';
}

/** Why a code could not even be tried. */
function obstacleOf(code: activationCodeRepo.ActivationCodeRow | undefined): ResultName {
  if (!code || code.usedAt !== null) return 'ACTIVATION_CODE_NOT_FOUND';
  return code.wrongTries >= LIMITS.activationCodeTries ? 'ACCOUNT_LOCKED' : 'EXPIRED';
}
