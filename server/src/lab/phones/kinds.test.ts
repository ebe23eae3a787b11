import { deflateRawSync } from 'node:zlib';
import {
  addDevice,
  approvalState,
  approveRequest,
  beginApproval,
  denyRequest,
  login,
  loginState,
  type PolicyMatch,
  readOutbox,
  readPolicies,
  readRequests,
  resetLab,
  setPolicy,
  startVerbal,
  testDevice,
  testDeviceLive,
  verbalLive,
} from '@orchestrate/shared';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { browserCookieIn } from '#testing/browser.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
beforeEach(() => portal.call(resetLab, { body: {} }));
afterAll(() => portal.close());

const USER = 'user@acme.test';
const ADMIN = 'super.admin@acme.test';

/** A request as started by a client's test, with its identifiers and outcome. */
interface Begun {
  handles: string[];
  state(): Promise<string>;
}

/** Approvals have no code to open. */
const opening = (kind: PolicyMatch['kind']) => (kind === 'approval' ? {} : { opens: true as const });

const stateOf = (loginId: string) => async () => (await portal.call(loginState, { params: { loginId } })).body.state;

async function signIn(mode: 'QID' | 'DID' | 'PUSH', appLoginId?: string, cookie = ''): Promise<Begun> {
  const person = mode === 'PUSH' ? { primaryAttr: USER } : {};
  const { body } = await portal.call(login, { body: { orgCode: 'acme', mode, appLoginId, ...person } }, { cookie });
  const { loginId = '', qid, did } = body;
  const codes = [qid, did, did?.toLowerCase().replace(/^(....)/, '$1-')].filter((code) => code !== undefined);
  return { handles: [loginId, ...codes, ...(appLoginId ? [appLoginId] : [])], state: stateOf(loginId) };
}

