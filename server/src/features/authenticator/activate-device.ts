import { activationCodeRepo, memberRepo, type organisationRepo, type Tx, throttleRepo } from '@orchestrate/db';
import {
  activateClaims,
  type Confirmation,
  DAY,
  type DeviceDescription,
  HOUR,
  LIMITS,
  type PublicKey,
  type ResultName,
} from '@orchestrate/shared';
import { alertAdministrators } from '#core/audit/alert-administrators.ts';
import { memberObject } from '#core/audit/audit-objects.ts';
import { record } from '#core/audit/record.ts';
import { admitDevice } from '#core/device-keys/admit-device.ts';
import { confirmationOf } from '#core/device-keys/confirm-device.ts';
import { countFailure, retryAfterSeconds, THROTTLES, tooManyAttemptsRefusal } from '#core/sign-in/throttles.ts';
import type { Deps } from '#deps.ts';
import { type AuditActor, identifyVisitor } from '#platform/http/callers/actors.ts';
import { networkOf } from '#platform/http/callers/network-of.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { durationInWords } from '#platform/times.ts';
import { requireNewKeyProof } from './device-proof.ts';

const { activation: ORDINARY, 'activation-search': STRICT } = THROTTLES;

/** Number of wrong pairs per hour, across all addresses, that indicates guessing. */
const SEARCH_THRESHOLD = 100;
/**
 * Failure budget shared by all networks. The portal assumes that guessing has stopped once the budget has recovered
 * by an hour's worth, so the capacity is twice the threshold.
 */
const ALL_NETWORKS = { capacity: 2 * SEARCH_THRESHOLD, everyMs: HOUR / SEARCH_THRESHOLD };
const TRUSTED_FOR = DAY;

interface Searched {
  orgCode: string;
  network: string;
}

const ofNetwork = ({ orgCode, network }: Searched) => ({ orgCode, kind: 'activation' as const, subject: network });
const strictOf = ({ orgCode, network }: Searched) => ({
  orgCode,
  kind: 'activation-search' as const,
  subject: network,
});
const ofAll = ({ orgCode }: Searched) => ({ orgCode, kind: 'activation' as const, subject: '*' });

/**
 * Returns true if someone is guessing the organisation's activation codes, because there are more wrong pairs than
 * typing mistakes explain.
 */
function isBeingGuessed({ clock }: Deps, tx: Tx, searched: Searched): boolean {
  const now = clock.now();
  return (
    throttleRepo.effectiveClearAt(tx, ofAll(searched), ALL_NETWORKS, now) - now >=
    SEARCH_THRESHOLD * ALL_NETWORKS.everyMs
  );
}

/**
 * Returns how many seconds a network must wait before it can try a pair, or 0. A network without failures never
 * waits.
 */
function secondsUntilTry(deps: Deps, tx: Tx, searched: Searched): number {
  const ordinary = retryAfterSeconds(deps, tx, ofNetwork(searched));
  if (ordinary > 0 || !isBeingGuessed(deps, tx, searched)) return ordinary;
  const known = throttleRepo.findThrottle(tx, ofNetwork(searched));
  if ((known?.trustedUntil ?? 0) > deps.clock.now()) return 0;
  return retryAfterSeconds(deps, tx, strictOf(searched));
}

/** Counts a wrong pair and, from the hundredth in an hour, alerts the administrators. */
function countWrongPair(deps: Deps, tx: Tx, searched: Searched, actor: AuditActor): void {
  const now = deps.clock.now();
  throttleRepo.recordFailure(tx, ofNetwork(searched), ORDINARY, now);
  throttleRepo.recordFailure(tx, strictOf(searched), STRICT, now);
  throttleRepo.recordFailure(tx, ofAll(searched), ALL_NETWORKS, now);
  if (isBeingGuessed(deps, tx, searched)) alertOfSearch(deps, tx, { ...actor, orgCode: searched.orgCode });
}

/**
 * Offsets two of the network's wrong pairs with a correct pair. Also trusts the network, which exempts it from the
 * stricter limit while someone is guessing the organisation's codes.
 */
function countRightPair({ clock }: Deps, tx: Tx, searched: Searched): void {
  const now = clock.now();
  const known = throttleRepo.effectiveClearAt(tx, ofNetwork(searched), ORDINARY, now);
  const clearAt = Math.max(known - 2 * ORDINARY.everyMs, now);
  throttleRepo.trustSubject(tx, ofNetwork(searched), { clearAt, trustedUntil: now + TRUSTED_FOR });
}

