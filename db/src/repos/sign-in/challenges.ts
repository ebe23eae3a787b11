import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Tx } from '../../database.ts';
import { drizzleStatement } from '../../drizzle-statement.ts';
import { challenges } from '../../schema/challenges.ts';
import { type ChallengeRow, isAskedAt, isOpen, isOpenAt, type NewChallenge } from './challenge-row.ts';

export { type ChallengeRow, type NewChallenge, WITHDRAWN } from './challenge-row.ts';
export * from './challenge-transitions.ts';

const given = sql.placeholder;

const insertion = drizzleStatement((db) =>
  db
    .insert(challenges)
    .values({
      id: given('id'),
      orgCode: given('orgCode'),
      kind: given('kind'),
      mode: given('mode'),
      qid: given('qid'),
      did: given('did'),
      suid: given('suid'),
      appType: given('appType'),
      appName: given('appName'),
      appLoginId: given('appLoginId'),
      zid: given('zid'),
      deviceName: given('deviceName'),
      matchNumber: given('matchNumber'),
      // Bypasses the column's encoder, which would write the text 'null' where there are none.
      numberChoices: sql`${given('numberChoices')}`,
      requesterIp: given('requesterIp'),
      requesterAgent: given('requesterAgent'),
      requesterName: given('requesterName'),
      requesterSuid: given('requesterSuid'),
      epoch: given('epoch'),
      action: given('action'),
      statement: given('statement'),
      contentHash: given('contentHash'),
      askedFor: given('askedFor'),
      network: given('network'),
      browser: given('browser'),
      createdAt: given('createdAt'),
      expiresAt: given('expiresAt'),
    })
    .prepare(),
);

/** Writes a new, pending challenge. */
export function insertChallenge(tx: Tx, challenge: NewChallenge): void {
  const { numberChoices } = challenge;
  insertion(tx).run({
    ...ABSENT,
    ...challenge,
    numberChoices: numberChoices ? JSON.stringify(numberChoices) : null,
  });
}

const ABSENT = {
  qid: null,
  did: null,
  suid: null,
  appType: null,
  appName: null,
  appLoginId: null,
  zid: null,
  deviceName: null,
  matchNumber: null,
  requesterName: null,
  requesterSuid: null,
  epoch: null,
  action: null,
  statement: null,
  contentHash: null,
  askedFor: null,
  network: null,
  browser: null,
};

const byId = drizzleStatement((db) =>
  db
    .select()
    .from(challenges)
    .where(eq(challenges.id, given('id')))
    .prepare(),
);

/** A challenge by its id alone, which is the secret of the caller; the only read without the organisation. */
export function findChallengeBySecretId(tx: Tx, id: string): ChallengeRow | undefined {
  return byId(tx).get({ id });
}

/** A challenge in any state. */
export function findChallenge(tx: Tx, orgCode: string, id: string): ChallengeRow | undefined {
  const found = byId(tx).get({ id });
  return found?.orgCode === orgCode ? found : undefined;
}

const byQid = drizzleStatement((db) =>
  db
    .select()
    .from(challenges)
    .where(and(eq(challenges.qid, given('qid')), eq(challenges.orgCode, given('orgCode'))))
    .prepare(),
);

/** A challenge by its scanned code. */
export function findChallengeByQid(tx: Tx, orgCode: string, qid: string): ChallengeRow | undefined {
  return byQid(tx).get({ orgCode, qid });
}

const byDid = drizzleStatement((db) =>
  db
    .select()
    .from(challenges)
    .where(and(eq(challenges.orgCode, given('orgCode')), eq(challenges.did, given('did'))))
    .prepare(),
);

/** A challenge by its typed code. */
export function findChallengeByDid(tx: Tx, orgCode: string, did: string): ChallengeRow | undefined {
  return byDid(tx).get({ orgCode, did });
}

/** The last challenge that a member of staff has begun under a name they chose. */
export function findChallengeByEpoch(
  tx: Tx,
  orgCode: string,
  requesterSuid: string,
  epoch: string,
): ChallengeRow | undefined {
  return tx
    .select()
    .from(challenges)
    .where(
      and(
        eq(challenges.requesterSuid, requesterSuid),
        eq(challenges.epoch, epoch),
        eq(challenges.orgCode, orgCode),
        isNotNull(challenges.requesterSuid),
      ),
    )
    .orderBy(desc(challenges.createdAt), sql`rowid DESC`)
    .limit(1)
    .get();
}