/** Opens the sign-in page for an OpenID application. Returns its query, and the browser's cookie. */
async function oidcPage(hint: { login_hint?: string } = {}) {
  const { headers } = await portal.http.get('/oidc/acme/auth').query({
    ...hint,
    client_id: 'team-wiki',
    redirect_uri: 'http://localhost:8080/oidc/callback',
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const { searchParams } = new URL(headers.location ?? '', portal.url);
  return { page: searchParams, cookie: browserCookieIn({ headers }) };
}

async function oidcSignIn(hint: { login_hint?: string } = {}): Promise<Begun> {
  const { page, cookie } = await oidcPage(hint);
  return signIn('QID', page.get('app') ?? '', cookie);
}

async function samlPage(hint?: string) {
  const sso = `${portal.url}/saml/acme/travel-desk/sso`;
  const subject = hint ? `<saml:Subject><saml:NameID>${hint}</saml:NameID></saml:Subject>` : '';
  const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${crypto.randomUUID()}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${sso}"><saml:Issuer>https://travel.acme.test/saml/metadata</saml:Issuer>${subject}</samlp:AuthnRequest>`;
  const SAMLRequest = deflateRawSync(Buffer.from(xml)).toString('base64');
  const { headers } = await portal.http.get('/saml/acme/travel-desk/sso').query({ SAMLRequest });
  const { searchParams } = new URL(headers.location ?? '', portal.url);
  return { page: searchParams, cookie: browserCookieIn({ headers }) };
}

async function samlSignIn(): Promise<Begun> {
  const { page, cookie } = await samlPage();
  return signIn('QID', page.get('app') ?? '', cookie);
}

async function verbal(): Promise<Begun> {
  const { token } = await portal.signIn('callcenter.admin@acme.test');
  const { code, qid, epoch } = (await portal.call(startVerbal, { query: {} }, { token })).body;
  const state = async () => {
    const channel = await portal.open(verbalLive, { epoch, org: 'acme' }, { token });
    return (await channel.next()).state;
  };
  return { handles: [code, qid, epoch, `${code.slice(0, 4)}-${code.slice(4)}`], state };
}

async function approval(): Promise<Begun> {
  const { token } = await portal.signIn('super.admin@acme.test');
  const content = {
    configurationUrl: 'https://idp.test',
    clientId: 'x',
    clientSecret: 'y',
    buttonLabel: 'z',
    enabled: true,
  };
  const { body } = await portal.call(
    beginApproval,
    { body: { action: 'save-oidc-configuration', content } },
    { token },
  );
  const { approvalId } = body;
  const state = async () => (await portal.call(approvalState, { params: { approvalId } }, { token })).body.state;
  return { handles: [approvalId], state };
}

async function deviceTest(): Promise<Begun> {
  const { token } = await portal.signIn(USER);
  const { qid } = (await portal.call(testDevice, { params: { orgCode: 'acme' } }, { token })).body;
  const state = async () => {
    const channel = await portal.open(testDeviceLive, { qid, org: 'acme' }, { token });
    // The channel reports the opened code before the device responds.
    return (await channel.next()).op;
  };
  return { handles: [qid], state };
}

/**
 * Describes a kind of request: the device that responds, and how the sender sees the request while pending, approved
 * and denied.
 */
interface Kind {
  kind: PolicyMatch['kind'];
  begin(): Promise<Begun>;
  as?: string;
  approved: string;
  denied: string;
}

const KINDS: Record<string, Kind> = {
  'sign-in by QR code': { kind: 'login', begin: () => signIn('QID'), approved: 'success', denied: 'rejected' },
  'sign-in by typed code': { kind: 'login', begin: () => signIn('DID'), approved: 'success', denied: 'rejected' },
  'sign-in by push': { kind: 'login', begin: () => signIn('PUSH'), approved: 'success', denied: 'rejected' },
  'sign-in to an OIDC application': {
    kind: 'app-login',
    begin: () => oidcSignIn(),
    approved: 'success',
    denied: 'rejected',
  },
  'sign-in to a SAML application': { kind: 'app-login', begin: samlSignIn, approved: 'success', denied: 'rejected' },
  'verification of a caller': { kind: 'verbal', begin: verbal, approved: 'success', denied: 'denied' },
  'approval of a save': { kind: 'approval', begin: approval, as: ADMIN, approved: 'approved', denied: 'denied' },
};

describe.each(Object.entries(KINDS))('a %s', (_, { kind, begin, as = USER, approved, denied }) => {
  test('is approved in one call by any of its identifiers', async () => {
    const { handles } = await begin();
    for (const at of handles.keys()) {
      await portal.call(resetLab, { body: {} });
      const again = await begin();
      const params = { loginId: again.handles[at] ?? '' };
      const { status, body } = await portal.call(approveRequest, { params, body: { as } });
      expect({ status, result: body.result }).toMatchObject({ status: 200, result: { resultName: 'SUCCESS' } });
      expect(await again.state()).toBe(approved);
    }
  });

  test('is denied in one call, and “not me” alerts the administrators', async () => {
    const { handles, state } = await begin();
    const params = { loginId: handles[0] ?? '' };
    const before = (await portal.call(readOutbox, { query: {} })).body.messages.length;
    const { body } = await portal.call(denyRequest, { params, body: { as, reason: 'not-me' } });
    expect(body.result).toMatchObject({ resultName: 'SUCCESS' });
    expect(await state()).toBe(denied);
    const { messages } = (await portal.call(readOutbox, { query: {} })).body;
    expect(messages.length).toBeGreaterThan(before);
    expect(messages[0]?.subject).toContain('didn’t request');
  });

  test('is handled by a policy', async () => {
    await portal.call(setPolicy, { body: { match: { email: as, kind }, answer: 'approve', ...opening(kind) } });
    const { state } = await begin();
    await expect.poll(state).toBe(approved);
  });
});

test('treats a denial without a reason as a cancellation and notifies no one', async () => {
  const { handles } = await signIn('PUSH');
  const before = (await portal.call(readOutbox, { query: {} })).body.messages.length;
  await portal.call(denyRequest, { params: { loginId: handles[0] ?? '' }, body: { as: USER } });
  expect((await portal.call(readOutbox, { query: {} })).body.messages).toHaveLength(before);
});

test('completes a device test if a phone is asked to approve it', async () => {
  const { handles, state } = await deviceTest();
  expect(await state()).toBe('QID');
  const { body } = await portal.call(approveRequest, { params: { loginId: handles[0] ?? '' }, body: { as: USER } });
  expect(body.result.resultName).toBe('TEST_DEVICE_SUCCESS');
});

test('fails a device test if a phone denies or lies', async () => {
  const { handles, state } = await deviceTest();
  await portal.call(setPolicy, { body: { match: { email: USER }, answer: 'deny', opens: true } });
  const params = { loginId: handles[0] ?? '' };
  const answers = [
    await portal.call(denyRequest, { params, body: { as: USER } }),
    await portal.call(approveRequest, { params, body: { as: USER, lie: 'old' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  expect(await state()).toBe('QID');
  expect((await portal.call(readPolicies, {})).body.answered).toEqual([]);
});

test.each([
  ['login', () => signIn('QID')],
  ['app-login', oidcSignIn],
  ['verbal', verbal],
  ['approval', approval],
  ['test', deviceTest],
] as const)(
  'applies a policy for the kind %s only to requests of this kind',
  { tags: 'whole' },
  async (kind, begin) => {
    const as = kind === 'approval' ? ADMIN : USER;
    const others = [() => signIn('DID'), oidcSignIn, verbal, approval, deviceTest].filter((other) => other !== begin);
    for (const other of kind === 'login' ? others.slice(1) : others) await other();
    await portal.call(setPolicy, { body: { match: { email: as, kind }, answer: 'approve', ...opening(kind) } });
    await begin();
    const answered = async () => (await portal.call(readPolicies, {})).body.answered.map((one) => one.kind);
    await expect.poll(answered).toEqual([kind]);
    const waiting = (await portal.call(readRequests, {})).body.requests.map((one) => one.kind);
    expect(waiting).not.toContain(kind);
    expect(new Set(waiting).size).toBe(4);
  },
);

test('lists pending requests with codes and the displayed number, newest first', async () => {
  const { handles } = await signIn('DID');
  const { body } = await portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: USER } });
  const { requests } = (await portal.call(readRequests, {})).body;
  expect(requests).toEqual([
    expect.objectContaining({
      challengeId: body.loginId,
      kind: 'login',
      mode: 'PUSH',
      email: USER,
      matchNumber: body.matchNumber,
      isOpened: true,
    }),
    expect.objectContaining({ challengeId: handles[0], did: handles[1], isOpened: false }),
  ]);
  await portal.call(approveRequest, { params: { loginId: body.loginId ?? '' }, body: { as: USER } });
  expect((await portal.call(readRequests, {})).body.requests).toHaveLength(1);
});

test('lists a pending new device with its QR code content, and refuses to approve it', async () => {
  const { token, profile } = await portal.signIn(USER);
  const { body } = await portal.call(
    addDevice,
    { body: { suid: profile.suid, type: 'QID', mode: 'mobile' } },
    { token },
  );
  const { requests } = (await portal.call(readRequests, {})).body;
  const payload = `${portal.url}/authenticator?aid=${body.aid}&orgCode=acme`;
  expect(requests).toEqual([expect.objectContaining({ kind: 'add-device', email: USER, qid: body.aid, payload })]);
  const refused = await portal.call(approveRequest, { params: { loginId: body.aid }, body: { as: USER } });
  expect(refused.body.resultName).toBe('ID_DOESNOT_EXIST');
});

describe('an application’s sign-in page', () => {
  const allow = (match: PolicyMatch, answer: 'approve' | 'deny' = 'approve') =>
    portal.call(setPolicy, { body: { match, answer, opens: true } });
  const isStarted = async (login_hint?: string) => {
    const pages = [await oidcPage(login_hint ? { login_hint } : {}), await samlPage(login_hint)];
    const [oidc, saml] = pages.map(({ page }) => page.get('with'));
    expect(oidc).toBe(saml);
    return oidc === 'scan';
  };

  test('waits for a click without a policy that opens codes of application sign-ins', async () => {
    expect(await isStarted(USER)).toBe(false);
    await portal.call(setPolicy, { body: { match: { email: USER }, answer: 'approve' } });
    await allow({ email: USER, kind: 'login' });
    await allow({ email: USER, org: 'globex' });
    expect(await isStarted(USER)).toBe(false);
    expect(await isStarted()).toBe(false);
  });

  test('displays the code immediately for the only member with a policy', async () => {
    await allow({ email: USER });
    expect(await isStarted()).toBe(true);
    expect(await isStarted(USER)).toBe(true);
    for (const other of [ADMIN, 'nobody@acme.test']) expect(await isStarted(other)).toBe(false);
    await allow({ email: ADMIN }, 'deny');
    expect(await isStarted()).toBe(false);
  });

  test('lets the expected member’s phone answer among several policies', async () => {
    await allow({ email: USER });
    await allow({ email: ADMIN, kind: 'app-login' }, 'deny');
    for (const [login_hint, state] of [
      [USER, 'success'],
      [ADMIN, 'rejected'],
    ] as const) {
      expect(await isStarted(login_hint)).toBe(true);
      const { state: stateNow } = await oidcSignIn({ login_hint });
      await expect.poll(stateNow).toBe(state);
    }
  });
});
