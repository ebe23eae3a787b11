import type { ResultName } from '@orchestrate/shared';
import { and, eq, gt, inArray, or, sql } from 'drizzle-orm';
import { challenges } from '../../schema/challenges.ts';

export type ChallengeRow = typeof challenges.$inferSelect;
export type NewChallenge = Omit<
  typeof challenges.$inferInsert,
  'status' | 'resultCode' | 'resolvedAt' | 'answeredAt' | 'exchangedAt' | 'pairing' | 'pairingId'
>;

/** The condition under which a challenge can still change: it is unanswered and has not expired. */
export const isOpenAt = (now: number | ReturnType<typeof sql.placeholder>) =>
  and(eq(challenges.status, 'pending'), gt(challenges.expiresAt, now));
/** The same for prepared statements, at the placeholder `now`. */
export const isOpen = isOpenAt(sql.placeholder('now'));

/** The result of a request whose caller no longer waits for it. */
export const WITHDRAWN = 'EXPIRED' as const satisfies ResultName;

/**
 * Open, or withdrawn and not yet expired: otherwise a program could prompt a person's devices without limit by hanging
 * up each time.
 */
export const isCountedAt = (now: number | ReturnType<typeof sql.placeholder>) =>
  and(
    inArray(challenges.status, ['pending', 'cancelled']),
    gt(challenges.expiresAt, now),
    or(eq(challenges.status, 'pending'), eq(challenges.resultCode, WITHDRAWN)),
  );
