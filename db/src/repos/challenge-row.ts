import { and, eq, gt, sql } from 'drizzle-orm';
import { challenges } from '../schema/challenges.ts';

export type ChallengeRow = typeof challenges.$inferSelect;
export type NewChallenge = Omit<
  typeof challenges.$inferInsert,
  'status' | 'resultCode' | 'resolvedAt' | 'answeredAt' | 'exchangedAt' | 'pairing' | 'pairingId'
>;

/** The one condition under which a challenge may still change: it is unanswered and has not expired. */
export const isOpenAt = (now: number | ReturnType<typeof sql.placeholder>) =>
  and(eq(challenges.status, 'pending'), gt(challenges.expiresAt, now));
/** The same for prepared statements, at the placeholder `now`. */
export const isOpen = isOpenAt(sql.placeholder('now'));
