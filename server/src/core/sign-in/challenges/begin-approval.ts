import { hash } from 'node:crypto';
import { challengeRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { LIMITS, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { approversOf, requireConfirmedDevice } from '../new-devices.ts';
import { beginChallenge, type Requester } from './begin.ts';
import { drawMatchNumbers } from './codes.ts';

/** An action to approve on a registered device, once, within a time limit and with exactly this content. */
export interface ApprovableAction {
  orgCode: string;
  /** The member whose device can approve the action. */
  suid: string;
  /** Action type, e.g. `save-oidc-configuration`. */
  action: string;
  /** Values to approve. The approval is invalid if any of them changes. */
  content: object;
}

/** Response to the browser, which waits for the approval. */
export interface StartedApproval {
  approvalId: string;
  matchNumber: string;
  /** Lifetime, in seconds. */
  idTimeout: number;
}

type Person = Pick<ApprovableAction, 'orgCode' | 'suid'>;

/** Returns true if the member has a device that can approve requests. Passkeys and new devices can't. */
export function canApprove({ clock }: Pick<Deps, 'clock'>, tx: Tx, { orgCode, suid }: Person): boolean {
  const organisation = organisationRepo.requireOrganisation(tx, orgCode);
  return approversOf(tx, organisation, suid, clock.now()).ready.length > 0;
}

/**
 * Requires a device that can approve requests.
 * @throws Refusal FORBIDDEN if the member has none; AUTHENTICATION_INCOMPLETE if all their devices are new
 */
export function requireApprover({ clock }: Pick<Deps, 'clock'>, tx: Tx, { orgCode, suid }: Person): void {
  const now = clock.now();
  const approvers = approversOf(tx, organisationRepo.requireOrganisation(tx, orgCode), suid, now);
  if (approvers.ready.length > 0) return;
  for (const device of approvers.new) requireConfirmedDevice(device, now);
  throw new Refusal('FORBIDDEN', { message: 'You need a registered device to approve this. Add one and try again.' });
}

/** Returns true if the member has reached the limit of pending requests. */
export function hasMaxPendingRequests({ clock }: Pick<Deps, 'clock'>, tx: Tx, { orgCode, suid }: Person) {
  const waiting = challengeRepo.listWaitingChallenges(tx, orgCode, suid, clock.now());
  return waiting.filter(({ kind }) => kind === 'approval').length >= LIMITS.pushesWaiting;
}

/**
 * Sends an approval request to the member's devices. Call it in a transaction, and `announceChallenge` after the
 * commit.
 * @param statement sentence displayed on the device
 */
export function beginApproval(
  deps: Deps,
  tx: Tx,
  { content, ...about }: ApprovableAction,
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

/**
 * Uses up an approval. Returns false if there is no approval, or if it is for other content, too old or already used.
 */
export function claimApproval(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { orgCode, content, ...about }: ApprovableAction,
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
 * Returns true if the member approved this content within the last `seconds`. Unlike `claimApproval`, it doesn't use
 * the approval up, which lets one approval cover several actions in a session.
 */
export function isApproved(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { orgCode, suid, action, content }: ApprovableAction,
  id: string,
  seconds: number,
): boolean {
  const approval = challengeRepo.findChallenge(tx, orgCode, id);
  if (approval?.kind !== 'approval' || approval.status !== 'approved' || approval.answeredAt === null) return false;
  const isMatch = approval.suid === suid && approval.action === action && approval.contentHash === contentHash(content);
  return isMatch && approval.answeredAt > clock.now() - seconds * SECOND;
}

/** Hashes the content, regardless of the order of its keys. */
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
