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
 * Records a signature until `expiresAt`, after which its age alone gets it refused, and prunes older ones. Returns
 * false if it was seen before. The key's thumbprint separates the `jti`s of different devices.
 * @param expiredBy latest expiry that has passed both in the portal's time and in the time of other programs
 */
export function rememberSignature(
  tx: Tx,
  { thumbprint, jti, expiresAt }: { thumbprint: string; jti: string; expiresAt: number },
  expiredBy: number,
): boolean {
  pruning(tx).run({ expiredBy });
  return insertion(tx).run({ id: `${thumbprint}.${jti}`, expiresAt }).changes === 1;
}