function alertOfSearch(deps: Deps, tx: Tx, actor: AuditActor): void {
  const { orgCode, ip } = actor;
  alertAdministrators(deps, tx, identifyVisitor(actor, orgCode, ''), {
    action: 'attack.activation-guessing',
    object: { type: 'attack', id: 'activation-guessing', name: 'Activation codes' },
    after: { wrongCodesInAnHour: SEARCH_THRESHOLD, lastAddress: ip },
    isOngoing: true,
    texts: {
      en: {
        subject: 'someone is guessing activation codes',
        what: `${SEARCH_THRESHOLD} wrong activation codes were entered within an hour. Addresses that entered wrong codes are now slowed down. People who enter the right code aren't affected.`,
        details: [['Last address', ip]],
        advice:
          "Under Manage Settings › Security you can limit the addresses people can join from. If a code is locked, issue a new one on the member's page.",
      },
      de: {
        subject: 'Jemand rät Aktivierungscodes',
        what: `Innerhalb einer Stunde wurden ${SEARCH_THRESHOLD} falsche Aktivierungscodes eingegeben. Adressen, von denen falsche Codes kamen, werden jetzt gebremst; wer den richtigen Code eingibt, wird nicht aufgehalten.`,
        details: [['Letzte Adresse', ip]],
        advice:
          'Unter „Verwaltung › Sicherheit“ können Sie die Adressen einschränken, von denen aus Personen beitreten dürfen. Einen gesperrten Code können Sie auf der Seite des Mitglieds neu ausstellen.',
      },
    },
  });
}

export interface ActivateRequest {
  orgCode: string;
  email: string;
  activationCode: string;
  device: DeviceDescription;
  publicKey: PublicKey;
  proof: string;
}

export interface ActivatedDevice {
  zid: string;
  confirmation: Confirmation | undefined;
  organisation: organisationRepo.OrganisationRow;
  member: memberRepo.MemberRow;
}

/**
 * Registers a device with an activation code: uses up the code, stores the device and activates its member in one
 * transaction. An unknown client only learns that a pair is wrong (decision 143).
 * @throws Refusal as `requireNewKeyProof`; BAD_REQUEST (HTTP 429) for too many wrong pairs; ACTIVATION_CODE_MISMATCH for a
 * wrong pair; ACCOUNT_LOCKED for too many wrong pairs for this email; the exact reason if the organisation discloses
 * that the email is unknown or not verified, or that the code was never issued or has expired; an error if the code
 * is right but the device can't be registered, which leaves the code valid
 */
export function activateDevice(
  deps: Deps,
  request: ActivateRequest,
  actor: AuditActor,
  userAgent: string,
): ActivatedDevice {
  const { db, bus } = deps;
  const { organisation, thumbprint, claims } = requireNewKeyProof(deps, request, activateClaims);
  const { email, device, publicKey } = request;
  if (claims.email !== email) throw new Refusal('SIGNATURE_MISMATCH');
  const { orgCode } = organisation;
  const network = networkOf(actor.ip);
  const activated = db.transaction((tx): ActivatedDevice | { refusal: Refusal } => {
    const seconds = secondsUntilTry(deps, tx, { orgCode, network });
    if (seconds > 0) throw tooManyAttemptsRefusal(seconds, tooManyWrongPairs(seconds));
    const tried = tryPair(deps, tx, organisation, { ...request, network });
    if ('wrong' in tried) {
      countWrongPair(deps, tx, { orgCode, network }, actor);
      // The refusal is returned rather than thrown, because throwing would roll back the failure count.
      return { refusal: new Refusal(disclosedResultOf(deps, tx, organisation, { ...tried, ...request, network })) };
    }
    const { member, isOwn } = tried;
    // The code proves the member's identity, so record the member as the actor.
    const { suid } = member;
    const person = { ...actor, orgCode, suid, name: memberObject(member).name };
    const added = { organisation, member, device, publicKey, thumbprint };
    const requester = { ip: actor.ip, userAgent };
    const admitted = admitDevice(deps, tx, added, { actor: person, action: 'device.activated', isOwn, requester });
    if ('obstacle' in admitted) throw new Refusal(admitted.obstacle);
    memberRepo.activateMember(tx, orgCode, suid);
    recordActivated(deps, tx, person, member);
    countRightPair(deps, tx, { orgCode, network });
    const { zid } = admitted;
    return {
      zid,
      organisation,
      member: memberRepo.findMember(tx, orgCode, suid) ?? member,
      confirmation: confirmationOf(deps, tx, { orgCode, zid }),
    };
  });
  bus.changed(TOPIC.outbox);
  if ('refusal' in activated) throw activated.refusal;
  bus.changed(TOPIC.member(activated.member.suid));
  return activated;
}

