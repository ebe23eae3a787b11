import type { AppType } from '@orchestrate/shared';
import { and, eq, gt, isNull, lt, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { activationCodes } from '../../schema/members.ts';
import { sealValue, unsealValue } from '../../sealed-columns.ts';
import { bulkSqlStatement } from '../../sql-statement.ts';
import { forgetSecrets } from '../settings/outbox.ts';

type SealedRow = typeof activationCodes.$inferSelect;
/** An activation code row with the six digits in plain text. */
export type ActivationCodeRow = Omit<SealedRow, 'code'> & { code: string };
type NewCode = Pick<ActivationCodeRow, 'orgCode' | 'suid' | 'type' | 'code' | 'expiresAt' | 'issuedAt' | 'isOwn'>;

const COLUMN = 'activation_codes.code';
const keyOf = ({ suid, type }: { suid: string; type: AppType }): string => `${suid} ${type}`;

/** Columns needed to display a code; `unsealActivationCode` unseals the code. */
export const CODE_VIEW_COLUMNS = {
  suid: activationCodes.suid,
  type: activationCodes.type,
  code: activationCodes.code,
  expiresAt: activationCodes.expiresAt,
  wrongTries: activationCodes.wrongTries,
  usedAt: activationCodes.usedAt,
  isOwn: activationCodes.isOwn,
};

/** Unseals the six digits in an activation code row or a selection of its columns. */
export const unsealActivationCode = <Row extends Pick<SealedRow, 'suid' | 'type' | 'code'>>(
  tx: Tx,
  row: Row,
): Omit<Row, 'code'> & { code: string } => ({ ...row, code: unsealValue(tx, COLUMN, keyOf(row), row.code) });

/** Finds the latest code, even if it has been used or has expired. */
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
  return row && unsealActivationCode(tx, row);
}

/** Initial counters of a new code. */
export const NEW_CODE_COUNTERS = { wrongTries: 0, wrongTriesInAll: 0, wrongTriesByNetwork: {}, usedAt: null } as const;

/** Issues a code, replacing the previous code regardless of its state. */
export function issueActivationCode(tx: Tx, code: NewCode): void {
  forgetSecrets(tx, [code.suid], 'activation', code.type);
  const fresh = { ...code, code: sealValue(tx, COLUMN, keyOf(code), code.code), ...NEW_CODE_COUNTERS };
  tx.insert(activationCodes)
    .values(fresh)
    .onConflictDoUpdate({ target: [activationCodes.suid, activationCodes.type], set: fresh })
    .run();
}

/** Records that the member has seen their own code while signed in. */
export function markCodeAsOwn(tx: Tx, orgCode: string, suid: string, type: AppType): void {
  tx.update(activationCodes)
    .set({ isOwn: true })
    .where(and(eq(activationCodes.orgCode, orgCode), eq(activationCodes.suid, suid), eq(activationCodes.type, type)))
    .run();
}

/** Revokes a member's codes for one app type, or for all. Returns false if there were none. */
export function revokeActivationCodes(tx: Tx, orgCode: string, suid: string, type?: AppType): boolean {
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

/** Issues codes for many members, all for the same app type (see `issueActivationCode`). */
export function issueActivationCodes(tx: Tx, codes: readonly NewCode[]): void {
  const suids = codes.map(({ suid }) => suid);
  forgetSecrets(tx, suids, 'activation', codes[0]?.type);
  insertion(
    tx,
    codes.map((code) => ({ ...code, code: sealValue(tx, COLUMN, keyOf(code), code.code) })),
  );
}

/** How many wrong attempts lock a code, from one network and in total. */
export interface AttemptLimits {
  fromOneNetwork: number;
  inAll: number;
}

/**
 * Checks a code in one statement. A correct code is marked as used, and a wrong code counts as a failed attempt.
 * @returns undefined if there is no code to check: none issued, used, expired, or locked by wrong attempts
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
  // Sealing is deterministic per row and column, so equal codes have equal seals.
  const isWrong = sql`(${activationCodes.code} <> ${sealValue(tx, COLUMN, keyOf({ suid, type }), code)})`;
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
