import {
  approveRequest,
  clearPolicies,
  codeOf,
  denyRequest,
  login,
  loginLive,
  loginState,
  makePerson,
  makeSession,
  type PhoneLie,
  phoneLie,
  type ResultName,
  readPolicies,
  readRequests,
  resetLab,
  respond,
  restoreSnapshot,
  setClock,
  setPolicy,
  takeSnapshot,
} from '@orchestrate/shared';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { signedCallBody } from '#testing/device.ts';
import { beginQr, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
beforeEach(() => portal.call(resetLab, { body: {} }));
afterAll(() => portal.close());

const USER = 'user@acme.test';
const HELPDESK = 'helpdesk.admin@acme.test';
type Given = z.input<(typeof setPolicy)['body']>;

/** Sets a policy and asserts that it is accepted. */
async function policy(body: Given): Promise<void> {
  const { status, body: answer } = await portal.call(setPolicy, { body });
  expect({ status, issues: answer.issues }).toEqual({ status: 200 });
}

const advance = (advanceSeconds: number) => portal.call(setClock, { body: { advanceSeconds } });

const push = async (email = USER) => {
  const { body } = await portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: email } });
  return body.loginId ?? '';
};

/** Returns the final sign-in state reported to the browser. */
async function outcomeOf(loginId: string) {
  const channel = await portal.open(loginLive, { loginId });
  for (;;) {
    const message = await channel.next();
    if (message.state !== 'init' && message.state !== 'pending') return message;
  }
}

