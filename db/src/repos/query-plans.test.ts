import { expect, test } from 'vitest';
import { createDatabase, type Db } from '../database.ts';
import { memoryDb, targetRow } from '../testing.ts';
import {
  activationCodeRepo,
  applicationRepo,
  auditRepo,
  challengeRepo,
  clientSecretRepo,
  decoySignUpRepo,
  deviceRepo,
  deviceSignatureRepo,
  emailChangeRepo,
  expiringCodeRepo,
  externalIdentityRepo,
  externalSignInRepo,
  faqRepo,
  groupRepo,
  invitationRepo,
  loginHistoryRepo,
  logoutNoticeRepo,
  logoutRepo,
  memberCountRepo,
  memberFilterRepo,
  memberListRepo,
  memberRepo,
  oidcApplicationRepo,
  oidcKeyRepo,
  oidcModelRepo,
  oneTimeCodeRepo,
  outboundLogRepo,
  outboundMarkRepo,
  outboundPersonRepo,
  outboundTargetRepo,
  outboxRepo,
  provisioningRepo,
  pushDenialRepo,
  roleRepo,
  samlKeyRepo,
  scimCredentialsRepo,
  scimLogRepo,
  scimTokenRepo,
  securityAlertRepo,
  serviceProviderRepo,
  sessionListRepo,
  sessionRepo,
  signInOriginRepo,
  signUpRepo,
  throttleRepo,
  webhookRepo,
} from './index.ts';

const now = Date.UTC(2026, 10, 20, 8, 4);

