import { lte, sql } from '#drizzle';
import type { Tx } from '../../database.ts';
import { deviceSignatures } from '../../schema/devices.ts';
import { drizzleStatement } from '../../sql-statement.ts';

const param = sql.placeholder;

const insertion = drizzleStatement((db) =>
  db
    .insert(deviceSignatures)
    .values({ id: param('id'), expiresAt: param('expiresAt') })
    .onConflictDoNothing()
    .prepare(),
);

/**
 * Records a signature until `expiresAt`. Returns false if the signature has been used before. After `expiresAt`, a
 * signature is rejected because of its age anyway. The key's thumbprint separates the `jti` values of different devices.
 */
export function rememberSignature(
  tx: Tx,
  { thumbprint, jti, expiresAt }: { thumbprint: string; jti: string; expiresAt: number },
): boolean {
  return insertion(tx).run({ id: `${thumbprint}.${jti}`, expiresAt }).changes === 1;
}

/**
 * Deletes the records of signatures that have expired.
 * @param expiredBy latest expiry that is past on both the portal's clock and the clock of other programs
 */
export function pruneSignatures(tx: Tx, expiredBy: number): void {
  tx.delete(deviceSignatures).where(lte(deviceSignatures.expiresAt, expiredBy)).run();
}
