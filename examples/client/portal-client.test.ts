import { type Portal, startPortal } from 'orchestrate/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClientError, PortalClient, type SignInCode } from './portal-client.ts';

let portal: Portal;
let email: string;
let client: PortalClient;
beforeAll(async () => {
  portal = await startPortal();
});
beforeEach(async () => {
  await portal.reset();
  ({ email } = await portal.person({ org: 'acme' }));
  client = new PortalClient({ url: portal.url, org: 'acme', quietMs: 100, backoffMs: 5 });
});
afterAll(() => portal.close());

/** Matches a client error by its reason. */
const failing = (reason: string) => expect.objectContaining({ reason });
/** Starts a sign-in. The user scans the code and approves. */
const signIn = async () => {
  await portal.policy({ match: { email }, answer: 'approve', opens: true });
  return client.signIn(() => {});
};
/** Starts a sign-in and resolves with the code to display. */
const shown = () => new Promise<SignInCode>((resolve) => void client.signIn(resolve).catch(() => {}));

describe('signing in', () => {
  test('succeeds with a scanned code', async () => {
    expect(await signIn()).toMatchObject({ email });
  });

  test('succeeds if the phone is slow', async () => {
    await portal.policy({ match: { email }, answer: 'approve', opens: true, afterMs: 350 });
    expect(await client.signIn(() => {})).toMatchObject({ email });
  });

  test('succeeds with a code approved by the test', async () => {
    const approved = client.signIn(({ loginId }) => void portal.approve(loginId, { as: email }));
    expect(await approved).toMatchObject({ email });
  });

  test('fails if the phone denies', async () => {
    await portal.policy({ match: { email }, answer: 'deny', opens: true });
    await expect(client.signIn(() => {})).rejects.toEqual(failing('LOGIN_REJECTED'));
  });

  test('fails if the user reports that someone else started it', async () => {
    await portal.policy({ match: { email }, answer: 'deny', reason: 'not-me', opens: true });
    await expect(client.signIn(() => {})).rejects.toEqual(failing('LOGIN_REJECTED'));
  });

  test('expires if the code is not scanned', async () => {
    const ignored = client.signIn(() => void portal.clock({ advance: '10m' }));
    await expect(ignored).rejects.toEqual(failing('EXPIRED'));
  });

  test.each(['wrong-key', 'replay', 'altered', 'other-audience'] as const)(
    'fails if the phone’s response has the flaw %s',
    async (lie) => {
      const { loginId } = await shown();
      const { resultName } = await portal.approve(loginId, { as: email, lie });
      expect([resultName, client.isSignedIn]).toEqual(['SIGNATURE_MISMATCH', false]);
    },
  );

  test.each(['unknown-device', 'lost-device'] as const)(
    'fails if the phone’s response has the flaw %s',
    async (lie) => {
      const { loginId } = await shown();
      const { resultName } = await portal.approve(loginId, { as: email, lie });
      expect([resultName, client.isSignedIn]).toEqual(['DEVICE_NOT_TRUSTED', false]);
    },
  );

  test('fails if the organisation is unknown', async () => {
    const elsewhere = new PortalClient({ url: portal.url, org: 'nowhere' });
    await expect(elsewhere.signIn(() => {})).rejects.toEqual(failing('ORG_CODE_NOT_FOUND'));
  });

  test('fails if the account is disabled', async () => {
    const { email: disabled } = await portal.person({ org: 'acme', status: 'inactive', devices: [{}] });
    await expect(portal.approve((await shown()).loginId, { as: disabled })).rejects.toMatchObject({
      resultName: 'USER_INACTIVE',
    });
  });

  test('fails if the IP address is blocked', async () => {
    await portal.fault({ match: { path: '/api/user/login' }, answer: { resultName: 'IP_NOT_VALID' } });
    await expect(signIn()).rejects.toEqual(failing('IP_NOT_VALID'));
  });

  test('fails if the exchange is too late', async () => {
    await portal.fault({ match: { path: '/api/user/login' }, answer: { resultName: 'EXPIRED' }, after: 1 });
    await expect(signIn()).rejects.toEqual(failing('EXPIRED'));
  });
});

describe('acceptance 10: reconnects after socket faults', () => {
  test('reconnects after a refused upgrade', async () => {
    await portal.socketFault({ channel: 'login', do: 'refuse', times: 2 });
    expect(await signIn()).toMatchObject({ email });
    await portal.verify({ kind: 'socket', path: '/ws/login', direction: 'refused' });
  });

  test('reconnects after a lost connection', async () => {
    await portal.socketFault({ channel: 'login', do: 'cut' });
    expect(await signIn()).toMatchObject({ email });
  });

  test('reconnects after a server restart', async () => {
    await portal.socketFault({ channel: 'login', do: 'close', code: 1001 });
    expect(await signIn()).toMatchObject({ email });
  });

  test('handles a delayed message', async () => {
    await portal.socketFault({ channel: 'login', do: 'delay', ms: 50, times: 3 });
    expect(await signIn()).toMatchObject({ email });
  });

  test('handles a duplicate message', async () => {
    await portal.socketFault({ channel: 'login', do: 'duplicate', state: 'success' });
    expect(await signIn()).toMatchObject({ email });
  });

  test('recovers from a lost message', async () => {
    await portal.socketFault({ channel: 'login', do: 'drop', state: 'success' });
    expect(await signIn()).toMatchObject({ email });
  });

  test('handles out-of-order messages', async () => {
    await portal.socketFault({ channel: 'login', do: 'reorder', state: 'init' });
    expect(await signIn()).toMatchObject({ email });
  });

  test('polls if the socket never opens', async () => {
    await portal.socketFault({ channel: 'login', do: 'refuse', times: 1_000 });
    expect(await signIn()).toMatchObject({ email });
  });
});