describe('policies', () => {
  test('approve a push automatically and sign the browser in', async () => {
    await policy({ match: { email: USER }, answer: 'approve', afterMs: 250 });
    const loginId = await push();
    await advance(0.249);
    expect((await portal.call(loginState, { params: { loginId } })).body.state).toBe('pending');
    await advance(0.001);
    expect((await portal.call(readPolicies, {})).body.answered).toHaveLength(1);
    const { state, exchangeToken = '' } = await outcomeOf(loginId);
    expect(state).toBe('success');
    const { body } = await portal.call(login, { body: { loginId, exchangeToken } });
    expect(body.profile?.email).toBe(USER);
  });

  test('answer in time even if the clock advances far beyond their delay', async () => {
    await policy({ match: { email: USER }, answer: 'approve', afterMs: 60_000 });
    const loginId = await push();
    await advance(3_600);
    const { answered } = (await portal.call(readPolicies, {})).body;
    expect(answered).toMatchObject([{ result: { resultName: 'SUCCESS' } }]);
    expect((await portal.call(loginState, { params: { loginId } })).body.state).toBe('expired');
  });

  test('produce different results for deny and ignore', async () => {
    await policy({ match: { email: USER }, answer: 'deny', times: 1 });
    expect(await outcomeOf(await push())).toMatchObject({ state: 'rejected', resultCode: codeOf('LOGIN_REJECTED') });
    await policy({ match: { email: USER }, answer: 'ignore' });
    const outcome = outcomeOf(await push());
    await portal.call(setClock, { body: { advanceSeconds: 121 } });
    expect(await outcome).toMatchObject({ state: 'expired', resultCode: codeOf('EXPIRED') });
  });

  test('open a code only if configured to', async () => {
    await policy({ match: { email: USER }, answer: 'approve' });
    const unopened = await beginQr(portal);
    await policy({ match: { email: USER, kind: 'login' }, answer: 'approve', opens: true, times: 2 });
    expect((await outcomeOf(unopened.loginId)).state).toBe('success');
    expect((await outcomeOf((await beginQr(portal)).loginId)).state).toBe('success');
    expect((await portal.call(readPolicies, {})).body.policies).toEqual([
      { match: { email: USER }, answer: 'approve', afterMs: 0 },
    ]);
  });

  test('open a scanned code even if the phone delays or ignores its response', async () => {
    await policy({ match: { email: USER }, answer: 'approve', opens: true, afterMs: 300 });
    const channel = await portal.open(loginLive, { loginId: (await beginQr(portal)).loginId });
    while ((await channel.next()).state !== 'pending');
    await advance(0.3);
    expect((await channel.next()).state).toBe('success');

    await policy({ match: { email: USER }, answer: 'ignore', opens: true });
    const ignored = await portal.open(loginLive, { loginId: (await beginQr(portal)).loginId });
    while ((await ignored.next()).state !== 'pending');
    await portal.call(setClock, { body: { advanceSeconds: 121 } });
    expect((await ignored.next()).state).toBe('expired');
  });

  test('respond to a pending request after its snapshot is restored', async () => {
    await policy({ match: { email: USER }, answer: 'approve', afterMs: 300 });
    const loginId = await push();
    const { snapshotId } = (await portal.call(takeSnapshot, { body: {} })).body;
    await portal.call(restoreSnapshot, { params: { snapshotId } });
    await advance(0.3);
    expect((await outcomeOf(loginId)).state).toBe('success');
  });

  test('restore the remaining uses, and complete a planned response even if used up', {
    tags: 'whole',
  }, async () => {
    await policy({ match: { email: USER }, answer: 'approve', afterMs: 300, times: 1 });
    await policy({ match: { email: HELPDESK }, answer: 'ignore', times: 2 });
    const loginId = await push();
    await push(HELPDESK);
    const { policies } = (await portal.call(readPolicies, {})).body;
    expect(policies).toMatchObject([{ match: { email: HELPDESK }, times: 1 }]);
    const { snapshotId } = (await portal.call(takeSnapshot, { body: {} })).body;
    for (const round of [1, 2]) {
      await portal.call(resetLab, { body: {} });
      await portal.call(restoreSnapshot, { params: { snapshotId } });
      expect((await portal.call(readPolicies, {})).body.policies, `round ${round}`).toEqual(policies);
      await advance(0.3);
      expect((await outcomeOf(loginId)).state).toBe('success');
    }
  });

  test('keep ignoring a request after a restore if it was ignored before the snapshot', async () => {
    await policy({ match: { email: USER }, answer: 'ignore', times: 1 });
    const loginId = await push();
    const { snapshotId } = (await portal.call(takeSnapshot, { body: {} })).body;
    await portal.call(restoreSnapshot, { params: { snapshotId } });
    await policy({ match: { email: USER }, answer: 'deny' });
    const later = await push();
    expect((await outcomeOf(later)).state).toBe('rejected');
    expect((await portal.call(loginState, { params: { loginId } })).body.state).toBe('pending');
  });

  test('drop pending responses on a reset', {
    tags: 'whole',
  }, async () => {
    for (let round = 0; round < 5; round += 1) {
      await policy({ match: { email: USER }, answer: 'approve' });
      await push();
      await portal.call(resetLab, { body: {} });
      await portal.signIn(HELPDESK);
      expect((await portal.call(readPolicies, {})).body.answered).toEqual([]);
    }
  });

  test('reject a number for a request that displays none', async () => {
    const { loginId } = await beginQr(portal);
    const answer = { as: USER, number: 'wrong' as const };
    const { status, body } = await portal.call(approveRequest, { params: { loginId }, body: answer });
    expect({ status, paths: body.issues?.map(({ path }) => path) }).toEqual({ status: 400, paths: ['number'] });
    expect((await portal.call(loginState, { params: { loginId } })).body.state).toBe('init');
  });

  test('reject the sign-in after a wrong number', async () => {
    await policy({ match: { email: USER }, answer: 'approve', number: 'wrong' });
    const loginId = await push();
    expect((await outcomeOf(loginId)).state).toBe('rejected');
    const { answered } = (await portal.call(readPolicies, {})).body;
    expect(answered).toEqual([
      expect.objectContaining({
        challengeId: loginId,
        result: expect.objectContaining({ resultName: 'INVALID_VALIDATION_CODE' }),
      }),
    ]);
  });

  test('aren’t needed for a single response with a wrong number, which rejects the sign-in', async () => {
    const loginId = await push();
    const { status, body } = await portal.call(approveRequest, {
      params: { loginId },
      body: { as: USER, number: 'wrong' },
    });
    expect({ status, name: body.result?.resultName }).toEqual({ status: 200, name: 'INVALID_VALIDATION_CODE' });
    expect((await outcomeOf(loginId)).state).toBe('rejected');
  });

  test('don’t apply to sessions created by the lab, even refused ones', async () => {
    await policy({ match: { email: USER }, answer: 'approve', opens: true, times: 1 });
    const disabled = { org: 'acme', status: 'inactive' as const, devices: [{}] };
    const { email } = (await portal.call(makePerson, { body: disabled })).body;
    expect((await portal.call(makeSession, { body: { email } })).body.resultName).toBe('USER_INACTIVE');
    const waiting = beginQr(portal);
    expect((await portal.call(makeSession, { body: { email: 'manager@acme.test' } })).status).toBe(200);
    const { loginId } = await waiting;
    expect((await outcomeOf(loginId)).state).toBe('success');
    expect((await portal.call(readPolicies, {})).body).toMatchObject({
      policies: [],
      answered: [{ challengeId: loginId, result: { resultName: 'SUCCESS' } }],
    });
    expect((await portal.call(readRequests, {})).body.requests).toEqual([]);
  });

  test('apply the most specific policy and replace one with the same match', async () => {
    await policy({ match: {}, answer: 'deny' });
    await policy({ match: { email: USER }, answer: 'deny', reason: 'not-me' });
    await policy({ match: { email: USER }, answer: 'approve' });
    expect((await outcomeOf(await push())).state).toBe('success');
    expect((await outcomeOf(await push('manager@acme.test'))).state).toBe('rejected');
    expect((await portal.call(readPolicies, {})).body.policies).toHaveLength(2);
  });

  test('are all removed at the same time by clearing', async () => {
    await policy({ match: { email: USER }, answer: 'approve' });
    await portal.call(clearPolicies, { query: {} });
    const loginId = await push();
    await portal.call(setClock, { body: { advanceSeconds: 1 } });
    expect((await portal.call(loginState, { params: { loginId } })).body.state).toBe('pending');
  });

  test('are removed individually by their exact match', async () => {
    await policy({ match: { email: USER, org: 'acme' }, answer: 'approve' });
    await policy({ match: { email: USER }, answer: 'deny' });
    await portal.call(clearPolicies, { query: { email: USER, org: 'acme' } });
    expect((await portal.call(readPolicies, {})).body.policies).toMatchObject([{ match: { email: USER } }]);
    expect((await outcomeOf(await push())).state).toBe('rejected');
  });

  test('can be removed individually even with an empty match', async () => {
    await policy({ match: {}, answer: 'approve' });
    await policy({ match: { org: 'acme' }, answer: 'deny' });
    const both = await portal.call(clearPolicies, { query: { everybody: 'true', org: 'acme' } });
    expect(both).toMatchObject({ status: 400, body: { issues: [{ path: 'everybody' }] } });
    await portal.call(clearPolicies, { query: { everybody: 'true' } });
    expect((await portal.call(readPolicies, {})).body.policies).toMatchObject([{ match: { org: 'acme' } }]);
  });

  test('reject removing a misspelt match but accept removing a used-up policy', async () => {
    await policy({ match: { email: USER }, answer: 'approve', times: 1 });
    const misspelt = await portal.call(clearPolicies, { query: { email: USER.replace('user', 'usr') } });
    expect(misspelt).toMatchObject({ status: 404, body: { resultName: 'ORG_EMAIL_NOT_FOUND' } });
    expect(misspelt.body.message).toContain(USER);
    expect((await portal.call(readPolicies, {})).body.policies).toHaveLength(1);
    await outcomeOf(await push());
    expect((await portal.call(clearPolicies, { query: { email: USER } })).status).toBe(200);
  });

  test.each<[string, unknown, string, string]>([
    ['a reason without deny', { match: {}, answer: 'approve', reason: 'not-me' }, 'reason', 'deny'],
    ['a number without approve', { match: {}, answer: 'deny', number: 'wrong' }, 'number', 'approve'],
    [
      'a lie combined with ignore',
      { match: {}, answer: 'ignore', lie: 'old' },
      'lie',
      'cannot be combined with ignore',
    ],
    ['a delay combined with ignore', { match: {}, answer: 'ignore', afterMs: 9 }, 'afterMs', 'not to ignore'],
    ['opens without an email', { match: { org: 'acme' }, answer: 'approve', opens: true }, 'opens', 'email'],
    ['a short delay combined with ignore', { match: {}, answer: 'ignore', afterMs: 5 }, 'afterMs', 'ignore'],
    ['a denial of a device test', { match: { kind: 'test' }, answer: 'deny' }, 'answer', 'cannot be answered'],
    [
      'a lie about a device test',
      { match: { kind: 'test' }, answer: 'approve', lie: 'old' },
      'lie',
      'cannot be answered',
    ],
    [
      'a number for a request without one',
      { match: { kind: 'verbal' }, answer: 'approve', number: 'wrong' },
      'number',
      'no number',
    ],
    ['an unknown key', { match: { emial: USER }, answer: 'approve' }, 'match.emial', 'email'],
    ['an unknown answer', { match: {}, answer: 'aprove' }, 'answer', 'approve'],
  ])('reject %s', async (_, given, path, hint) => {
    const { status, body } = await portal.call(setPolicy, { body: given as Given });
    expect({ status, issues: body.issues }).toEqual({
      status: 400,
      issues: [{ path, message: expect.stringContaining(hint) }],
    });
  });

  test('reject a lost-device lie if no device was reported lost, without opening the code', async () => {
    const lie = 'lost-device' as const;
    for (const match of [{ org: 'globex' }, { email: 'admin@globex.test' }]) {
      const { status, body } = await portal.call(setPolicy, { body: { match, answer: 'approve', lie } });
      expect({ status, message: body.message }).toEqual({
        status: 404,
        message: expect.stringContaining('No simulated device of globex has been reported lost'),
      });
    }
    const forEveryone = await portal.call(setPolicy, { body: { match: {}, answer: 'approve', lie } });
    expect(forEveryone).toMatchObject({ status: 404, body: { message: expect.stringContaining('of globex') } });
    await policy({ match: { org: 'acme' }, answer: 'approve', lie });
    await policy({ match: { email: USER }, answer: 'approve', lie });
    const { loginId } = await beginQr(portal, 'globex');
    const answer = { as: 'admin@globex.test', lie };
    expect((await portal.call(approveRequest, { params: { loginId }, body: answer })).status).toBe(404);
    expect((await portal.call(loginState, { params: { loginId } })).body.state).toBe('init');
  });

  test.each<[Given['match'], string]>([
    [{ email: 'usr@acme.test' }, 'Did you mean user@acme.test?'],
    [{ zid: 'nothing' }, "nothing doesn't have a simulated device."],
    [{ org: 'acmee' }, 'Did you mean acme?'],
  ])('reject %j, which doesn’t exist', async (match, hint) => {
    const { status, body } = await portal.call(setPolicy, { body: { match, answer: 'approve' } });
    expect({ status, message: body.message }).toEqual({ status: 404, message: expect.stringContaining(hint) });
  });
});