function recordActivated(deps: Deps, tx: Tx, actor: AuditActor, member: memberRepo.MemberRow): void {
  const now = memberRepo.findMember(tx, member.orgCode, member.suid) ?? member;
  record(deps, tx, actor, {
    action: 'member.activated',
    object: memberObject(member),
    before: { accountStatus: member.accountStatus },
    after: { accountStatus: now.accountStatus },
  });
}

const tooManyWrongPairs = (seconds: number) =>
  `Too many wrong activation codes were entered from your network. Try again in ${durationInWords(seconds)}, or use another network.`;

type Pair = Pick<ActivateRequest, 'email' | 'activationCode' | 'device'> & { network: string };

interface WrongPair {
  wrong: ResultName;
  /** True if the client sent the member's latest code, which only the member can know. */
  isKnownToCaller?: boolean;
}

/**
 * Tries the code and uses it up if it's correct. Runs the same statements for unknown members, so timing reveals
 * nothing.
 */
function tryPair(
  { clock }: Deps,
  tx: Tx,
  { orgCode }: organisationRepo.OrganisationRow,
  { email, activationCode, device: { type }, network }: Pair,
): { member: memberRepo.MemberRow; isOwn: boolean } | WrongPair {
  const member = memberRepo.findMemberByEmail(tx, orgCode, email);
  const code = activationCode.replace(/[\s-]/g, '');
  const suid = member?.suid ?? '';
  const isVerified = member !== undefined && member.accountStatus !== 'unverified';
  const now = clock.now();
  const tried = activationCodeRepo.checkActivationCode(
    tx,
    { orgCode, suid: isVerified ? suid : '', type, code, network },
    { allowed: TRIES_ALLOWED, now },
  );
  const issued = activationCodeRepo.findActivationCode(tx, orgCode, suid, type);
  if (!member) return { wrong: 'ORG_EMAIL_NOT_FOUND' };
  if (!isVerified) return { wrong: 'MOBILE_UNVERIFIED' };
  if (tried === 'right') return { member, isOwn: issued?.isOwn ?? true };
  if (tried === 'wrong') return { wrong: 'ACTIVATION_CODE_MISMATCH' };
  return { wrong: obstacleOf(issued, network), isKnownToCaller: issued?.code === code };
}

const TRIES_ALLOWED = { fromOneNetwork: LIMITS.activationCodeTries, inAll: LIMITS.activationCodeTriesInAll };

/** Returns the reason why a code can't be tried. */
function obstacleOf(code: activationCodeRepo.ActivationCodeRow | undefined, network: string): ResultName {
  if (!code || code.usedAt !== null) return 'ACTIVATION_CODE_NOT_FOUND';
  const fromHere = code.wrongTriesByNetwork[network] ?? 0;
  const isLocked = code.wrongTriesInAll >= TRIES_ALLOWED.inAll || fromHere >= TRIES_ALLOWED.fromOneNetwork;
  return isLocked ? 'ACCOUNT_LOCKED' : 'EXPIRED';
}

/**
 * Returns the result for a wrong pair. If the organisation discloses nothing, every wrong pair looks like a wrong
 * code, and after five for one email like a locked code, whether or not a member, a code or a lock exists.
 */
function disclosedResultOf(
  deps: Deps,
  tx: Tx,
  { orgCode, discloseUnknownUsers }: organisationRepo.OrganisationRow,
  { wrong, isKnownToCaller, email, device: { type }, network }: Pair & WrongPair,
): ResultName {
  if (discloseUnknownUsers || (wrong === 'EXPIRED' && isKnownToCaller)) return wrong;
  const pair = { orgCode, kind: 'activation-pair' as const, subject: `${network} ${type} ${email}` };
  const isLocked = retryAfterSeconds(deps, tx, pair) > 0;
  countFailure(deps, tx, pair);
  return isLocked ? 'ACCOUNT_LOCKED' : 'ACTIVATION_CODE_MISMATCH';
}