describe('a session', () => {
  beforeEach(signIn);

  test('can read the profile', async () => {
    expect(await client.profile()).toMatchObject({ email });
  });

  test('continues after its token expires', async () => {
    await portal.clock({ advance: '11m' });
    expect(await client.profile()).toMatchObject({ email });
  });

  test('refreshes once for concurrent calls', async () => {
    await portal.clock({ advance: '11m' });
    await Promise.all([client.profile(), client.profile(), client.profile()]);
    await portal.verify({ path: '/api/refresh', count: 1 });
  });

  test('continues after an unexpected 401', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { resultName: 'UNAUTHORIZED' } });
    expect(await client.profile()).toMatchObject({ email });
  });

  test('ends after a month of inactivity', async () => {
    await portal.clock({ advance: '31d' });
    await expect(client.profile()).rejects.toEqual(failing('SIGNED_OUT'));
  });

  test('ends when the portal is reset', async () => {
    await portal.reset();
    await expect(client.profile()).rejects.toEqual(failing('SIGNED_OUT'));
  });

  test('survives a temporary refresh failure', async () => {
    await portal.clock({ advance: '11m' });
    await portal.fault({ match: { path: '/api/refresh' }, answer: { status: 503 } });
    await expect(client.profile()).rejects.toMatchObject({ status: 503 });
  });

  test('ends when the user signs out', async () => {
    await client.signOut();
    await expect(client.profile()).rejects.toEqual(failing('SIGNED_OUT'));
  });
});

describe('a call', () => {
  beforeEach(signIn);

  test.each(['INVALID_PERMISSIONS', 'FAILED', 'ID_DOESNOT_EXIST'] as const)('fails with %s', async (resultName) => {
    await portal.fault({ match: { path: '/api/profile', email }, answer: { resultName }, times: 3 });
    await expect(client.profile()).rejects.toEqual(failing(resultName));
  });

  test('succeeds after two failures', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 500 }, times: 2 });
    expect(await client.profile()).toMatchObject({ email });
  });

  test('fails after too many failures', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 502 }, times: 3 });
    await expect(client.profile()).rejects.toMatchObject({ status: 502 });
  });

  test('succeeds despite a slow response', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { delayMs: 200 } });
    expect(await client.profile()).toMatchObject({ email });
  });

  test('times out without a response', async () => {
    await portal.fault({ match: { path: '/api/user/login' }, answer: { hang: true } });
    const impatient = new PortalClient({ url: portal.url, org: 'acme', timeoutMs: 50 });
    await expect(impatient.signIn(() => {})).rejects.toEqual(failing('TIMEOUT'));
  });

  test('fails if the connection closes before the response', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { cut: true }, times: 3 });
    await expect(client.profile()).rejects.toEqual(failing('NETWORK'));
  });

  test('fails if the connection closes during the response', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { cut: 'body' } });
    await expect(client.profile()).rejects.toEqual(failing('BAD_ANSWER'));
  });

  test('fails if the response is not JSON', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 200, body: '<html>' } });
    await expect(client.profile()).rejects.toEqual(failing('BAD_ANSWER'));
  });

  test('waits for Retry-After if rate-limited', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 429, headers: { 'retry-after': '0' } } });
    expect(await client.profile()).toMatchObject({ email });
  });

  test('gives up if Retry-After is too long', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 429, headers: { 'retry-after': '60' } } });
    await expect(client.profile()).rejects.toMatchObject({ status: 429 });
  });
});

describe('devices', () => {
  beforeEach(signIn);

  test('can be listed and renamed', async () => {
    const [phone] = await client.devices();
    if (phone) await client.rename(phone, 'Work phone');
    expect(await client.devices()).toMatchObject([{ nickName: 'Work phone', status: 'active' }]);
  });

  test('can’t pause the phone of this session', async () => {
    const [phone] = await client.devices();
    await expect(phone && client.pause(phone)).rejects.toEqual(failing('FORBIDDEN'));
  });

  test('are not renamed again if the first request fails', async () => {
    const [phone] = await client.devices();
    await portal.fault({ match: { method: 'POST', path: '/api/device/*' }, answer: { status: 500 } });
    await expect(phone && client.rename(phone, 'Mine')).rejects.toBeInstanceOf(ClientError);
  });
});