test('rejects a policy that no phone could follow', { tags: 'whole' }, async () => {
  const { zid } = portal.device(USER);
  const other = await portal.call(setPolicy, {
    body: { match: { zid, email: 'manager@acme.test' }, answer: 'approve' },
  });
  expect(other).toMatchObject({ status: 400, body: { issues: [{ path: 'match.zid' }] } });
  await policy({ match: { zid, email: USER }, answer: 'approve' });
  await portal.call(resetLab, {
    body: { seed: { organisations: [{ code: 'initech', people: [{ email: 'peter@initech.test' }] }] } },
  });
  const lost = await portal.call(setPolicy, {
    body: { match: { email: 'peter@initech.test' }, answer: 'approve', lie: 'lost-device' },
  });
  expect(lost).toMatchObject({ status: 404, body: { message: expect.stringContaining('reported lost') } });
  await portal.call(resetLab, { body: { seed: 'demo' } });
});

test.each([
  ['initech', 'globex'],
  ['globex', 'initech'],
])(
  'doesn’t use a lost phone in %s to lie in %s, where the person has a phone too',
  { tags: 'whole' },
  async (one, other) => {
    const email = 'noa@consulting.test';
    const lost = { email: 'lost@consulting.test', devices: [{ status: 'lost' as const }] };
    const organisations = [
      { code: one, people: [{ email }, lost] },
      { code: other, people: [{ email }] },
    ];
    await portal.call(resetLab, { body: { seed: { organisations } } });
    const body = { match: { email }, answer: 'approve' as const, lie: 'lost-device' as const };
    const refused = await portal.call(setPolicy, { body });
    expect(refused).toMatchObject({ status: 404, body: { message: expect.stringContaining(`of ${other} has been`) } });
    await policy({ ...body, match: { email, org: one } });
    await portal.call(resetLab, { body: { seed: 'demo' } });
  },
);

