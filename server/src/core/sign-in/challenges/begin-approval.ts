import { hash } from 'node:crypto';
import { challengeRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { approversOf, requireConfirmed } from '../new-devices.ts';
import { beginChallenge, type Requester } from './begin.ts';
import { drawMatchNumbers } from './codes.ts';

/** Something that a person approves on a registered device: once, soon, and exactly this content. */
export interface Approvable {
  orgCode: string;
  /** Whose device answers. */
  suid: string;
  /** Names the kind of action, e.g. `save-oidc-configuration`. */
  action: string;
  /** Everything that is approved: if one value differs, the approval does not count. */
  content: object;
}

/** What the browser is told about it. */
export interface BegunApproval {
  approvalId: string;
  matchNumber: string;
  /** Seconds. */
  idTimeout: number;
}

type Person = Pick<Approvable, 'orgCode' | 'suid'>;

/** Whether the person has a device that could answer; a passkey or a new device cannot. */
export function canApprove({ clock }: Pick<Deps, 'clock'>, tx: Tx, { orgCode, suid }: Person): boolean {
  const organisation = organisationRepo.requireOrganisation(tx, orgCode);
  return approversOf(tx, organisation, suid, clock.now()).ready.length > 0;
}

/**
 * @throws Refusal FORBIDDEN for a person without a device that answers requests; AUTHENTICATION_INCOMPLETE for one whose
 * devices are all new
 */
export function requireApprover({ clock }: Pick<Deps, 'clock'>, tx: Tx, { orgCode, suid }: Person): void {
  const now = clock.now();
  const approvers = approversOf(tx, organisationRepo.requireOrganisation(tx, orgCode), suid, now);
  if (approvers.ready.length > 0) return;
  for (const device of approvers.new) requireConfirmed(device, now);
  throw new Refusal('FORBIDDEN', { message: 'This requires approval on a registered device, and you have none.' });
}

/** Whether as many requests wait for the person as a phone should ever show: another one would only get in the way. */
export function isBusy({ clock }: Pick<Deps, 'clock'>, tx: Tx, { orgCode, suid }: Person) {
  const waiting = challengeRepo.listWaitingChallenges(tx, orgCode, suid, clock.now());
  return waiting.filter(({ kind }) => kind === 'approval').length >= LIMITS.pushesWaiting;
}

/**
 * Sends the devices of a person a request to approve something. Call it inside a transaction, and `announceChallenge`
 * after it.
 * @param statement what the device says is approved: a sentence
 */
export function beginApproval(
  deps: Deps,
  tx: Tx,
  { content, ...about }: Approvable,
  { statement, requester }: { statement: string; requester: Requester },
): BegunApproval {
  const numbers = drawMatchNumbers(deps.random);
  const lifetimeSeconds = LIMITS.loginLifetimeSeconds;
  const { id } = beginChallenge(deps, tx, {
    ...about,
    ...numbers,
    kind: 'approval',
    mode: 'PUSH',
    codes: [],
    statement,
    contentHash: contentHash(content),
    lifetimeSeconds,
    requester,
  });
  return { approvalId: id, matchNumber: numbers.matchNumber, idTimeout: lifetimeSeconds };
}

/** Uses up an approval; false if it was not given, is not for this, is too old, or was used before. */
export function claimApproval(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { orgCode, content, ...about }: Approvable,
  id: string,
): boolean {
  const now = clock.now();
  const wanted = { ...about, id, contentHash: contentHash(content) };
  return challengeRepo.claimApproval(tx, orgCode, wanted, {
    answeredAfter: now - LIMITS.approvalSeconds * SECOND,
    now,
  });
}

/**
 * Whether the person has approved this within the last `seconds`. Unlike `claimApproval` it doesn't use it up:
 * the approval lets a session do something for a while.
 */
export function isApproved(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { orgCode, suid, action, content }: Approvable,
  id: string,
  seconds: number,
): boolean {
  const approval = challengeRepo.findChallenge(tx, orgCode, id);
  if (approval?.kind !== 'approval' || approval.status !== 'approved' || approval.answeredAt === null) return false;
  const isMatch = approval.suid === suid && approval.action === action && approval.contentHash === contentHash(content);
  return isMatch && approval.answeredAt > clock.now() - seconds * SECOND;
}

/** The same hash for the same values, whatever their order. */
export const contentHash = (content: object): string => hash('sha256', JSON.stringify(sorted(content)), 'base64url');

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
