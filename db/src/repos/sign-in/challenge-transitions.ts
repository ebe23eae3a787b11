import type { ResultName } from '@orchestrate/shared';
import { and, eq, gt, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { type ChallengeKind, challenges, type PairingRequest } from '../../schema/challenges.ts';
import { type ChallengeRow, isOpen, isOpenAt } from './challenge-row.ts';

const given = sql.placeholder;

/** The member and device that a challenge belongs to once a device has opened it. */
export interface OpenedBy {
  suid: string;
  zid: string;
  deviceName: string;
}

const claim = drizzleStatement((db) =>
  db
    .update(challenges)
    .set({
      suid: sql`${given('suid')}`,
      zid: sql`${given('zid')}`,
      deviceName: sql`${given('deviceName')}`,
      resolvedAt: sql`coalesce(${challenges.resolvedAt}, ${given('now')})`,
    })
    .where(
      and(
        eq(challenges.orgCode, given('orgCode')),
        eq(challenges.id, given('id')),
        isOpen,
        or(isNull(challenges.zid), eq(challenges.zid, given('zid'))),
      ),
    )
    .returning()
    .prepare(),
);

/** Opens a challenge for the first device that scanned or typed its code; undefined for any other device. */
export function claimChallengeForDevice(
  tx: Tx,
  orgCode: string,
  id: string,
  { suid, zid, deviceName }: OpenedBy,
  now: number,
): ChallengeRow | undefined {
  return claim(tx).get({ orgCode, id, suid, zid, deviceName, now });
}

export interface Answer extends Partial<OpenedBy> {
  status: 'approved' | 'denied' | 'cancelled';
  /** Name of the result that explains why it was denied or cancelled. */
  resultCode: ResultName | null;
}

const answer = drizzleStatement((db) =>
  db
    .update(challenges)
    .set({
      status: sql`${given('status')}`,
      resultCode: sql`${given('resultCode')}`,
      suid: sql`coalesce(${given('suid')}, ${challenges.suid})`,
      zid: sql`coalesce(${given('zid')}, ${challenges.zid})`,
      deviceName: sql`coalesce(${given('deviceName')}, ${challenges.deviceName})`,
      answeredAt: sql`${given('now')}`,
    })
    .where(and(eq(challenges.orgCode, given('orgCode')), eq(challenges.id, given('id')), isOpen))
    .returning()
    .prepare(),
);

/** Answers a challenge, once: undefined where it has already been answered or has expired. */
export function answerChallenge(
  tx: Tx,
  orgCode: string,
  id: string,
  { status, resultCode, suid = undefined, zid = undefined, deviceName = undefined }: Answer,
  now: number,
): ChallengeRow | undefined {
  return answer(tx).get({
    orgCode,
    id,
    status,
    resultCode,
    suid: suid ?? null,
    zid: zid ?? null,
    deviceName: deviceName ?? null,
    now,
  });
}

/** Claims an add-device code for the first device that connects with it; undefined for any other device. */
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
    .set({ exchangedAt: sql`${given('now')}` })
    .where(
      and(
        eq(challenges.id, given('id')),
        eq(challenges.status, 'approved'),
        isNull(challenges.exchangedAt),
        gt(challenges.answeredAt, given('answeredAfter')),
      ),
    )
    .returning()
    .prepare(),
);

/** Claims an approved sign-in to exchange it for tokens, once, where it was approved after `answeredAfter`. */
export function claimChallengeExchange(
  tx: Tx,
  id: string,
  { answeredAfter, now }: { answeredAfter: number; now: number },
): ChallengeRow | undefined {
  return exchange(tx).get({ id, answeredAfter, now });
}

/** Who gave an approval, and for exactly what. */
export interface ApprovalOf {
  id: string;
  suid: string;
  action: string;
  contentHash: string;
}

/** Uses an approval, once, where this person gave it after `answeredAfter` for exactly this. */
export function claimApproval(
  tx: Tx,
  orgCode: string,
  { id, suid, action, contentHash }: ApprovalOf,
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

/** Cancels sign-ins that have not been exchanged, approved ones too; true for one that could still be cancelled. */
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

/** Which open challenges of an organisation to cancel. */
export type OpenChallengesOf =
  | { suid: string; kind?: ChallengeKind; mode?: ChallengeRow['mode'] }
  | { zid: string }
  | { id: string };

/** Cancels open challenges and returns their ids. */
export function cancelChallenges(
  tx: Tx,
  orgCode: string,
  which: OpenChallengesOf,
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

function selection(which: OpenChallengesOf): SQL | undefined {
  if ('zid' in which) return eq(challenges.zid, which.zid);
  if ('id' in which) return eq(challenges.id, which.id);
  const { suid, kind, mode } = which;
  return and(eq(challenges.suid, suid), kind && eq(challenges.kind, kind), mode && eq(challenges.mode, mode));
}