/** The add-device challenge of a pairing, in any organisation. */
export function findChallengeByPairing(tx: Tx, pairingId: string): ChallengeRow | undefined {
  return tx.select().from(challenges).where(eq(challenges.pairingId, pairingId)).get();
}

const waiting = drizzleStatement((db) =>
  db
    .select()
    .from(challenges)
    .where(
      and(
        eq(challenges.orgCode, given('orgCode')),
        eq(challenges.suid, given('suid')),
        eq(challenges.mode, 'PUSH'),
        isOpen,
      ),
    )
    .orderBy(challenges.createdAt, challenges.id)
    .prepare(),
);

/** Push requests that are waiting for a person's answer, oldest first. */
export function listWaitingChallenges(tx: Tx, orgCode: string, suid: string, now: number): ChallengeRow[] {
  return waiting(tx).all({ orgCode, suid, now });
}

/** A push that still counts, including a withdrawn one. */
export type CountedPush = Pick<ChallengeRow, 'kind' | 'status' | 'network' | 'browser' | 'expiresAt'>;

const counted = {
  kind: challenges.kind,
  status: challenges.status,
  network: challenges.network,
  browser: challenges.browser,
  expiresAt: challenges.expiresAt,
};

const pushesTo = drizzleStatement((db) =>
  db
    .select(counted)
    .from(challenges)
    .where(
      and(
        eq(challenges.orgCode, given('orgCode')),
        eq(challenges.suid, given('suid')),
        eq(challenges.mode, 'PUSH'),
        isAskedAt(given('now')),
      ),
    )
    .prepare(),
);

/** Lists the pushes to a person that still count. */
export function listPushesTo(tx: Tx, orgCode: string, suid: string, now: number): CountedPush[] {
  return pushesTo(tx).all({ orgCode, suid, now });
}

/** Every request that is open now, in all organisations, oldest first. */
export function listOpenChallenges(tx: Tx, now: number): ChallengeRow[] {
  return tx.select().from(challenges).where(isOpenAt(now)).orderBy(challenges.createdAt).all();
}

/**
 * A request by whatever a browser knows of it: its id, scanned or typed code, the name of a verbal one, or the sign-in
 * to an application. The newest, in any state and organisation; never one that adds a device.
 */
export function findChallengeByAnything(tx: Tx, handle: string): ChallengeRow | undefined {
  const { id, qid, did, epoch, appLoginId, kind, createdAt } = challenges;
  const isMeant = or(eq(id, handle), eq(qid, handle), eq(did, handle), eq(epoch, handle), eq(appLoginId, handle));
  return tx
    .select()
    .from(challenges)
    .where(and(isMeant, ne(kind, 'add-device')))
    .orderBy(desc(createdAt), sql`rowid DESC`)
    .limit(1)
    .get();
}

const pushesFrom = drizzleStatement((db) =>
  db
    .select(counted)
    .from(challenges)
    .where(
      and(
        eq(challenges.askedFor, given('askedFor')),
        eq(challenges.orgCode, given('orgCode')),
        eq(challenges.network, given('network')),
        isAskedAt(given('now')),
      ),
    )
    .prepare(),
);

/**
 * Lists the pushes that a network has requested under a name and that still count, whether or not such a person exists.
 */
export function listPushesAskedFor(
  tx: Tx,
  orgCode: string,
  { askedFor, network }: { askedFor: string; network: string },
  now: number,
): CountedPush[] {
  return pushesFrom(tx).all({ orgCode, askedFor, network, now });
}

/** Sign-ins of an organisation that could still let somebody in: unanswered, or approved and not exchanged. */
export function listOpenSignIns(
  tx: Tx,
  orgCode: string,
  expiresAfter: number,
): Pick<ChallengeRow, 'id' | 'suid' | 'requesterIp' | 'requesterAgent' | 'browser'>[] {
  const { id, suid, requesterIp, requesterAgent, browser } = challenges;
  return tx
    .select({ id, suid, requesterIp, requesterAgent, browser })
    .from(challenges)
    .where(
      and(
        gt(challenges.expiresAt, expiresAfter),
        eq(challenges.orgCode, orgCode),
        inArray(challenges.kind, ['login', 'app-login']),
        inArray(challenges.status, ['pending', 'approved']),
        isNull(challenges.exchangedAt),
      ),
    )
    .all();
}

/** Deletes challenges of every organisation that expired before `before`. */
export function pruneChallenges(tx: Tx, before: number): void {
  tx.delete(challenges).where(lt(challenges.expiresAt, before)).run();
}
