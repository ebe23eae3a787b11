import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from '#drizzle';
import { cachedRow } from '../../cached-row.ts';
import type { Tx } from '../../database.ts';
import { challenges } from '../../schema/challenges.ts';
import { drizzleStatement } from '../../sql-statement.ts';
import { type ChallengeRow, isCountedAt, isOpen, isOpenAt, type NewChallenge } from './challenge-row.ts';

export { type ChallengeRow, type NewChallenge, WITHDRAWN_RESULT } from './challenge-row.ts';
export * from './challenge-transitions.ts';

const param = sql.placeholder;

const insertion = drizzleStatement((db) =>
  db
    .insert(challenges)
    .values({
      id: param('id'),
      orgCode: param('orgCode'),
      kind: param('kind'),
      mode: param('mode'),
      qid: param('qid'),
      did: param('did'),
      suid: param('suid'),
      appType: param('appType'),
      appName: param('appName'),
      appLoginId: param('appLoginId'),
      zid: param('zid'),
      deviceName: param('deviceName'),
      matchNumber: param('matchNumber'),
      // Bypass the column's encoder, which would write the string 'null' if there are no choices.
      numberChoices: sql`${param('numberChoices')}`,
      requesterIp: param('requesterIp'),
      requesterAgent: param('requesterAgent'),
      requesterName: param('requesterName'),
      requesterSuid: param('requesterSuid'),
      epoch: param('epoch'),
      action: param('action'),
      statement: param('statement'),
      contentHash: param('contentHash'),
      askedFor: param('askedFor'),
      network: param('network'),
      browser: param('browser'),
      createdAt: param('createdAt'),
      expiresAt: param('expiresAt'),
    })
    .prepare(),
);

/** Adds a pending challenge. */
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
    .where(eq(challenges.id, param('id')))
    .prepare(),
);

const challengeOf = cachedRow([challenges], ['id'], (db, key) => byId(db).get(key) ?? null);

/**
 * Finds a challenge by its ID alone. The ID is a secret of the client that started the challenge, so the organisation
 * isn't checked.
 */
export function findChallengeBySecretId(tx: Tx, id: string): Readonly<ChallengeRow> | undefined {
  return challengeOf(tx, { id }) ?? undefined;
}

/** Finds a challenge in any state. */
export function findChallenge(tx: Tx, orgCode: string, id: string): Readonly<ChallengeRow> | undefined {
  const found = challengeOf(tx, { id });
  return found?.orgCode === orgCode ? found : undefined;
}

const byQid = drizzleStatement((db) =>
  db
    .select()
    .from(challenges)
    .where(and(eq(challenges.qid, param('qid')), eq(challenges.orgCode, param('orgCode'))))
    .prepare(),
);

/** Finds a challenge by its scanned code. */
export function findChallengeByQid(tx: Tx, orgCode: string, qid: string): ChallengeRow | undefined {
  return byQid(tx).get({ orgCode, qid });
}

const byDid = drizzleStatement((db) =>
  db
    .select()
    .from(challenges)
    .where(and(eq(challenges.orgCode, param('orgCode')), eq(challenges.did, param('did'))))
    .prepare(),
);

/** Finds a challenge by its typed code. */
export function findChallengeByDid(tx: Tx, orgCode: string, did: string): ChallengeRow | undefined {
  return byDid(tx).get({ orgCode, did });
}

/** Finds the latest challenge that a staff member started with an epoch of their choice. */
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

/** Finds a pairing's add-device challenge, in any organisation. */
export function findChallengeByPairing(tx: Tx, pairingId: string): ChallengeRow | undefined {
  return tx.select().from(challenges).where(eq(challenges.pairingId, pairingId)).get();
}

const waiting = drizzleStatement((db) =>
  db
    .select()
    .from(challenges)
    .where(
      and(
        eq(challenges.orgCode, param('orgCode')),
        eq(challenges.suid, param('suid')),
        eq(challenges.mode, 'PUSH'),
        isOpen,
      ),
    )
    .orderBy(challenges.createdAt, challenges.id)
    .prepare(),
);

/** Lists push requests waiting for a member's answer, oldest first. */
export function listWaitingChallenges(tx: Tx, orgCode: string, suid: string, now: number): ChallengeRow[] {
  return waiting(tx).all({ orgCode, suid, now });
}

/** A push that counts towards a limit, including withdrawn pushes. */
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
        eq(challenges.orgCode, param('orgCode')),
        eq(challenges.suid, param('suid')),
        eq(challenges.mode, 'PUSH'),
        isCountedAt(param('now')),
      ),
    )
    .prepare(),
);

/** Lists the pushes to a member that count towards the limit. */
export function listPushesTo(tx: Tx, orgCode: string, suid: string, now: number): CountedPush[] {
  return pushesTo(tx).all({ orgCode, suid, now });
}

/** Lists open requests in all organisations, oldest first. */
export function listOpenChallenges(tx: Tx, now: number): ChallengeRow[] {
  return tx.select().from(challenges).where(isOpenAt(now)).orderBy(challenges.createdAt).all();
}

/**
 * Finds a request by any handle that a browser has for it: the ID, scanned code, typed code, epoch or application
 * sign-in. Returns the newest match in any state and organisation, but never a request to add a device.
 */
export function findChallengeByHandle(tx: Tx, handle: string): ChallengeRow | undefined {
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
        eq(challenges.askedFor, param('askedFor')),
        eq(challenges.orgCode, param('orgCode')),
        eq(challenges.network, param('network')),
        isCountedAt(param('now')),
      ),
    )
    .prepare(),
);

/**
 * Lists the pushes that a network has requested for a user name and that count towards the limit, even if no member
 * has that name.
 */
export function listPushesRequestedFor(
  tx: Tx,
  orgCode: string,
  { askedFor, network }: { askedFor: string; network: string },
  now: number,
): CountedPush[] {
  return pushesFrom(tx).all({ orgCode, askedFor, network, now });
}

/** Lists an organisation's sign-ins that could still become sessions: unanswered, or approved but not exchanged. */
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

/** Deletes challenges that expired before `before`, across all organisations. */
export function pruneChallenges(tx: Tx, before: number): void {
  tx.delete(challenges).where(lt(challenges.expiresAt, before)).run();
}
