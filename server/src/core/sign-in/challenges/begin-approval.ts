import { hash } from 'node:crypto';
import { challengeRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { approversOf, requireConfirmed } from '../new-devices.ts';
import { beginChallenge, type Requester } from './begin.ts';
import { drawMatchNumbers } from './codes.ts';

/** An action to approve on a registered device: once, within a time limit, and with exactly this content. */
export interface Approvable {
  orgCode: string;
  /** The member whose device answers. */
  suid: string;
  /** Kind of action, e.g. `save-oidc-configuration`. */
  action: string;
  /** The approved values. If any of them differs, the approval is invalid. */
  content: object;
}

/** The response to the browser. */
export interface StartedApproval {
  approvalId: string;
  matchNumber: string;
  /** Lifetime, in seconds. */
  idTimeout: number;
}

type Person = Pick<Approvable, 'orgCode' | 'suid'>;

/** Returns true if the member has a device that can answer; passkeys and new devices can't. */
export function canApprove({ clock }: Pick<Deps, 'clock'>, tx: Tx, { orgCode, suid }: Person): boolean {
  const organisation = organisationRepo.requireOrganisation(tx, orgCode);
  return approversOf(tx, organisation, suid, clock.now()).ready.length > 0;
}

/**
 * Requires a device that can answer requests.
 * @throws Refusal FORBIDDEN if the member has none; AUTHENTICATION_INCOMPLETE if all of them are new
 */
export function requireApprover({ clock }: Pick<Deps, 'clock'>, tx: Tx, { orgCode, suid }: Person): void {
  const now = clock.now();
  const approvers = approversOf(tx, organisationRepo.requireOrganisation(tx, orgCode), suid, now);
  if (approvers.ready.length > 0) return;
  for (const device of approvers.new) requireConfirmed(device, now);
  throw new Refusal('FORBIDDEN', { message: 'This requires approval on a registered device, and you have none.' });
}

/** Returns true if the member has the maximum number of pending requests. */
export function isBusy({ clock }: Pick<Deps, 'clock'>, tx: Tx, { orgCode, suid }: Person) {
  const waiting = challengeRepo.listWaitingChallenges(tx, orgCode, suid, clock.now());
  return waiting.filter(({ kind }) => kind === 'approval').length >= LIMITS.pushesWaiting;
}

/**
 * Sends an approval request to the member's devices. Call it in a transaction, and `announceChallenge` after it.
 * @param statement the sentence that the device displays
 */
export function beginApproval(
  deps: Deps,
  tx: Tx,
  { content, ...about }: Approvable,
  { statement, requester }: { statement: string; requester: Requester },
): StartedApproval {
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

/** Uses up an approval. Returns false if it is missing, for something else, too old or used before. */
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
 * Returns true if the member approved this within the last `seconds`. Unlike `claimApproval`, doesn't use the approval
 * up, so that it covers several actions of a session.
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

/** Hashes values regardless of their order. */
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
