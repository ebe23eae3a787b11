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

/** What the client says where it fails. */
const failing = (reason: string) => expect.objectContaining({ reason });
/** A sign-in whose code the person scans and approves. */
const signIn = async () => {
  await portal.policy({ match: { email }, answer: 'approve', opens: true });
  return client.signIn(() => {});
};
/** A sign-in whose code nobody has scanned yet. */
const shown = () => new Promise<SignInCode>((resolve) => void client.signIn(resolve).catch(() => {}));

describe('signing in', () => {
  test('with a code that the person scans', async () => {
    expect(await signIn()).toMatchObject({ email });
  });

  test('with a phone that takes its time', async () => {
    await portal.policy({ match: { email }, answer: 'approve', opens: true, afterMs: 350 });
    expect(await client.signIn(() => {})).toMatchObject({ email });
  });

  test('with a code that is approved by hand', async () => {
    const approved = client.signIn(({ loginId }) => void portal.approve(loginId, { as: email }));
    expect(await approved).toMatchObject({ email });
  });

  test('is denied on the phone', async () => {
    await portal.policy({ match: { email }, answer: 'deny', opens: true });
    await expect(client.signIn(() => {})).rejects.toEqual(failing('LOGIN_REJECTED'));
  });

  test('is reported as a stranger’s', async () => {
    await portal.policy({ match: { email }, answer: 'deny', reason: 'not-me', opens: true });
    await expect(client.signIn(() => {})).rejects.toEqual(failing('LOGIN_REJECTED'));
  });

  test('expires where nobody scans the code', async () => {
    const ignored = client.signIn(() => void portal.clock({ advance: '10m' }));
    await expect(ignored).rejects.toEqual(failing('EXPIRED'));
  });

  test.each(['wrong-key', 'replay', 'altered', 'other-audience'] as const)(
    'ignores a phone that lies: %s',
    async (lie) => {
      const { loginId } = await shown();
      const { resultName } = await portal.approve(loginId, { as: email, lie });
      expect([resultName, client.isSignedIn]).toEqual(['SIGNATURE_MISMATCH', false]);
    },
  );

  test.each(['unknown-device', 'lost-device'] as const)('ignores a phone that is not trusted: %s', async (lie) => {
    const { loginId } = await shown();
    const { resultName } = await portal.approve(loginId, { as: email, lie });
    expect([resultName, client.isSignedIn]).toEqual(['DEVICE_NOT_TRUSTED', false]);
  });

  test('is refused in an organisation that does not exist', async () => {
    const elsewhere = new PortalClient({ url: portal.url, org: 'nowhere' });
    await expect(elsewhere.signIn(() => {})).rejects.toEqual(failing('ORG_CODE_NOT_FOUND'));
  });

  test('is refused to somebody whose account is disabled', async () => {
    const { email: disabled } = await portal.person({ org: 'acme', status: 'inactive', devices: [{}] });
    await expect(portal.approve((await shown()).loginId, { as: disabled })).rejects.toMatchObject({
      resultName: 'USER_INACTIVE',
    });
  });

  test('is refused from this address', async () => {
    await portal.fault({ match: { path: '/api/user/login' }, answer: { resultName: 'IP_NOT_VALID' } });
    await expect(signIn()).rejects.toEqual(failing('IP_NOT_VALID'));
  });

  test('is approved, but the exchange comes too late', async () => {
    await portal.fault({ match: { path: '/api/user/login' }, answer: { resultName: 'EXPIRED' }, after: 1 });
    await expect(signIn()).rejects.toEqual(failing('EXPIRED'));
  });
});

describe('A test can make the next connection refuse upgrade, drop without close frame, close with code N, delay, duplicate or reorder a named message; the client’s reconnect test passes for all six.', () => {
  test('is refused at first', async () => {
    await portal.socketFault({ channel: 'login', do: 'refuse', times: 2 });
    expect(await signIn()).toMatchObject({ email });
    await portal.verify({ kind: 'socket', path: '/ws/login', direction: 'refused' });
  });

  test('dies', async () => {
    await portal.socketFault({ channel: 'login', do: 'cut' });
    expect(await signIn()).toMatchObject({ email });
  });

  test('is closed by a restart', async () => {
    await portal.socketFault({ channel: 'login', do: 'close', code: 1012 });
    expect(await signIn()).toMatchObject({ email });
  });

  test('is slow', async () => {
    await portal.socketFault({ channel: 'login', do: 'delay', ms: 50, times: 3 });
    expect(await signIn()).toMatchObject({ email });
  });

  test('says the same twice', async () => {
    await portal.socketFault({ channel: 'login', do: 'duplicate', state: 'success' });
    expect(await signIn()).toMatchObject({ email });
  });

  test('loses the message that it waits for', async () => {
    await portal.socketFault({ channel: 'login', do: 'drop', state: 'success' });
    expect(await signIn()).toMatchObject({ email });
  });

  test('says it in the wrong order', async () => {
    await portal.socketFault({ channel: 'login', do: 'reorder', state: 'init' });
    expect(await signIn()).toMatchObject({ email });
  });

  test('never comes about', async () => {
    await portal.socketFault({ channel: 'login', do: 'refuse', times: 1_000 });
    expect(await signIn()).toMatchObject({ email });
  });
});