describe('responding to a single request', () => {
  test('names the intended person if another person responds', async () => {
    const { body: pushed } = await portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: USER } });
    const params = { loginId: pushed.loginId ?? '' };
    const { status, body } = await portal.call(approveRequest, { params, body: { as: 'manager@acme.test' } });
    expect({ status, message: body.message }).toEqual({
      status: 404,
      message: 'This doesn’t exist or has been deleted. The request is for user@acme.test, not for manager@acme.test.',
    });
    expect((await portal.call(approveRequest, { params, body: { as: USER } })).status).toBe(200);
  });

  test('suggests no other person if the person has no phone', async () => {
    const { loginId } = await beginQr(portal, 'acme');
    const { email } = (await portal.call(makePerson, { body: { org: 'acme', devices: [] } })).body;
    const { status, body } = await portal.call(approveRequest, { params: { loginId }, body: { as: email } });
    expect({ status, message: body.message }).toEqual({
      status: 404,
      message: `${email} in acme doesn't have a simulated device.`,
    });
  });

  test('approves or denies a sign-in by code in one call as a given person', async () => {
    const { loginId } = await beginQr(portal);
    const { body } = await portal.call(approveRequest, { params: { loginId }, body: { as: USER } });
    expect(body.result).toMatchObject({ resultName: 'SUCCESS' });
    expect((await outcomeOf(loginId)).state).toBe('success');
    const other = await beginQr(portal);
    await portal.call(denyRequest, { params: { loginId: other.loginId }, body: { as: portal.device(USER).zid } });
    expect((await outcomeOf(other.loginId)).state).toBe('rejected');
  });

  test('returns the portal’s refusal of an honest response', async () => {
    const { loginId } = await beginQr(portal);
    const approve = () => portal.call(approveRequest, { params: { loginId }, body: { as: USER } });
    await portal.call(setClock, { body: { advanceSeconds: 200 } });
    expect((await approve()).body.resultName).toBe('EXPIRED');
    const unknown = await portal.call(approveRequest, { params: { loginId: 'unknown' }, body: { as: USER } });
    expect(unknown).toMatchObject({ status: 404, body: { resultName: 'ID_DOESNOT_EXIST' } });
  });

  const refusals: Record<PhoneLie, [ResultName, string]> = {
    'wrong-key': ['SIGNATURE_MISMATCH', 'signed with a different device'],
    altered: ['SIGNATURE_MISMATCH', 'The message was changed after signing.'],
    replay: ['SIGNATURE_MISMATCH', 'used before'],
    old: ['EXPIRED', '600 seconds ago'],
    future: ['EXPIRED', '600 seconds in the future'],
    'other-audience': ['SIGNATURE_MISMATCH', 'another organisation'],
    'unknown-device': ['DEVICE_NOT_TRUSTED', "doesn't recognise this device"],
    'lost-device': ['DEVICE_NOT_TRUSTED', 'reported lost'],
  };

  test.each(phoneLie.options)('returns a specific refusal for the lie %s and creates no session', async (lie) => {
    const { loginId } = await beginQr(portal);
    const { body } = await portal.call(approveRequest, { params: { loginId }, body: { as: USER, lie } });
    const [resultName, message] = refusals[lie];
    expect(body.result).toEqual({
      resultCode: codeOf(resultName),
      resultName,
      message: expect.stringContaining(message),
    });
    expect((await portal.call(loginState, { params: { loginId } })).body.exchangeToken).toBeUndefined();
  });

  test('acceptance 3: refuses each invalid response with its own code and creates no session', async () => {
    const late = async () => void (await portal.call(setClock, { body: { advance: '121s' } }));
    const cases: { lie?: PhoneLie; before?: () => Promise<void> }[] = [
      { lie: 'wrong-key' },
      { lie: 'replay' },
      { before: late },
      { lie: 'altered' },
      { lie: 'lost-device' },
    ];
    const met: string[] = [];
    const expectNoSession = async (loginId: string) => {
      expect((await portal.call(loginState, { params: { loginId } })).body.exchangeToken).toBeUndefined();
      const { body } = await portal.call(login, { body: { loginId, exchangeToken: 'guessed' } });
      expect(body.token).toBeUndefined();
    };
    for (const { lie, before } of cases) {
      const { loginId } = await beginQr(portal);
      await before?.();
      const { body } = await portal.call(approveRequest, { params: { loginId }, body: { as: USER, lie } });
      const { resultName = '', message } = body.result ?? body;
      expect(respond.refuses).toContain(resultName);
      met.push(`${resultName}: ${message}`);
      await expectNoSession(loginId);
    }
    const foreign = await beginQr(portal);
    const refused = await portal.authenticator
      .resolve(portal.device('admin@globex.test'), foreign.qid)
      .catch((failure: unknown) => failure);
    expect(refused).toMatchObject({ resultName: 'EXPIRED', message: 'This code or request has expired.' });
    const answer = signedCallBody(portal, portal.device('admin@globex.test'), {
      challengeId: foreign.loginId,
      decision: 'approve',
    });
    const { body } = await portal.call(respond, { body: answer });
    met.push(`${body.resultName}: ${body.message}`);
    await expectNoSession(foreign.loginId);
    expect(met).toEqual([
      "SIGNATURE_MISMATCH: The message was signed with a different device's key.",
      'SIGNATURE_MISMATCH: This signed message has been used before.',
      'EXPIRED: This code or request has expired.',
      'SIGNATURE_MISMATCH: The message was changed after signing.',
      'DEVICE_NOT_TRUSTED: This device has been reported lost.',
      'ID_DOESNOT_EXIST: This doesn’t exist or has been deleted.',
    ]);
  });
});