/** Returns SQLite's query plans for all statements that `work` runs. */
function plansOf(work: (db: Db) => void): string[] {
  const { raw, db: own, close } = memoryDb({ now });
  const statements: [query: string, params: unknown[]][] = [];
  const prepare = ((query: string) => {
    const names = query.match(/(?<=@)\w+/g) ?? [];
    statements.push([query, [Object.fromEntries(names.map((name) => [name, null]))]]);
    return raw.prepare(query);
  }) as typeof raw.prepare;
  const logger = { logQuery: (query: string, params: unknown[]) => void statements.push([query, params]) };
  const db = createDatabase(raw, { ...own.connection, logger, prepare });
  work(db);
  expect(statements).not.toEqual([]);
  const plans = statements.flatMap(([query, params]) =>
    raw.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${query}`).all(...params),
  );
  close();
  return plans.map((plan) => plan.detail);
}

/** Expects that no statement scans a whole table or index, other than a list passed as a parameter. */
function expectSearches(work: (db: Db) => void): void {
  for (const step of plansOf(work)) expect(step).not.toMatch(/^SCAN (?!json_each )/);
}

test('finds challenges by index', () => {
  expectSearches((db) => {
    challengeRepo.findChallengeByQid(db, 'acme', 'qid');
    challengeRepo.findChallengeByDid(db, 'acme', 'DID');
    challengeRepo.findChallengeByPairing(db, 'pairing');
    challengeRepo.findChallengeByEpoch(db, 'acme', 'suid', 'epoch');
    challengeRepo.listWaitingChallenges(db, 'acme', 'suid', now);
    challengeRepo.listPushesTo(db, 'acme', 'suid', now);
    challengeRepo.answerChallenge(db, 'acme', 'id', { status: 'denied', resultCode: 'LOGIN_NO_CONSENT' }, now);
    challengeRepo.cancelChallenges(
      db,
      'acme',
      { suid: 'suid', kind: 'add-device' },
      { resultCode: 'ADD_DEVICE_NO_CONSENT', now },
    );
    challengeRepo.cancelChallenges(db, 'acme', { zid: 'zid' }, { resultCode: 'ADD_DEVICE_NO_CONSENT', now });
    challengeRepo.cancelChallenges(db, 'acme', { id: 'id' }, { resultCode: 'EXPIRED', now });
    challengeRepo.pruneChallenges(db, now);
  });
});

test('finds attempts, denials and decoys by index', () => {
  expectSearches((db) => {
    const key = { orgCode: 'acme', kind: 'activation' as const, subject: '203.0.113.7' };
    throttleRepo.findThrottle(db, key);
    throttleRepo.pruneThrottles(db, now);
    pushDenialRepo.findPushDenials(db, 'acme', 'suid');
    pushDenialRepo.prunePushDenials(db, now);
    decoySignUpRepo.findDecoySignUp(db, 'acme', 'user@acme.test');
    decoySignUpRepo.countDecoySignUps(db, 'acme', { to: '+46701234567' }, now);
    decoySignUpRepo.pruneDecoySignUps(db, now);
    challengeRepo.listPushesRequestedFor(db, 'acme', { askedFor: 'user@acme.test', network: '203.0.113.7' }, now);
    signInOriginRepo.listSignInAddresses(db, 'acme', 'suid', now);
    signInOriginRepo.hasSignedIn(db, { orgCode: 'acme', browser: 'hash', suid: 'suid' }, now);
    challengeRepo.listOpenSignIns(db, 'acme', now);
    securityAlertRepo.listMembersWithPermission(db, 'acme', 'SESSION_MANAGEMENT', 50);
  });
});

test('finds waiting requests by member instead of organisation', () => {
  const plans = plansOf((db) => challengeRepo.listWaitingChallenges(db, 'acme', 'suid', now));
  expect(plans.join('\n')).toContain('challenges_waiting (suid=? AND orgCode=? AND status=? AND expiresAt>?)');
});

test('finds applications to notify of a logout by index', () => {
  const saml = { id: 'id', orgCode: 'acme', appId: 'travel-desk', suid: 'suid', zid: 'zid', browser: 'browser' };
  const times = { createdAt: now, expiresAt: now };
  expectSearches((db) => {
    logoutRepo.insertSamlSession(db, { ...saml, ...times, nameId: '', nameIdFormat: '' });
    for (const whose of [saml, { suid: 'suid' }, { zid: 'zid' }, { inBrowser: saml }])
      logoutNoticeRepo.queueSamlLogout(db, 'acme', whose, now);
    logoutNoticeRepo.queueOidcLogout(db, saml, [{ appId: 'payroll', sid: 'sid' }], now);
    const notice = logoutNoticeRepo.claimDueNotice(db, { now, leaseMs: 1 });
    if (notice) logoutNoticeRepo.settleNotice(db, notice, null);
    oidcModelRepo.sessionsWithGrants(db, saml, [{ idHash: 'hash' }]);
    logoutRepo.findSamlSession(db, 'acme', 'id');
    logoutRepo.endSamlSession(db, 'acme', 'id');
  });
});

test('finds sessions by index', () => {
  expectSearches((db) => {
    sessionRepo.findLiveSession(db, 'acme', 'sid', now);
    sessionRepo.findRefreshToken(db, 'hash');
    sessionRepo.claimRefreshToken(db, 'hash', now);
    sessionRepo.revokeSessions(db, 'acme', { sid: 'sid' }, now);
    sessionRepo.revokeSessions(db, 'acme', { suid: 'suid' }, now);
    sessionRepo.revokeSessions(db, 'acme', { zid: 'zid' }, now);
    sessionRepo.touchSession(db, 'sid', now);
    const since = { suid: 'suid', since: now, exceptSid: 'sid', now };
    sessionListRepo.listSessions(db, 'acme', 'suid', { now, count: 10 });
    sessionListRepo.listAppSessions(db, 'acme', 'suid', { now, count: 10 });
    sessionListRepo.findOwnSession(db, 'acme', { sid: 'sid', suid: 'suid' });
    sessionListRepo.endAppSession(db, 'acme', { id: 'id', suid: 'suid', now });
    sessionListRepo.revokeOtherSessions(db, 'acme', { suid: 'suid', exceptSid: 'sid', now });
    sessionListRepo.revokeSignInsSince(db, 'acme', { ...since, zid: 'zid' });
    sessionListRepo.revokeSignInsSince(db, 'acme', { ...since, zid: null });
    sessionListRepo.disownSignIn(db, 'acme', { id: 'id', suid: 'suid', now });
    sessionRepo.changeSessionLifetime(db, 'acme', 60_000, now);
    sessionRepo.pruneSessions(db, now);
  });
});

test('finds members, their devices and codes by index', () => {
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
    deviceSignatureRepo.rememberSignature(db, { thumbprint: 'thumbprint', jti: 'jti', expiresAt: now + 1 });
    deviceSignatureRepo.pruneSignatures(db, now);
    outboxRepo.listOutbox(db, { to: member.primaryEmail, limit: 10 });
    outboxRepo.countTestEmails(db, { orgCode: 'acme', to: member.primaryEmail, since: now });
  });
});

test('uses an index for the most frequent directory queries', () => {
  expectSearches((db) => {
    provisioningRepo.findMemberByUserName(db, 'acme', 'user@acme.test');
    provisioningRepo.listMembersByExternalId(db, 'acme', 'external');
    provisioningRepo.hasUserNames(db, 'acme');
    memberFilterRepo.listPresentMembers(db, { number: 1 }, { offset: 0, count: 20 });
    provisioningRepo.listMembersByRole(db, 'acme', 'AUDITOR', 20);
    scimCredentialsRepo.findScimCredentials(db, 'acme');
    scimTokenRepo.findScimTokenByHash(db, 'acme', 'hash');
    scimLogRepo.listScimLog(db, 'acme', { before: 7, count: 20 });
  });
});

test('lists members, roles and counts by index', () => {
  expectSearches((db) => {
    const reportees = memberListRepo.listDirectReports(db, 'acme', { managerSuid: 'suid', limit: 10 });
    memberListRepo.summariseMembers(db, 'acme', reportees);
    memberCountRepo.listMemberCounts(db, 'acme');
    memberCountRepo.countActiveMembers(db, 'acme', 'SUPER_ADMIN');
    memberRepo.nextMemberId(db, 'acme');
    memberRepo.findMemberByPrimaryAttr(db, 'acme', 'nobody');
    roleRepo.listRoles(db, 'acme');
    roleRepo.moveMembersFromRole(db, 'acme', { roleCode: 'AUDITOR', heir: 'USER', count: 50 });
    roleRepo.deleteRole(db, 'acme', 'AUDITOR', 'USER');
    deviceRepo.removeDevices(db, 'acme', 'suid', 0);
    deviceRepo.hasRecentDevice(db, 'acme', 'suid', 0);
    deviceRepo.setApprovesFrom(db, 'acme', 'zid', 0);
    activationCodeRepo.markCodeAsOwn(db, 'acme', 'suid', 'desktop');
    activationCodeRepo.revokeActivationCodes(db, 'acme', 'suid');
    const which = { triesAllowed: 5, now, before: now };
    expiringCodeRepo.countMembersWithExpiringCodes(db, 'acme', which);
    expiringCodeRepo.listMembersWithExpiringCodes(db, 'acme', { ...which, after: { at: now, id: 3 }, count: 20 });
  });
});

test("finds groups, their members and a member's groups by index", () => {
  expectSearches((db) => {
    groupRepo.findGroup(db, 'acme', 'group');
    groupRepo.findGroupByName(db, 'acme', 'Guides');
    groupRepo.listGroupsByExternalId(db, 'acme', 'external');
    groupRepo.listGroups(db, 'acme');
    groupRepo.listMemberGroups(db, 'acme', 'suid');
    groupRepo.groupsByMember(db, 'acme', ['suid', 'another']);
    groupRepo.listMembersOfGroup(db, 'acme', 'group', 20);
    groupRepo.listSuidsOfGroup(db, 'acme', 'group');
    groupRepo.countMembersOfGroups(db, 'acme', ['group']);
    groupRepo.touchGroup(db, 'acme', 'group', now);
    groupRepo.leaveGroup(db, 'acme', 'group', 'suid');
    groupRepo.deleteGroup(db, 'acme', 'group');
    const condition = { op: 'eq', column: 'groupName', value: 'Guides' } as const;
    memberFilterRepo.memberFinder(db, { condition })({ after: 0, upTo: 10 });
  });
});

test('finds questions and answers by index', () => {
  expectSearches((db) => {
    faqRepo.listFaq(db, 'acme');
    faqRepo.countFaqRecords(db, 'acme');
    faqRepo.listSubcategoryIds(db, 'acme', 'category');
    faqRepo.listRecordIds(db, 'acme', 'subcategory');
    faqRepo.findRecord(db, 'acme', 'record');
    faqRepo.deleteCategory(db, 'acme', 'category');
  });
});

test('finds the member with an email or primary attribute through one index row', () => {
  const plans = plansOf((db) => {
    memberRepo.findMemberByEmail(db, 'acme', 'nobody@acme.test');
    memberRepo.findMemberByPrimaryAttr(db, 'acme', 'nobody');
    memberRepo.listMembersByEmail(db, 'nobody@acme.test');
  });
  const indexes = ['members_primary_email', 'members_primary_attr', 'members_deleted', 'members_email_everywhere'];
  expect(plans).toHaveLength(indexes.length);
  for (const [step, index] of indexes.entries()) expect(plans[step]).toContain(`USING INDEX ${index} (`);
});

test('counts sign-ins from the index alone', () => {
  const plans = plansOf((db) => loginHistoryRepo.countSignIns(db, 'acme', { from: now - 1, until: now }));
  expect(plans[0]).toContain('USING COVERING INDEX login_history_org (orgCode=? AND timestamp>? AND timestamp<?)');
});

test('counts changes and the sign-ins of a member by index', () => {
  const range = { from: now - 1, to: now };
  expect(plansOf((db) => auditRepo.countEvents(db, 'acme', range))).toEqual([
    'SEARCH audit_events USING COVERING INDEX audit_events_org (orgCode=? AND id>? AND id<?)',
  ]);
  const plans = plansOf((db) => loginHistoryRepo.countMatchingSignIns(db, 'acme', { ...range, suid: 'suid' }, 10));
  expect(plans.join('\n')).toContain(
    'SEARCH login_history USING INDEX login_history_member (suid=? AND orgCode=? AND timestamp>? AND timestamp<?)',
  );
});

test('finds invitees, their links and one-time codes by index', () => {
  const plans = plansOf((db) => {
    invitationRepo.findInvitees(db, 'acme', ['a@acme.test'], { type: 'mobile', now, triesAllowed: 5 });
    invitationRepo.listTakenPrimaryAttrs(db, 'acme', ['E-1']);
    invitationRepo.findInvitation(db, 'hash');
    invitationRepo.claimInvitation(db, 'hash', { usedAt: null, now });
    invitationRepo.pruneInvitations(db, now, 10);
    invitationRepo.closeInvitations(db, 'acme', ['suid'], { type: 'mobile', now });
    invitationRepo.dropInvitations(db, 'acme', 'suid', 'mobile');
    invitationRepo.markInvited(db, 'acme', ['suid']);
    invitationRepo.endInvitations(db, 'acme', 'suid', { type: 'mobile', now });
    oneTimeCodeRepo.countOneTimeCodes(db, 'acme', 'a@acme.test', now);
    oneTimeCodeRepo.findOneTimeCode(db, 'acme', 'suid');
    oneTimeCodeRepo.checkOneTimeCode(db, { id: 'id', hash: 'hash' }, { triesAllowed: 5, now });
    oneTimeCodeRepo.pruneOneTimeCodes(db, now);
    signUpRepo.isMobileNumberInUse(db, 'acme', '+46701234567', 'suid');
    outboxRepo.pruneOutbox(db, now, 10);
    db.$client.exec(`UPDATE outbox SET nextAttemptAt = ${now}`);
    expect(outboxRepo.claimDueMail(db, { now, leaseMs: 1 })).toBeDefined();
    outboxRepo.findNextMailTime(db);
    outboxRepo.settleMail(db, { id: 'id', attempts: 1 }, { deliveredAt: now, nextAttemptAt: null, lastError: null });
  });
  // Allow full scans only of the list passed as a parameter.
  for (const step of plans) expect(step).not.toMatch(/^SCAN (?!(wanted|json_each) VIRTUAL TABLE)/);
  expect(plans.join('\n')).toContain('members USING INDEX members_primary_email (orgCode=? AND primaryEmail=?)');
});

test('reads each sign-in history page from its index, without sorting', () => {
  const plans = plansOf((db) => {
    loginHistoryRepo.listLoginHistory(db, 'acme', 'suid', { count: 20 });
    loginHistoryRepo.listLoginHistory(db, 'acme', 'suid', { count: 20, before: { timestamp: now, id: 'id' } });
  });
  expect(plans.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
  expect(plans.filter((step) => step.includes('login_history_member (suid=? AND orgCode=?'))).toHaveLength(2);
});

test('finds applications, their secrets and settings by index', () => {
  expectSearches((db) => {
    applicationRepo.listApplications(db, 'acme');
    applicationRepo.findApplication(db, 'acme', 'payroll');
    applicationRepo.listAppIds(db, 'acme');
    applicationRepo.isAppIdInUse(db, 'acme', 'team-wiki');
    applicationRepo.findAppIdByName(db, 'acme', 'Payroll', 'team-wiki');
    applicationRepo.changeApplication(db, 'acme', 'payroll', { name: 'Salaries' });
    applicationRepo.countPortalApplications(db, 'acme');
    applicationRepo.findOidcClient(db, 'acme', 'payroll');
    applicationRepo.changeOidcClient(db, 'acme', 'payroll', { ttlIdToken: 60 });
    clientSecretRepo.listClientSecrets(db, 'acme', 'payroll');
    clientSecretRepo.deleteClientSecret(db, 'acme', 'payroll', 'id');
    serviceProviderRepo.findServiceProvider(db, 'acme', 'travel-desk');
    serviceProviderRepo.changeServiceProvider(db, 'acme', 'travel-desk', { nameId: 'email' });
    samlKeyRepo.listSamlKeys(db, 'acme');
    samlKeyRepo.deleteSamlKey(db, 'acme', 'kid');
    applicationRepo.deleteApplication(db, 'acme', 'payroll');
  });
});

test('finds stored OpenID Connect state by index', () => {
  expectSearches((db) => {
    const key = { orgCode: 'acme', model: 'Session', idHash: 'hash' };
    oidcModelRepo.findOidcModel(db, key);
    oidcModelRepo.findOidcModelByUid(db, { ...key, uid: 'uid' });
    oidcModelRepo.consumeOidcModel(db, key, now);
    oidcModelRepo.deleteOidcModel(db, key);
    oidcModelRepo.deleteOidcModelsOfGrant(db, 'acme', 'grant');
    oidcModelRepo.endAppSignIns(db, 'acme', { suid: 'suid' }, now);
    oidcModelRepo.endAppSignIns(db, 'acme', { zid: 'zid' }, now);
    oidcModelRepo.pruneOidcModels(db, now);
    oidcKeyRepo.listOidcKeys(db, 'acme');
    oidcKeyRepo.findOidcIssuer(db, 'acme');
    oidcApplicationRepo.findOidcApplication(db, 'acme', 'payroll');
    oidcApplicationRepo.listSecretsByClient(db, 'acme', 'payroll');
  });
});

test('finds sign-ins through an external provider by index', () => {
  expectSearches((db) => {
    externalSignInRepo.claimReturnedSignIn(db, { stateHash: 'state', browser: 'browser' }, now);
    const account = { issuer: 'https://provider.test', subject: 'u-1' };
    const returned = { stateHash: 'state', suid: 's', codeHash: 'code', ...account, email: '', approvalId: null };
    externalSignInRepo.approveExternalSignIn(db, 'acme', returned, now);
    const hashes = { codeHash: 'code', browser: 'browser' };
    externalSignInRepo.claimExternalSignIn(db, hashes, { approvedAfter: now, now });
    externalSignInRepo.findExternalSignInByCode(db, hashes);
    externalSignInRepo.pruneExternalSignIns(db, now);
    externalIdentityRepo.findExternalIdentity(db, 'acme', account);
    externalIdentityRepo.listExternalIdentities(db, 'acme', 'suid');
    externalIdentityRepo.touchExternalIdentity(db, 'acme', { id: 'id', approvedAt: null }, now);
    externalIdentityRepo.removeExternalIdentity(db, 'acme', { id: 'id', suid: 'suid' });
    externalIdentityRepo.removeExternalIdentities(db, 'acme', 'suid');
    sessionRepo.revokeSessions(db, 'acme', { externalIdentityId: 'id' }, now);
  });
});

test('finds email changes and their codes by index', () => {
  expectSearches((db) => {
    const change = { suid: 'suid', email: 'new@acme.test' };
    emailChangeRepo.findEmailChange(db, 'acme', 'suid', now);
    emailChangeRepo.endEmailChange(db, 'acme', 'suid');
    emailChangeRepo.setVerifiedEmail(db, 'acme', change, now);
    emailChangeRepo.markEmailVerified(db, 'acme', change, now);
    emailChangeRepo.pruneEmailChanges(db, now);
    oneTimeCodeRepo.countOneTimeCodesByMember(db, 'acme', 'suid', now);
    challengeRepo.claimApproval(
      db,
      'acme',
      { id: 'id', suid: 'suid', action: 'a', contentHash: 'h' },
      { answeredAfter: now, now },
    );
  });
});

test('evaluates each audit filter in the index and pages without sorting', () => {
  const actor = { actorSuid: 'suid', actorKind: 'member' } as const;
  const filters: auditRepo.AuditFilter[] = [
    {},
    { from: now - 1, to: now },
    { text: 'ada' },
    actor,
    {
      ...actor,
      action: 'member.updated',
      objectType: 'member',
      objectId: 'o',
      suid: 's',
      text: 'ada',
      from: 1,
      to: now,
    },
  ];
  for (const filter of filters) {
    const plans = plansOf((db) => auditRepo.listEvents(db, 'acme', filter, { count: 20, before: 7 }));
    expect(plans.filter((step) => /TEMP B-TREE/.test(step))).toEqual([]);
    const isSearched = Object.keys(filter).some((name) => name !== 'from' && name !== 'to');
    const wanted = isSearched
      ? /^SCAN audit_search VIRTUAL TABLE INDEX \d+:.*M/
      : /^SEARCH audit_events USING INDEX audit_events_org \(orgCode=\? AND id>\? AND id<\?\)/;
    expect(plans[0]).toMatch(wanted);
    // The remaining steps must read the found events by key.
    expect(plans.slice(1).every((step) => step.includes('INTEGER PRIMARY KEY'))).toBe(true);
  }
});

test("finds the start of a search's reach from the organisation index alone", () => {
  const plans = plansOf((db) =>
    auditRepo.findStartOfReach(db, 'acme', { from: 1, to: now }, { before: 7, reach: 100 }),
  );
  expect(plans).toEqual([expect.stringMatching(/^SEARCH audit_events USING COVERING INDEX audit_events_org/)]);
});

test('inserts and deletes events by key', () => {
  const event: Omit<auditRepo.AuditRow, 'id'> = {
    orgCode: 'acme',
    at: now,
    action: 'member.updated',
    actorKind: 'system',
    actorSuid: null,
    actorName: '',
    actorMode: '',
    actorSid: null,
    ip: '',
    objectType: 'member',
    objectId: 'o',
    objectName: '',
    suid: null,
    changes: [],
  };
  expectSearches((db) => {
    auditRepo.insertEvent(db, event);
    auditRepo.pruneEvents(db, now, 10);
  });
});

test('lists sign-ins from the index of the most selective filter, without sorting', () => {
  const indexOf = (filter: loginHistoryRepo.SignInFilter) => {
    const page = { count: 20, before: { timestamp: now, id: 'id' }, reach: 1_000 };
    const plans = plansOf((db) => loginHistoryRepo.listSignIns(db, 'acme', filter, page));
    expect(plans.filter((step) => /TEMP B-TREE/.test(step))).toEqual([]);
    return /login_history USING INDEX (\w+)/.exec(plans.join('\n'))?.[1];
  };
  const all = { mode: 'QID', from: now - 1, to: now };
  expect(indexOf(all)).toMatch(/^login_history_(time|org)$/);
  expect(indexOf({ ...all, ip: '::1' })).toBe('login_history_ip');
  expect(indexOf({ ...all, status: 'Failed' })).toBe('login_history_failed');
  expect(indexOf({ ...all, reason: 'cancel', ip: '::1' })).toBe('login_history_failed');
  expect(indexOf({ ...all, appId: 'payroll', status: 'Failed' })).toBe('login_history_app');
  expect(indexOf({ ...all, suid: 'suid', appId: 'payroll' })).toBe('login_history_member');
});

test('finds webhooks and webhook deliveries by index', () => {
  expectSearches((db) => {
    webhookRepo.listWebhooks(db, 'acme');
    webhookRepo.findWebhook(db, 'acme', 'id');
    webhookRepo.listSubscribedWebhookIds(db, 'acme', 'member.updated');
    webhookRepo.findDelivery(db, 'acme', 'id', 'delivery');
    const row = { id: 'id', orgCode: 'acme', createdAt: now };
    webhookRepo.insertWebhook(db, { ...row, url: '', description: '', enabled: true, events: [], secret: '' });
    webhookRepo.insertDelivery(db, {
      ...row,
      webhookId: 'id',
      type: 'member.updated',
      payload: '',
      nextAttemptAt: now,
    });
    expect(webhookRepo.claimDueDelivery(db, { now, leaseMs: 1 })).toBeDefined();
    webhookRepo.pruneDeliveries(db, now, 10);
    webhookRepo.cancelDeliveries(db, 'acme', 'id', '');
    webhookRepo.deleteWebhook(db, 'acme', 'id');
  });
  const plans = plansOf((db) => webhookRepo.listDeliveries(db, 'acme', 'id', { count: 20, before: 7 }));
  expect(plans.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
});

test('finds groups by member without scanning all groups', () => {
  const found = plansOf((db) => {
    groupRepo.listMemberGroups(db, 'acme', 'suid');
    groupRepo.groupsByMember(db, 'acme', ['suid', 'another']);
  });
  const ofMembers = found.filter((step) => step.includes('groupMembers') || step.includes('group_members'));
  expect(ofMembers.length).toBeGreaterThan(0);
  for (const step of ofMembers) expect(step).toContain('group_members_member');
});

test('finds people and groups in outbound provisioning by index', () => {
  const app = { orgCode: 'acme', appId: 'team-wiki' };
  const target = { ...app, sendGroups: true, markedUpTo: 0, marksAnew: true, pausedUntil: null };
  const row = { number: 1, mark: 0 };
  const lease = { now, leaseMs: 60_000 };
  expectSearches((db) => {
    const { suid } = memberRepo.findMemberByEmail(db, 'acme', 'user@acme.test') ?? { suid: '' };
    outboundTargetRepo.saveTarget(db, targetRow({ ...target, createdAt: now }));
    outboundTargetRepo.findTarget(db, 'acme', 'team-wiki');
    outboundTargetRepo.listActiveTargets(db, 'acme');
    outboundMarkRepo.markPerson(db, app, suid, now);
    outboundMarkRepo.markReports(db, app, 'suid', now);
    outboundMarkRepo.markGroup(db, app, 'group', now);
    outboundMarkRepo.markGroupsOfMember(db, app, 'suid', now);
    outboundMarkRepo.markMore(db, target, now);
    outboundMarkRepo.markMore(db, { ...target, markedUpTo: 2 ** 40 }, now);
    outboundPersonRepo.listRemoteMembers(db, app, 'group');
    expect(outboundPersonRepo.claimDuePerson(db, lease)).toBeDefined();
    outboundPersonRepo.claimPerson(db, app, { suid: 'suid' }, lease);
    outboundPersonRepo.claimPerson(db, app, { groupId: 'group' }, lease);
    outboundPersonRepo.findPerson(db, app, { suid: 'suid' });
    outboundPersonRepo.findPerson(db, app, { groupId: 'group' });
    outboundPersonRepo.countPeople(db, target);
    outboundPersonRepo.unschedulePeople(db, app);
    outboundPersonRepo.postponePeople(db, app, now);
    outboundPersonRepo.deletePerson(db, row);
    outboundPersonRepo.findNextPersonTime(db);
    outboundLogRepo.listLog(db, app, { atMost: 20 });
    outboundLogRepo.listLog(db, app, { atMost: 1, number: 1 });
    outboundLogRepo.pruneLog(db, now, 100);
  });
});