describe('a session', () => {
  beforeEach(signIn);

  test('shows the profile', async () => {
    expect(await client.profile()).toMatchObject({ email });
  });

  test('goes on when its token has expired', async () => {
    await portal.clock({ advance: '11m' });
    expect(await client.profile()).toMatchObject({ email });
  });

  test('is refreshed once for calls that are sent together', async () => {
    await portal.clock({ advance: '11m' });
    await Promise.all([client.profile(), client.profile(), client.profile()]);
    await portal.verify({ path: '/api/refresh', count: 1 });
  });

  test('goes on after a 401 out of the blue', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { resultName: 'UNAUTHORIZED' } });
    expect(await client.profile()).toMatchObject({ email });
  });

  test('ends after a month without use', async () => {
    await portal.clock({ advance: '31d' });
    await expect(client.profile()).rejects.toEqual(failing('SIGNED_OUT'));
  });

  test('ends when the portal has forgotten it', async () => {
    await portal.reset();
    await expect(client.profile()).rejects.toEqual(failing('SIGNED_OUT'));
  });

  test('stays when the refresh fails for another reason', async () => {
    await portal.clock({ advance: '11m' });
    await portal.fault({ match: { path: '/api/refresh' }, answer: { status: 503 } });
    await expect(client.profile()).rejects.toMatchObject({ status: 503 });
  });

  test('ends with signing out', async () => {
    await client.signOut();
    await expect(client.profile()).rejects.toEqual(failing('SIGNED_OUT'));
  });
});

describe('a call', () => {
  beforeEach(signIn);

  test.each(['INVALID_PERMISSIONS', 'FAILED', 'ID_DOESNOT_EXIST'] as const)(
    'is refused with %s',
    async (resultName) => {
      await portal.fault({ match: { path: '/api/profile', email }, answer: { resultName }, times: 3 });
      await expect(client.profile()).rejects.toEqual(failing(resultName));
    },
  );

  test('fails twice, and then does not', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 500 }, times: 2 });
    expect(await client.profile()).toMatchObject({ email });
  });

  test('fails every time', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 502 }, times: 3 });
    await expect(client.profile()).rejects.toMatchObject({ status: 502 });
  });

  test('is slow', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { delayMs: 200 } });
    expect(await client.profile()).toMatchObject({ email });
  });

  test('is never answered', async () => {
    await portal.fault({ match: { path: '/api/user/login' }, answer: { hang: true } });
    const impatient = new PortalClient({ url: portal.url, org: 'acme', timeoutMs: 50 });
    await expect(impatient.signIn(() => {})).rejects.toEqual(failing('TIMEOUT'));
  });

  test('breaks off before the answer', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { cut: true }, times: 3 });
    await expect(client.profile()).rejects.toEqual(failing('NETWORK'));
  });

  test('breaks off in the middle of the answer', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { cut: 'body' } });
    await expect(client.profile()).rejects.toEqual(failing('BAD_ANSWER'));
  });

  test('is answered by something else', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 200, body: '<html>' } });
    await expect(client.profile()).rejects.toEqual(failing('BAD_ANSWER'));
  });

  test('comes too often, and waits as long as it is told to', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 429, headers: { 'retry-after': '0' } } });
    expect(await client.profile()).toMatchObject({ email });
  });

  test('comes too often, and gives up where it would have to wait for long', async () => {
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 429, headers: { 'retry-after': '60' } } });
    await expect(client.profile()).rejects.toMatchObject({ status: 429 });
  });
});

describe('devices', () => {
  beforeEach(signIn);

  test('are listed, and renamed', async () => {
    const [phone] = await client.devices();
    if (phone) await client.rename(phone, 'Work phone');
    expect(await client.devices()).toMatchObject([{ nickName: 'Work phone', status: 'active' }]);
  });

  test('the phone of this sign-in cannot be paused', async () => {
    const [phone] = await client.devices();
    await expect(phone && client.pause(phone)).rejects.toEqual(failing('FORBIDDEN'));
  });

  test('a change is refused, and nothing is retried', async () => {
    const [phone] = await client.devices();
    await portal.fault({ match: { method: 'POST', path: '/api/device/*' }, answer: { status: 500 } });
    await expect(phone && client.rename(phone, 'Mine')).rejects.toBeInstanceOf(ClientError);
  });
});
