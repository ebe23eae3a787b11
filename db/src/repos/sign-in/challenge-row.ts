import type { ResultName } from '@orchestrate/shared';
import { and, eq, gt, inArray, or, sql } from '#drizzle';
import { challenges } from '../../schema/challenges.ts';

export type ChallengeRow = typeof challenges.$inferSelect;
export type NewChallenge = Omit<
  typeof challenges.$inferInsert,
  'status' | 'resultCode' | 'resolvedAt' | 'answeredAt' | 'exchangedAt' | 'pairing' | 'pairingId'
>;

/** Condition for challenges that can still change: unanswered and not expired. */
export const isOpenAt = (now: number | ReturnType<typeof sql.placeholder>) =>
  and(eq(challenges.status, 'pending'), gt(challenges.expiresAt, now));
/** `isOpenAt` for prepared statements, with the placeholder `now`. */
export const isOpen = isOpenAt(sql.placeholder('now'));

/** Result of a request whose client stopped waiting for it. */
export const WITHDRAWN_RESULT = 'EXPIRED' as const satisfies ResultName;

/**
 * Condition for pushes that count towards a limit: open, or withdrawn but not yet expired. If withdrawn pushes didn't
 * count, a program could prompt a person's devices without limit by hanging up each time.
 */
export const isCountedAt = (now: number | ReturnType<typeof sql.placeholder>) =>
  and(
    inArray(challenges.status, ['pending', 'cancelled']),
    gt(challenges.expiresAt, now),
    or(eq(challenges.status, 'pending'), eq(challenges.resultCode, WITHDRAWN_RESULT)),
  );
