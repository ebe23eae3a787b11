import type { AppType } from '@orchestrate/shared';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { bulkSqlStatement } from '../../bulk-sql-statement.ts';
import type { Tx } from '../../database.ts';
import { activationCodes } from '../../schema/members.ts';
import { openIn, sealIn } from '../../sealed-columns.ts';
import { forgetSecrets } from '../settings/outbox.ts';

type SealedRow = typeof activationCodes.$inferSelect;
/** A row with the six digits in plain text. */
export type ActivationCodeRow = Omit<SealedRow, 'code'> & { code: string };
type NewCode = Pick<ActivationCodeRow, 'orgCode' | 'suid' | 'type' | 'code' | 'expiresAt' | 'issuedAt' | 'isOwn'>;

const COLUMN = 'activation_codes.code';
const keyOf = ({ suid, type }: { suid: string; type: AppType }): string => `${suid} ${type}`;

/** Columns of a code that pages and lists of members show; `openActivationCode` unseals the code. */
export const CODE_VIEW = {
  suid: activationCodes.suid,
  type: activationCodes.type,
  code: activationCodes.code,
  expiresAt: activationCodes.expiresAt,
  wrongTries: activationCodes.wrongTries,
  usedAt: activationCodes.usedAt,
  isOwn: activationCodes.isOwn,
};

/** Unseals the six digits of a row, or of some of its columns. */
export const openActivationCode = <Row extends Pick<SealedRow, 'suid' | 'type' | 'code'>>(
  tx: Tx,
  row: Row,
): Omit<Row, 'code'> & { code: string } => ({ ...row, code: openIn(tx, COLUMN, keyOf(row), row.code) });

/** Finds the latest code, even if used or expired. */
export function findActivationCode(
  tx: Tx,
  orgCode: string,
  suid: string,
  type: AppType,
): ActivationCodeRow | undefined {
  const row = tx
    .select()
    .from(activationCodes)
    .where(and(eq(activationCodes.orgCode, orgCode), eq(activationCodes.suid, suid), eq(activationCodes.type, type)))
    .get();
  return row && openActivationCode(tx, row);
}

/** Counters of a new code. */
export const NEW_CODE_COUNTERS = { wrongTries: 0, wrongTriesInAll: 0, wrongTriesByNetwork: {}, usedAt: null } as const;

/** Issues a code that replaces the previous one, whatever its state. */
export function issueActivationCode(tx: Tx, code: NewCode): void {
  forgetSecrets(tx, [code.suid], 'activation', code.type);
  const fresh = { ...code, code: sealIn(tx, COLUMN, keyOf(code), code.code), ...NEW_CODE_COUNTERS };
  tx.insert(activationCodes)
    .values(fresh)
    .onConflictDoUpdate({ target: [activationCodes.suid, activationCodes.type], set: fresh })
    .run();
}

/** Records that the member has seen their own code in a session. */
export function markAsOwn(tx: Tx, orgCode: string, suid: string, type: AppType): void {
  tx.update(activationCodes)
    .set({ isOwn: true })
    .where(and(eq(activationCodes.orgCode, orgCode), eq(activationCodes.suid, suid), eq(activationCodes.type, type)))
    .run();
}

/**
 * Revokes the codes of a member, for one app or for all. Returns false if there were none.
 *
 */
export function voidActivationCodes(tx: Tx, orgCode: string, suid: string, type?: AppType): boolean {
  forgetSecrets(tx, [suid], 'activation', type);
  const { changes } = tx
    .delete(activationCodes)
    .where(
      and(
        eq(activationCodes.orgCode, orgCode),
        eq(activationCodes.suid, suid),
        type === undefined ? undefined : eq(activationCodes.type, type),
      ),
    )
    .run();
  return changes > 0;
}

const insertion = bulkSqlStatement<Omit<NewCode, 'code'> & Pick<SealedRow, 'code'>>(`
  INSERT INTO activation_codes (suid, type, orgCode, code, expiresAt, issuedAt, isOwn)
  SELECT value ->> 'suid', value ->> 'type', value ->> 'orgCode', value ->> 'code', value ->> 'expiresAt',
    value ->> 'issuedAt', value ->> 'isOwn'
  FROM json_each(@rows) WHERE true
  ON CONFLICT DO UPDATE SET
    code = excluded.code, expiresAt = excluded.expiresAt, issuedAt = excluded.issuedAt, isOwn = excluded.isOwn, wrongTries = 0,
    wrongTriesInAll = 0, wrongTriesByNetwork = '{}', usedAt = NULL`);

/** `issueActivationCode` for many members, all for the same app type. */
export function issueActivationCodes(tx: Tx, codes: readonly NewCode[]): void {
  const suids = codes.map(({ suid }) => suid);
  forgetSecrets(tx, suids, 'activation', codes[0]?.type);
  insertion(
    tx,
    codes.map((code) => ({ ...code, code: sealIn(tx, COLUMN, keyOf(code), code.code) })),
  );
}

/** Wrong attempts that lock a code: from one network, and in total. */
export interface AttemptLimits {
  fromOneNetwork: number;
  inAll: number;
}

/**
 * Checks a code: the right one is used up and a wrong one is counted, in one statement.
 * @returns undefined if no code can be checked: none issued, used, expired, or locked by wrong attempts.
 */
export function checkActivationCode(
  tx: Tx,
  {
    orgCode,
    suid,
    type,
    code,
    network,
  }: { orgCode: string; suid: string; type: AppType; code: string; network: string },
  { allowed, now }: { allowed: AttemptLimits; now: number },
): 'right' | 'wrong' | undefined {
  const path = `$."${network}"`;
  // Equal texts in one row and column have equal seals.
  const isWrong = sql`(${activationCodes.code} <> ${sealIn(tx, COLUMN, keyOf({ suid, type }), code)})`;
  const fromHere = sql`coalesce(json_extract(${activationCodes.wrongTriesByNetwork}, ${path}), 0)`;
  const tried = tx
    .update(activationCodes)
    .set({
      usedAt: sql`CASE WHEN ${isWrong} THEN NULL ELSE ${now} END`,
      wrongTries: sql`max(${activationCodes.wrongTries}, ${fromHere} + ${isWrong})`,
      wrongTriesInAll: sql`${activationCodes.wrongTriesInAll} + ${isWrong}`,
      wrongTriesByNetwork: sql`json_set(${activationCodes.wrongTriesByNetwork}, ${path}, ${fromHere} + ${isWrong})`,
    })
    .where(
      and(
        eq(activationCodes.orgCode, orgCode),
        eq(activationCodes.suid, suid),
        eq(activationCodes.type, type),
        isNull(activationCodes.usedAt),
        gt(activationCodes.expiresAt, now),
        lt(activationCodes.wrongTriesInAll, allowed.inAll),
        lt(fromHere, allowed.fromOneNetwork),
      ),
    )
    .returning({ usedAt: activationCodes.usedAt })
    .get();
  if (!tried) return undefined;
  if (tried.usedAt === null) return 'wrong';
  forgetSecrets(tx, [suid], 'activation', type);
  return 'right';
}
