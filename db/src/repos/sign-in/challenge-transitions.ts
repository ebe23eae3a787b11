import type { ResultName } from '@orchestrate/shared';
import { and, eq, gt, inArray, isNull, or, type SQL, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { type ChallengeKind, challenges, type PairingRequest } from '../../schema/challenges.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import { type ChallengeRow, isOpen, isOpenAt } from './challenge-row.ts';

const param = sql.placeholder;

/** The member and the device that opened a challenge. */
export interface ChallengeOpener {
  suid: string;
  zid: string;
  deviceName: string;
}

const claim = drizzleStatement((db) =>
  db
    .update(challenges)
    .set({
      suid: sql`${param('suid')}`,
      zid: sql`${param('zid')}`,
      deviceName: sql`${param('deviceName')}`,
      resolvedAt: sql`coalesce(${challenges.resolvedAt}, ${param('now')})`,
    })
    .where(
      and(
        eq(challenges.orgCode, param('orgCode')),
        eq(challenges.id, param('id')),
        isOpen,
        or(isNull(challenges.zid), eq(challenges.zid, param('zid'))),
      ),
    )
    .prepare(),
);

/** Opens a challenge for the first device to scan or type its code. Returns false for any other device. */
export function claimChallengeForDevice(
  tx: Tx,
  orgCode: string,
  id: string,
  { suid, zid, deviceName }: ChallengeOpener,
  now: number,
): boolean {
  return claim(tx).run({ orgCode, id, suid, zid, deviceName, now }).changes === 1;
}

export interface ChallengeAnswer extends Partial<ChallengeOpener> {
  status: 'approved' | 'denied' | 'cancelled';
  /** Result that explains why the challenge was denied or cancelled. */
  resultCode: ResultName | null;
}

const answer = drizzleStatement((db) =>
  db
    .update(challenges)
    .set({
      status: sql`${param('status')}`,
      resultCode: sql`${param('resultCode')}`,
      suid: sql`coalesce(${param('suid')}, ${challenges.suid})`,
      zid: sql`coalesce(${param('zid')}, ${challenges.zid})`,
      deviceName: sql`coalesce(${param('deviceName')}, ${challenges.deviceName})`,
      answeredAt: sql`${param('now')}`,
    })
    .where(and(eq(challenges.orgCode, param('orgCode')), eq(challenges.id, param('id')), isOpen))
    .prepare(),
);

/** Answers a challenge. Returns false if the challenge has already been answered or has expired. */
export function answerChallenge(
  tx: Tx,
  orgCode: string,
  id: string,
  { status, resultCode, suid = undefined, zid = undefined, deviceName = undefined }: ChallengeAnswer,
  now: number,
): boolean {
  const row = { suid: suid ?? null, zid: zid ?? null, deviceName: deviceName ?? null };
  return answer(tx).run({ orgCode, id, status, resultCode, ...row, now }).changes === 1;
}

/** Claims an add-device code for the first device to connect with it. Returns undefined for any other device. */
export function claimChallengeForPairing(
  tx: Tx,
  orgCode: string,
  id: string,
  { pairing, expiresAt, now }: { pairing: PairingRequest; expiresAt: number; now: number },
): ChallengeRow | undefined {
  return tx
    .update(challenges)
    .set({ pairing, pairingId: pairing.pairingId, deviceName: pairing.device.name, resolvedAt: now, expiresAt })
    .where(and(eq(challenges.orgCode, orgCode), eq(challenges.id, id), isOpenAt(now), isNull(challenges.pairingId)))
    .returning()
    .get();
}

const exchange = drizzleStatement((db) =>
  db
    .update(challenges)
    .set({ exchangedAt: sql`${param('now')}` })
    .where(
      and(
        eq(challenges.id, param('id')),
        eq(challenges.status, 'approved'),
        isNull(challenges.exchangedAt),
        gt(challenges.answeredAt, param('answeredAfter')),
      ),
    )
    .prepare(),
);

/**
 * Claims an approved sign-in so it can be exchanged for tokens. Works only once, and only if it was approved after
 * `answeredAfter`.
 */
export function claimChallengeExchange(
  tx: Tx,
  id: string,
  { answeredAfter, now }: { answeredAfter: number; now: number },
): boolean {
  return exchange(tx).run({ id, answeredAfter, now }).changes === 1;
}

/** Identifies an approval by its member, its action and its exact content. */
export interface ApprovalKey {
  id: string;
  suid: string;
  action: string;
  contentHash: string;
}

/**
 * Consumes an approval. Works only once, and only if this member approved exactly this content after `answeredAfter`.
 */
export function claimApproval(
  tx: Tx,
  orgCode: string,
  { id, suid, action, contentHash }: ApprovalKey,
  { answeredAfter, now }: { answeredAfter: number; now: number },
): boolean {
  const claimed = tx
    .update(challenges)
    .set({ exchangedAt: now })
    .where(
      and(
        eq(challenges.id, id),
        eq(challenges.orgCode, orgCode),
        eq(challenges.kind, 'approval'),
        eq(challenges.suid, suid),
        eq(challenges.action, action),
        eq(challenges.contentHash, contentHash),
        eq(challenges.status, 'approved'),
        isNull(challenges.exchangedAt),
        gt(challenges.answeredAt, answeredAfter),
      ),
    )
    .run();
  return claimed.changes === 1;
}

/**
 * Cancels a sign-in that has not been exchanged, even if it has been approved. Returns true if it could still be
 * cancelled.
 */
export function cancelSignIn(
  tx: Tx,
  orgCode: string,
  id: string,
  { resultCode, now }: { resultCode: ResultName; now: number },
): boolean {
  const cancelled = tx
    .update(challenges)
    .set({ status: 'cancelled', resultCode, answeredAt: now })
    .where(
      and(
        eq(challenges.id, id),
        eq(challenges.orgCode, orgCode),
        inArray(challenges.status, ['pending', 'approved']),
        isNull(challenges.exchangedAt),
      ),
    )
    .run();
  return cancelled.changes === 1;
}

/** Selects the open challenges to cancel. */
export type OpenChallengeFilter =
  | { suid: string; kind?: ChallengeKind; mode?: ChallengeRow['mode'] }
  | { zid: string }
  | { id: string };

/** Cancels open challenges and returns their IDs. */
export function cancelChallenges(
  tx: Tx,
  orgCode: string,
  which: OpenChallengeFilter,
  { resultCode, now }: { resultCode: ResultName; now: number },
): string[] {
  return tx
    .update(challenges)
    .set({ status: 'cancelled', resultCode, answeredAt: now })
    .where(and(eq(challenges.orgCode, orgCode), isOpenAt(now), selection(which)))
    .returning({ id: challenges.id })
    .all()
    .map(({ id }) => id);
}

function selection(which: OpenChallengeFilter): SQL | undefined {
  if ('zid' in which) return eq(challenges.zid, which.zid);
  if ('id' in which) return eq(challenges.id, which.id);
  const { suid, kind, mode } = which;
  return and(eq(challenges.suid, suid), kind && eq(challenges.kind, kind), mode && eq(challenges.mode, mode));
}
