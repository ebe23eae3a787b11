import { drizzle } from 'drizzle-orm/better-sqlite3';
import { expect, test } from 'vitest';
import type { Db } from '../open.ts';
import { memoryDb } from '../testing.ts';
import {
  activationCodeRepo,
  challengeRepo,
  deviceRepo,
  deviceSignatureRepo,
  loginHistoryRepo,
  memberRepo,
  outboxRepo,
  sessionRepo,
} from './index.ts';

const now = Date.UTC(2026, 10, 20, 8, 4);

/** What SQLite says of every statement that `work` runs. */
function plansOf(work: (db: Db) => void): string[] {
  const { raw, close } = memoryDb({ now });
  const statements: [query: string, params: unknown[]][] = [];
  const db = drizzle(raw, { logger: { logQuery: (query, params) => statements.push([query, params]) } });
  work(db);
  expect(statements).not.toEqual([]);
  const plans = statements.flatMap(([query, params]) =>
    raw.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${query}`).all(...params),
  );
  close();
  return plans.map((plan) => plan.detail);
}

/** No statement reads a table, or an index, from one end to the other. */
function expectSearches(work: (db: Db) => void): void {
  for (const step of plansOf(work)) expect(step).not.toMatch(/^SCAN/);
}

test('challenges are found by index', () => {
  expectSearches((db) => {
    challengeRepo.findChallengeByQid(db, 'acme', 'qid');
    challengeRepo.findChallengeByDid(db, 'acme', 'DID');
    challengeRepo.findChallengeByPairing(db, 'pairing');
    challengeRepo.listWaitingChallenges(db, 'acme', 'suid', now);
    challengeRepo.answerChallenge(db, 'acme', 'id', { status: 'denied', resultCode: 'LOGIN_NO_CONSENT' }, now);
    challengeRepo.cancelChallenges(
      db,
      'acme',
      { suid: 'suid', kind: 'add-device' },
      { resultCode: 'ADD_DEVICE_NO_CONSENT', now },
    );
    challengeRepo.cancelChallenges(db, 'acme', { zid: 'zid' }, { resultCode: 'ADD_DEVICE_NO_CONSENT', now });
    challengeRepo.pruneChallenges(db, now);
  });
});

test('requests that wait are found by the person, not by the organisation', () => {
  const plans = plansOf((db) => challengeRepo.listWaitingChallenges(db, 'acme', 'suid', now));
  expect(plans.join('\n')).toContain('challenges_waiting (suid=? AND orgCode=? AND status=? AND expiresAt>?)');
});

test('sessions are found by index', () => {
  expectSearches((db) => {
    sessionRepo.findLiveSession(db, 'acme', 'sid', now);
    sessionRepo.findRefreshToken(db, 'hash');
    sessionRepo.claimRefreshToken(db, 'hash', now);
    sessionRepo.revokeSessions(db, 'acme', { sid: 'sid' }, now);
    sessionRepo.revokeSessions(db, 'acme', { suid: 'suid' }, now);
    sessionRepo.revokeSessions(db, 'acme', { zid: 'zid' }, now);
    sessionRepo.purgeSessions(db, now);
  });
});

test('members, their devices and codes are found by index', () => {
  expectSearches((db) => {
    const member = memberRepo.findMemberByEmail(db, 'acme', 'user@acme.test');
    if (!member) throw new Error('The demo has no user@acme.test');
    memberRepo.findMember(db, 'acme', member.suid);
    memberRepo.findMemberByPrimaryAttr(db, 'acme', member.primaryAttr);
    memberRepo.listMembersByEmail(db, member.primaryEmail);
    memberRepo.findMemberDetail(db, member);
    deviceRepo.listRegisteredDevices(db, 'acme', member.suid);
    deviceRepo.countRegisteredDevices(db, 'acme', member.suid);
    deviceRepo.isKeyRegistered(db, 'acme', 'thumbprint');
    activationCodeRepo.findActivationCode(db, 'acme', member.suid, 'mobile');
    activationCodeRepo.isCodeOfAnother(db, { orgCode: 'acme', suid: member.suid, code: '123456' }, now);
    deviceSignatureRepo.rememberSignature(db, { thumbprint: 'thumbprint', jti: 'jti', expiresAt: now + 1 }, now);
    outboxRepo.listOutbox(db, { to: member.primaryEmail, limit: 10 });
  });
});

test('every page of a login history is read from its index in order, without sorting', () => {
  const plans = plansOf((db) => {
    loginHistoryRepo.listLoginHistory(db, 'acme', 'suid', { count: 20 });
    loginHistoryRepo.listLoginHistory(db, 'acme', 'suid', { count: 20, before: { timestamp: now, id: 'id' } });
  });
  expect(plans.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
  expect(plans.filter((step) => step.includes('login_history_member (suid=? AND orgCode=?'))).toHaveLength(2);
});
