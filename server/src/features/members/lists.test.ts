import { randomUUID } from 'node:crypto';
import { loginHistoryRepo, memberRepo } from '@orchestrate/db';
import { DAY, disownLogin, getLoginHistory, getSummary, HOUR, listReportees, MINUTE } from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startSession } from '#core/sign-in/sessions.ts';
import { memberByEmail, setMember, setOrganisation } from '#testing/device.ts';
import { TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

describe('direct reports', () => {
  const reportsOf = async (email: string) => {
    const auth = await portal.signIn(email);
    return portal.call(listReportees, { query: {} }, auth);
  };

  // covers: spec 1.3.7
  test('include members in every status, and no one else’s reports', async () => {
    const { body } = await reportsOf('manager@acme.test');
    expect(body.reportee.map(({ firstName, lastName }) => `${firstName} ${lastName}`)).toEqual([
      'Daniel Ortiz',
      'Marcus Oyelaran',
      'Mara Lindholm',
      'Omar Hassan',
      'Tamara Quist',
      'Amara Okafor',
      'Zoë Lefèvre',
      'Łukasz Kamiński',
    ]);
    expect(body.reportee[0]).toMatchObject({ roleName: 'Org User', deviceCount: 1, accountStatus: 'active' });
    expect(body.reportee.every(({ activationCode }) => activationCode === '')).toBe(true);
  });

  // covers: spec 1.7.6
  test('require the manager flag and the organisation’s setting (INVALID_PERMISSIONS)', async () => {
    expect(await reportsOf('user@acme.test')).toMatchObject({
      status: 403,
      body: { resultName: 'INVALID_PERMISSIONS' },
    });
    setOrganisation(portal, 'acme', { allowReporteeSearch: 0 });
    expect(await reportsOf('manager@acme.test')).toMatchObject({
      status: 403,
      body: { resultName: 'INVALID_PERMISSIONS' },
    });
  });

  test('are empty for a manager without reports, and ignore the search type', async () => {
    const { suid } = memberByEmail(portal, 'acme', 'user@acme.test');
    setMember(portal, suid, { isManager: 1 });
    expect((await reportsOf('user@acme.test')).body.reportee).toEqual([]);
    const auth = await portal.signIn('manager@acme.test');
    const { body } = await portal.call(listReportees, { query: { userType: 'reportee' } }, auth);
    expect(body.reportee).toHaveLength(8);
  });
});

describe('dashboard summary', () => {
  async function summary(since?: string, email = 'super.admin@acme.test', timeZone?: string) {
    const { orgCode, suid, zid } = portal.device(email);
    const auth = await startSession(portal.deps, { orgCode, suid, zid });
    return portal.call(getSummary, { query: { since, timeZone } }, auth);
  }

  test('counts members by status', async () => {
    const { status, body } = await summary();
    expect(status).toBe(200);
    expect(body.members).toEqual({ total: 244, active: 214, inactive: 11, unregistered: 17, unverified: 2 });
    const { suid } = memberByEmail(portal, 'acme', 'user@acme.test');
    memberRepo.setAccountStatus(portal.deps.db, 'acme', suid, { accountStatus: 'deleted', statusBeforePause: null });
    expect((await summary()).body.members).toMatchObject({ total: 243, active: 213 });
    expect((await summary(undefined, 'admin@globex.test')).body.members).toEqual({
      total: 8,
      active: 6,
      inactive: 1,
      unregistered: 1,
      unverified: 0,
    });
  });

  function addSignIn({ suid, zid }: { suid: string; zid: string }, timestamp: number, reason: string | null = null) {
    loginHistoryRepo.insertLoginRecord(portal.deps.db, {
      id: randomUUID(),
      orgCode: 'acme',
      suid,
      zid,
      deviceName: 'Phone',
      deviceType: 'mobile',
      appName: 'Portal',
      mode: 'QID',
      ip: '127.0.0.1',
      loginStatus: reason ? 'Failed' : 'Success',
      reason,
      timestamp,
    });
  }

  test('counts the sign-ins of 14 days by day in the user’s time zone', async () => {
    portal.deps.db.$client.exec('DELETE FROM login_history');
    const device = portal.device('user@acme.test');
    const midnight = TEST_NOW - (TEST_NOW % DAY);
    addSignIn(device, midnight);
    addSignIn(device, midnight - 1);
    addSignIn(device, midnight - 30 * MINUTE, 'not-me');
    addSignIn(device, midnight - 13 * DAY);
    addSignIn(device, midnight - 13 * DAY - 1);
    const daysIn = async (timeZone?: string) => {
      const { days } = (await summary(undefined, undefined, timeZone)).body;
      return days.filter(({ success, failed }) => success + failed > 0);
    };
    const [first, yesterday, today] = [13, 1, 0].map((ago) => portal.clock.iso(midnight - ago * DAY).slice(0, 10));
    expect(await daysIn()).toEqual([
      { day: first, success: 1, failed: 0, notMe: 0 },
      { day: yesterday, success: 1, failed: 1, notMe: 1 },
      { day: today, success: 1, failed: 0, notMe: 0 },
    ]);
    // One hour east of UTC, the last half hour of a day already belongs to the next day.
    expect(await daysIn('Europe/Berlin')).toEqual([
      { day: first, success: 2, failed: 0, notMe: 0 },
      { day: today, success: 2, failed: 1, notMe: 1 },
    ]);
    expect(await daysIn('Mars/Olympus')).toEqual(await daysIn('UTC'));
  });

  test('lists the latest sign-ins only for users who can view sign-ins', async () => {
    const { suid } = memberByEmail(portal, 'acme', 'user@acme.test');
    const mine = portal.device('user@acme.test');
    addSignIn(mine, TEST_NOW + HOUR);
    const { latest, disowned } = (await summary()).body;
    expect(latest).toHaveLength(5);
    expect(latest?.[0]).toMatchObject({ suid, name: 'Daniel Ortiz', device: 'Phone', loginStatus: 'Success' });
    expect(disowned).toBe(0);
    expect((await summary(undefined, 'helpdesk.admin@acme.test')).body.latest).toBeNull();
    expect((await summary(undefined, 'admin@globex.test')).body.latest?.some((record) => record.suid === suid)).toBe(
      false,
    );
  });

  test('counts sign-ins that members reported in the last seven days', async () => {
    const auth = await portal.signIn('user@acme.test');
    const { records } = (await portal.call(getLoginHistory, { query: { count: 1 } }, auth)).body;
    await portal.call(disownLogin, { body: { id: records[0]?.id ?? '' } }, auth);
    expect((await summary()).body.disowned).toBe(1);
    expect((await summary(undefined, 'admin@globex.test')).body.disowned).toBe(0);
    portal.clock.advance((7 * DAY + MINUTE) / 1_000);
    expect((await summary()).body.disowned).toBe(0);
  });

  test('counts sign-ins in the user’s day and in the same hours of the day before', async () => {
    portal.deps.db.$client.exec('DELETE FROM login_history');
    const { suid, zid } = portal.device('user@acme.test');
    const record = (timestamp: number, reason: string | null = null) => addSignIn({ suid, zid }, timestamp, reason);
    const midnight = TEST_NOW - (TEST_NOW % DAY);
    for (const at of [midnight, TEST_NOW, midnight - 1, midnight - DAY, TEST_NOW - DAY, TEST_NOW - DAY + 1]) record(at);
    record(TEST_NOW - MINUTE, 'not-me');
    record(TEST_NOW - MINUTE, 'cancel');
    record(TEST_NOW - MINUTE, 'wrong-number');
    record(TEST_NOW - DAY, 'not-me');
    expect((await summary()).body).toMatchObject({ signIns: 2, signInsBefore: 2, failed: 3, denied: 2 });
    const since = portal.clock.iso(midnight - HOUR);
    expect((await summary(since)).body).toMatchObject({ signIns: 3, signInsBefore: 2, failed: 3, denied: 2 });
    expect((await summary(portal.clock.iso(0))).body).toEqual(
      (await summary(portal.clock.iso(TEST_NOW - 25 * HOUR))).body,
    );
    expect((await summary(portal.clock.iso(TEST_NOW + DAY))).body).toMatchObject({ signIns: 1, failed: 0 });
    expect((await summary('yesterday')).status).toBe(400);
  });

  test('counts codes that can still be used', async () => {
    const { codesExpiring } = (await summary()).body;
    expect(codesExpiring).toBeGreaterThan(0);
    portal.clock.advance(24 * 3_600);
    expect((await summary()).body.codesExpiring).toBe(0);
  });

  test('requires the permission to search members', async () => {
    expect(await summary(undefined, 'user@acme.test')).toMatchObject({
      status: 403,
      body: { resultName: 'INVALID_PERMISSIONS' },
    });
    expect((await summary(undefined, 'callcenter.admin@acme.test')).status).toBe(200);
  });
});
