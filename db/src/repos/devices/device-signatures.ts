import { lte, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { deviceSignatures } from '../../schema/devices.ts';

const given = sql.placeholder;

const insertion = drizzleStatement((db) =>
  db
    .insert(deviceSignatures)
    .values({ id: given('id'), expiresAt: given('expiresAt') })
    .onConflictDoNothing()
    .prepare(),
);

const pruning = drizzleStatement((db) =>
  db
    .delete(deviceSignatures)
    .where(lte(deviceSignatures.expiresAt, given('over')))
    .prepare(),
);

/**
 * Remembers a signature until `expiresAt`, when its age alone gets it refused, and forgets those past that; false where
 * it has been seen before. The key's thumbprint keeps the `jti`s of different devices apart.
 * @param over by when what has ended has ended by each clock that says how old something is
 */
export function rememberSignature(
  tx: Tx,
  { thumbprint, jti, expiresAt }: { thumbprint: string; jti: string; expiresAt: number },
  over: number,
): boolean {
  pruning(tx).run({ over });
  return insertion(tx).run({ id: `${thumbprint}.${jti}`, expiresAt }).changes === 1;
}
