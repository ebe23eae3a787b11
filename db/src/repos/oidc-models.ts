import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { prepared } from '../prepared.ts';
import { oidcModels } from '../schema/oidc.ts';

export type OidcModelRow = typeof oidcModels.$inferSelect;
/** Which one; the organisation is part of the key, so another one's is unknown. */
export type OidcModelKey = Pick<OidcModelRow, 'orgCode' | 'model' | 'idHash'>;

const given = sql.placeholder;
const byKey = and(
  eq(oidcModels.idHash, given('idHash')),
  eq(oidcModels.model, given('model')),
  eq(oidcModels.orgCode, given('orgCode')),
);

const COLUMNS = {
  payload: given('payload'),
  grantId: given('grantId'),
  uid: given('uid'),
  clientId: given('clientId'),
  suid: given('suid'),
  zid: given('zid'),
  expiresAt: given('expiresAt'),
};

const put = prepared((db) =>
  db
    .insert(oidcModels)
    .values({ idHash: given('idHash'), model: given('model'), orgCode: given('orgCode'), ...COLUMNS })
    .onConflictDoUpdate({
      target: [oidcModels.idHash, oidcModels.model, oidcModels.orgCode],
      set: {
        payload: sql`excluded.payload`,
        grantId: sql`excluded."grantId"`,
        uid: sql`excluded.uid`,
        clientId: sql`excluded."clientId"`,
        suid: sql`excluded.suid`,
        zid: sql`excluded.zid`,
        expiresAt: sql`excluded."expiresAt"`,
      },
      // A session is saved with every request, mostly as it was: that is no write.
      setWhere: sql`${oidcModels.payload} <> excluded.payload OR excluded."expiresAt" - ${oidcModels.expiresAt} NOT BETWEEN 0 AND ${given('slack')}`,
    })
    .prepare(),
);

/**
 * Writes a model, or what has become of it; that it was used is not undone.
 * @param slack by how many milliseconds its end may be behind what it should be, where nothing else has changed
 */
export function putOidcModel(tx: Tx, row: Omit<OidcModelRow, 'consumedAt'>, slack = 0): void {
  put(tx).run({ ...row, slack });
}

const find = prepared((db) => db.select().from(oidcModels).where(byKey).prepare());

export function findOidcModel(tx: Tx, key: OidcModelKey): OidcModelRow | undefined {
  return find(tx).get(key);
}

const findUid = prepared((db) =>
  db
    .select()
    .from(oidcModels)
    .where(
      and(
        eq(oidcModels.uid, given('uid')),
        eq(oidcModels.orgCode, given('orgCode')),
        eq(oidcModels.model, given('model')),
      ),
    )
    .prepare(),
);

export function findOidcModelByUid(
  tx: Tx,
  key: Pick<OidcModelRow, 'orgCode' | 'model'> & { uid: string },
): OidcModelRow | undefined {
  return findUid(tx).get(key);
}

const use = prepared((db) =>
  db
    .update(oidcModels)
    .set({ consumedAt: sql`${given('now')}` })
    .where(and(byKey, isNull(oidcModels.consumedAt)))
    .prepare(),
);

/** Uses up what may be used once; false where it has been used, or is gone. */
export function consumeOidcModel(tx: Tx, key: OidcModelKey, now: number): boolean {
  return use(tx).run({ ...key, now }).changes === 1;
}

const remove = prepared((db) => db.delete(oidcModels).where(byKey).prepare());

export function deleteOidcModel(tx: Tx, key: OidcModelKey): void {
  remove(tx).run(key);
}

/** Ends the codes and tokens of a grant. */
export function deleteOidcModelsOfGrant(tx: Tx, orgCode: string, grantId: string): void {
  tx.delete(oidcModels)
    .where(and(eq(oidcModels.grantId, grantId), eq(oidcModels.orgCode, orgCode)))
    .run();
}

/** Ends what a person, or one of his devices, has signed in: without session and grant no code or token is of use. */
export function endOidcSignIns(tx: Tx, orgCode: string, whose: { suid: string } | { zid: string }): void {
  const ownership = 'suid' in whose ? eq(oidcModels.suid, whose.suid) : eq(oidcModels.zid, whose.zid);
  tx.delete(oidcModels)
    .where(and(ownership, eq(oidcModels.orgCode, orgCode)))
    .run();
}

export function pruneOidcModels(tx: Tx, before: number): void {
  tx.delete(oidcModels).where(lt(oidcModels.expiresAt, before)).run();
}
