import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  bulkInviteLive,
  exportActivity,
  getLoginHistory,
  login,
  loginLive,
  manageUser,
  readOutbox,
  regenerateActivationCode,
} from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CLIENT, foreignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import { authorize, errorOf, exchange, relyingParty, USER } from '#protocols/oidc/relying-party-testing.ts';
import { setScene } from '#protocols/saml/service-provider-testing.ts';
import { setUpProvider } from '#testing/approving.ts';
import { signInAt, testBrowser } from '#testing/browser.ts';
import { memberByEmail } from '#testing/device.ts';
import { NEWCOMER } from '#testing/driving/driver.ts';
import { freePort, startMailServer } from '#testing/mail-server.ts';
import { beginQr, type TestPortal, type TestPortalOptions, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'super.admin@acme.test';
const ROUNDS = [0, 1, 2, 3, 4, 5];

let portal: TestPortal;
let defects: string[];
const start = async (options?: TestPortalOptions) => {
  defects = [];
  const onLog = (line: string) => {
    if (line.includes('"level":50')) defects.push(line);
  };
  portal = await testPortal({ ...options, onLog });
};
beforeEach(() => start());
afterEach(async () => {
  await portal.close();
  expect(defects).toEqual([]);
});

/** Resets the lab after this many lab calls, so each round interrupts the work at a different moment. */
async function resetAfter(round: number): Promise<void> {
  for (let waited = 0; waited < round; waited += 1) await portal.lab.clock();
  await portal.lab.reset();
}

const isError = (status: number): boolean => status >= 400;

test('completes a download that a reset interrupts, even if the client reads slowly', async () => {
  const { token } = await portal.signIn(ADMIN);
  const { suid } = portal.device(USER);
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  // Insert more data than the connection can buffer, so that the reset interrupts the download.
  portal.deps.db.$client.exec(`
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
    INSERT INTO audit_events
      SELECT id - n, orgCode, at, action, actorKind, actorSuid, actorName, actorMode, actorSid, ip, objectType, objectId,
        printf('%04000d', n), suid, changes, marks
      FROM numbers, (SELECT * FROM audit_events WHERE orgCode = 'acme' ORDER BY id LIMIT 1)`);
  const headers = { authorization: `Bearer ${token}` };
  const download = async () => {
    const sent = get(`${portal.url}/api${exportActivity.path}?format=ndjson`, { headers });
    const [response]: IncomingMessage[] = await once(sent, 'response');
    if (!response) throw new Error('There is no response.');
    return response;
  };
  const whole = await text(await download());
  expect(whole.length).toBeGreaterThan(10_000_000);
  const slow = await download();
  await portal.lab.reset();
  expect((await text(slow)) === whole).toBe(true);
  expect((await download()).statusCode).toBe(401);
});

test('keeps an email out of the new world if a reset interrupts its delivery', async () => {
  await portal.close();
  const port = await freePort();
  let accept = () => {};
  let isFirst = true;
  const onData = () => {
    if (!isFirst) return undefined;
    isFirst = false;
    return new Promise<void>((resolve) => (accept = resolve));
  };
  const server = await startMailServer({ port, onData: async () => await onData() });
  await start({ config: { smtpUrl: `smtp://127.0.0.1:${port}` } });
  const sendCode = async () => {
    const { token } = await portal.signIn(ADMIN);
    const { primaryAttr } = memberByEmail(portal, 'acme', NEWCOMER);
    const body = { email: NEWCOMER, primaryAttr, type: 'mobile' as const, sendEmail: true };
    await portal.call(regenerateActivationCode, { body }, { token });
  };
  const messages = async () => {
    const { body } = await portal.call(readOutbox, { query: { to: NEWCOMER } });
    return body.messages.filter(({ sentAt }) => sentAt === portal.clock.iso());
  };
  await sendCode();
  await expect.poll(() => isFirst).toBe(false);
  await portal.lab.reset();
  expect(await messages()).toEqual([]);
  await sendCode();
  await expect.poll(async () => (await messages()).map(({ deliveredAt }) => deliveredAt !== null)).toEqual([true]);
  accept();
  await expect.poll(() => server.received.length).toBe(2);
  expect(await messages()).toMatchObject([{ attempts: 1, lastError: null }]);
  await portal.close();
  await server.close();
});

test('ends a sign-in through another provider when a reset interrupts it', async () => {
  // The library warns on every start that this setup is not for production.
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const foreign = await foreignProvider(`${portal.url}/api/oidc/callback`);
  foreign.person = { sub: 'u-1', email: USER, email_verified: true };
  const settings = { ...CLIENT, configurationUrl: foreign.issuer, buttonLabel: 'Foreign', enabled: true };
  await setUpProvider(portal, settings);
  const browser = testBrowser(portal);
  const isCallback = ({ pathname }: URL) => pathname === '/api/oidc/callback';
  const callback = await browser.walk('/api/oidc/login?orgCode=acme', (url) => (isCallback(url) ? undefined : url));
  let answer = () => {};
  foreign.held = new Promise((resolve) => (answer = resolve));
  const end = browser.walk(callback.href);
  await expect.poll(() => foreign.requestedPaths).toContain('/token');
  await portal.lab.reset();
  await setUpProvider(portal, settings);
  answer();
  expect((await end).pathname).toBe('/static/sso-unknown-state');
  const { token } = await portal.signIn(USER);
  const { records } = (await portal.call(getLoginHistory, { query: {} }, { token })).body;
  expect(records.filter(({ mode }) => mode === 'OIDC')).toEqual([]);
  await foreign.close();
});

test('ends an OpenID sign-in when a reset interrupts authorization or the token exchange', async () => {
  const browser = testBrowser(portal);
  const { callback: page } = await authorize(await relyingParty(portal), browser);
  await portal.lab.reset();
  await expect(signInAt(portal, portal.device(USER), page, browser.agent)).rejects.toThrow();
  const back = await browser.open(`/oidc/acme/continue?id=${page.searchParams.get('app')}`);
  expect(back.status).toBe(400);
  for (const round of ROUNDS) {
    const config = await relyingParty(portal);
    const authorization = await authorize(config, testBrowser(portal, USER));
    const tokens = exchange(config, authorization).then(
      () => 'tokens',
      (reason) => errorOf(Promise.reject(reason)),
    );
    await resetAfter(round);
    expect(['tokens', 'invalid_request', 'invalid_grant'], `round ${round}`).toContain(await tokens);
  }
});

test('ends a SAML sign-in when a reset interrupts it', async () => {
  await portal.close();
  const scene = await setScene(Date.now());
  await start();
  const { browser } = scene;
  const provider = await scene.provider();
  const address = await provider.getAuthorizeUrlAsync('', undefined, {});
  const { url } = await browser.open(address);
  await scene.portal.lab.reset();
  await expect(signInAt(scene.portal, scene.portal.device(USER), url, browser.agent)).rejects.toThrow();
  expect(isError((await browser.open(address)).status)).toBe(true);
  await scene.portal.close();
});

test('responds to every sign-in request interrupted by a reset with a sign-in or an error', async () => {
  for (const round of ROUNDS) {
    const started = Array.from({ length: 8 }, () => portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } }));
    await resetAfter(round % 3);
    for (const { status, body } of await Promise.all(started)) {
      if (isError(status)) expect(body.resultName).toBe('INVALID_SESSION');
      else expect(body.loginId).toBeDefined();
    }
  }
});

test('closes live channels with a reason on reset', async () => {
  const { token } = await portal.signIn(ADMIN);
  const { loginId } = await beginQr(portal);
  const open = [
    await portal.open(loginLive, { loginId }),
    await portal.open(bulkInviteLive, { uploadId: 'u' }, { token }),
  ];
  await portal.lab.reset();
  const closed = await Promise.all(open.map((channel) => channel.closed));
  expect(closed).toEqual([
    { code: 1008, reason: expect.stringMatching(/\w/) },
    { code: 4401, reason: expect.stringContaining('INVALID_SESSION') },
  ]);
});
