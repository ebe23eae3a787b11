import { softwareAuthenticator } from '@orchestrate/server/testing/passkey';
import {
  addPasskey,
  approveByPasskey,
  beginPasskey,
  codeOf,
  configureSession,
  getSessionSettings,
  login,
  loginLive,
  loginState,
  makeSession,
  type ResultName,
  setPolicy,
} from '@orchestrate/shared';
import { AuthenticatorRefusal, createPortalCall } from '@orchestrate/shared/authenticator';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures/test.ts';

const USER = 'user@acme.test';
const ADMIN = 'super.admin@acme.test';

/** The results that the page's sockets bring, in order. */
function resultsOf(page: Page): number[] {
  const results: number[] = [];
  page.on('websocket', (socket) => {
    if (!socket.url().includes(loginLive.path)) return;
    socket.on('framereceived', ({ payload }) => results.push(JSON.parse(String(payload)).resultCode));
  });
  return results;
}

test('With policy `approve, 250 ms` a started sign-in reaches "signed in" in the browser with no UI action within 1 s; with `deny`, and with `ignore` plus clock advance past the TTL, the client receives the two distinct documented result codes.', async ({
  page,
  portal,
  openBrowser,
}) => {
  const call = createPortalCall({ baseUrl: portal.url });
  const match = { email: USER };
  const startSignIn = async (on: Page) => {
    const started = on.waitForResponse((response) => response.url().endsWith(`/api${login.path}`));
    await on.goto('/acme/sign-in?with=scan');
    await started;
  };

  await call(setPolicy, { body: { match, answer: 'approve', afterMs: 250, opens: true } });
  await startSignIn(page);
  await expect(page.getByText('Signed in')).toBeVisible();

  const other = await openBrowser();
  const results = resultsOf(other);
  await call(setPolicy, { body: { match, answer: 'deny', opens: true } });
  await startSignIn(other);
  await expect.poll(() => results.at(-1)).toBe(codeOf('LOGIN_REJECTED'));
  await call(setPolicy, { body: { match, answer: 'ignore', opens: true } });
  await startSignIn(other);
  await expect.poll(() => results.at(-1)).toBe(codeOf('LOGIN_INIT'));
  await portal.advance(121);
  await expect.poll(() => results.at(-1)).toBe(codeOf('EXPIRED'));
});

test('A passkey seeded with known keys signs in through Playwright `browserContext.credentials` and through a Node emulator; a tampered signature or wrong origin is rejected with its own code.', async ({
  page,
  portal,
}) => {
  const asNobody = createPortalCall({ baseUrl: portal.url });
  const callAs = async (email: string) => {
    const { token } = await asNobody(makeSession, { body: { email } });
    return createPortalCall({ baseUrl: portal.url, headers: { authorization: `Bearer ${token}` } });
  };
  const asAdmin = await callAs(ADMIN);
  const { resultCode: _, ...settings } = await asAdmin(getSessionSettings, {});
  await asAdmin(configureSession, { body: { ...settings, webAuthnEnabled: true } });
  const asUser = await callAs(USER);
  const { registrationId, options } = await asUser(beginPasskey, { body: {} });
  const passkey = softwareAuthenticator(portal.url).create(options);
  await asUser(addPasskey, { body: { registrationId, credential: passkey.registration } });

  // The emulator: whatever it says wrongly is refused, and opens no session.
  const approve = async (change: Parameters<typeof passkey.use>[1], isTampered = false) => {
    const { loginId = '', passkey: asked } = await asNobody(login, { body: { orgCode: 'acme', mode: 'WEBAUTHN' } });
    if (!asked) throw new Error('Expected a request for a passkey, got none.');
    const credential = passkey.use(asked, change);
    const { response } = credential;
    const signature = isTampered ? `${response.signature.slice(0, -4)}AAAA` : response.signature;
    const refused = await asNobody(approveByPasskey, {
      body: { loginId, credential: { ...credential, response: { ...response, signature } } },
    }).then(
      () => undefined,
      (failure: unknown) => {
        if (failure instanceof AuthenticatorRefusal) return failure;
        throw failure;
      },
    );
    const { exchangeToken } = await asNobody(loginState, { params: { loginId } });
    return { resultName: refused?.resultName, message: refused?.message, isApproved: exchangeToken !== undefined };
  };
  const MISMATCH: ResultName = 'SIGNATURE_MISMATCH';
  expect(await approve({}, true)).toEqual({
    resultName: MISMATCH,
    message: 'The signature of the device does not match.',
    isApproved: false,
  });
  expect(await approve({ origin: 'http://localhost.evil.test' })).toEqual({
    resultName: MISMATCH,
    message: 'This passkey was used at another address than that of this portal.',
    isApproved: false,
  });
  expect(await approve({})).toEqual({ resultName: undefined, message: undefined, isApproved: true });

  // The browser has the same keys, and goes on counting.
  const { credentials } = page.context();
  await credentials.install();
  await credentials.create(options.rp.id, { ...passkey.keys(), signCount: 100 });
  await page.goto('/acme/sign-in?with=scan');
  await page.getByRole('tab', { name: 'Passkey' }).click();
  await expect(page.getByText('Signed in')).toBeVisible();
});
