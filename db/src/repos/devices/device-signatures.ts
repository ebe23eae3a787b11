import { lte, sql } from 'drizzle-orm';
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

const pruning = drizzleStatement((db) =>
  db
    .delete(deviceSignatures)
    .where(lte(deviceSignatures.expiresAt, param('expiredBy')))
    .prepare(),
);

/**
 * Records a signature until `expiresAt`, and prunes expired records. Returns false if the signature has been used
 * before. After `expiresAt`, a signature is rejected because of its age anyway. The key's thumbprint separates the
 * `jti` values of different devices.
 * @param expiredBy latest expiry that is past on both the portal's clock and the clock of other programs
 */
export function rememberSignature(
  tx: Tx,
  { thumbprint, jti, expiresAt }: { thumbprint: string; jti: string; expiresAt: number },
  expiredBy: number,
): boolean {
  pruning(tx).run({ expiredBy });
  return insertion(tx).run({ id: `${thumbprint}.${jti}`, expiresAt }).changes === 1;
}
