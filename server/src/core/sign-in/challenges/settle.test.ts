import { approveByPasskey, getLoginHistory, getUser, login, loginState, SECOND } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CLIENT, foreignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import { setUpProvider } from '#testing/approving.ts';
import { testBrowser } from '#testing/browser.ts';
import { beginPush, memberByEmail, setOrganisation } from '#testing/device.ts';
import { beginByPasskey, registerPasskey } from '#testing/passkey.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

/** Returns a browser with a cookie jar, and a function that exchanges an approved sign-in in that browser. */
function userBrowser() {
  const browser = testBrowser(portal);
  const exchange = async (loginId: string) => {
    const { exchangeToken } = (await portal.call(loginState, { params: { loginId } })).body;
    const { body } = await browser.agent.post(`/api${login.path}`).send({ loginId, exchangeToken });
    expect(body.resultCode).toBe(0);
  };
  return { ...browser, exchange };
}

async function byCode(mode: 'QID' | 'DID', { exchange } = userBrowser()): Promise<void> {
  const phone = portal.device(USER);
  const { loginId = '', qid, did } = (await portal.call(login, { body: { orgCode: 'acme', mode } })).body;
  const { challenge } = await portal.authenticator.resolve(phone, qid ?? did ?? '');
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve' });
  await exchange(loginId);
}

async function byPush(): Promise<void> {
  const phone = portal.device(USER);
  const { loginId, matchNumber } = await beginPush(portal, USER);
  const [challenge] = await portal.authenticator.pending(phone);
  const challengeId = challenge?.challengeId ?? '';
  await portal.authenticator.respond(phone, { challengeId, decision: 'approve', number: matchNumber });
  await userBrowser().exchange(loginId);
}

/** Signs in at the provider, in a different browser from the administrator's. */
async function byProvider(): Promise<string> {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const foreign = await foreignProvider(`${portal.url}/api/oidc/callback`);
  try {
    foreign.person = { sub: 'u-1', email: USER, email_verified: true };
    const settings = { ...CLIENT, configurationUrl: foreign.issuer, buttonLabel: 'Foreign', enabled: true };
    expect((await setUpProvider(portal, settings)).resultCode).toBe(0);
    const browser = userBrowser();
    const { hash } = await browser.walk('/api/oidc/login?orgCode=acme');
    const code = new URLSearchParams(hash.slice(1)).get('code') ?? '';
    expect((await browser.agent.post('/api/oidc/exchange').send({ code })).body.resultCode).toBe(0);
    return '';
  } finally {
    await foreign.close();
  }
}

/**
 * All sign-in methods. The outer function prepares a sign-in; the inner function completes it and returns the `zid`
 * of the approving device, or '' if no device approved it.
 */
const WAYS: Record<string, () => Promise<() => Promise<string>>> = {
  QID: async () => async () => {
    await byCode('QID');
    return portal.device(USER).zid;
  },
  DID: async () => async () => {
    await byCode('DID');
    return portal.device(USER).zid;
  },
  PUSH: async () => async () => {
    await byPush();
    return portal.device(USER).zid;
  },
  WEBAUTHN: async () => {
    setOrganisation(portal, 'acme', { webAuthnEnabled: 1 });
    const { token } = await portal.signIn(USER);
    const { passkey, zid } = await registerPasskey(portal, token);
    return async () => {
      const { loginId, options } = await beginByPasskey(portal);
      await portal.call(approveByPasskey, { body: { loginId, credential: passkey.use(options) } });
      await userBrowser().exchange(loginId);
      return zid;
    };
  },
  COOKIE: async () => {
    const browser = userBrowser();
    await byCode('QID', browser);
    return async () => {
      const record = { orgCode: 'acme', mode: 'COOKIE' };
      const { body } = await browser.agent.post(`/api${login.path}`).send(record);
      await browser.exchange(String(body.loginId));
      return portal.device(USER).zid;
    };
  },
  OIDC: async () => byProvider,
};

test.each(Object.keys(WAYS))(
  'records a sign-in by %s in the login history and as the last use of member and device',
  async (mode) => {
    const signIn = await WAYS[mode]?.();
    portal.clock.advance(600);
    const at = new Date(Math.floor(portal.clock.now() / SECOND) * SECOND).toISOString();
    const zid = await signIn?.();
    // Advance the clock, because the administrator's sign-in must not have the same timestamp.
    portal.clock.advance(600);
    const { token } = await portal.signIn('super.admin@acme.test');
    const { suid } = memberByEmail(portal, 'acme', USER);
    const query = { suid };
    const { profile, devices } = (await portal.call(getUser, { query }, { token })).body;
    const { records } = (await portal.call(getLoginHistory, { query }, { token })).body;
    expect(records[0]).toMatchObject({ mode, loginStatus: 'Success', timestamp: at });
    expect(profile.lastSeenAt).toBe(at);
    const used = devices.filter(({ lastLogin }) => lastLogin === at).map((device) => device.zid);
    expect(used).toEqual(zid ? [zid] : []);
  },
);
