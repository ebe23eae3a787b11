import { softwareAuthenticator } from '@orchestrate/server/testing/passkey';
import {
  addPasskey,
  approveByPasskey,
  beginPasskey,
  codeOf,
  configureSession,
  getSessionSettings,
  getUser,
  login,
  loginLive,
  loginState,
  type ResultName,
} from '@orchestrate/shared';
import { createPortalCall, PortalRefusal } from '@orchestrate/shared/authenticator';
import type { Page } from '@playwright/test';
import decodeQR from 'qr/decode.js';
import { shownAddress, shownCode } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const USER = 'user@acme.test';
const ADMIN = 'super.admin@acme.test';

/** Returns the results that the page's sockets receive, in order. */
function resultsOf(page: Page): number[] {
  const results: number[] = [];
  page.on('websocket', (socket) => {
    if (!socket.url().includes(loginLive.path)) return;
    socket.on('framereceived', ({ payload }) => results.push(JSON.parse(String(payload)).resultCode));
  });
  return results;
}

/** Decodes an image in the browser. */
async function pixelsOf(page: Page, picture: Buffer) {
  const { data, ...size } = await page.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const { width, height } = bitmap;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      context?.drawImage(bitmap, 0, 0);
      return { width, height, data: [...(context?.getImageData(0, 0, width, height).data ?? [])] };
    },
    [...picture],
  );
  return { ...size, data: new Uint8ClampedArray(data) };
}

test('acceptance 1: a policy signs the browser in, rejects it, or lets the sign-in expire', async ({
  portal,
  openBrowser,
}) => {
  const match = { email: USER };
  const startSignIn = async (on: Page) => {
    const started = on.waitForResponse((response) => response.url().endsWith(`/api${login.path}`));
    await on.goto('/acme/sign-in?with=scan');
    await started;
  };

  await portal.policy({ match, answer: 'approve', afterMs: 250, opens: true });
  const page = await openBrowser();
  await startSignIn(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  // The portal pushed the result, so the page never polled.
  await portal.verify({ path: `/api${loginState.path}`, count: 0 });

  const other = await openBrowser();
  const results = resultsOf(other);
  await portal.policy({ match, answer: 'deny', opens: true });
  await startSignIn(other);
  await expect.poll(() => results.at(-1)).toBe(codeOf('LOGIN_REJECTED'));
  await portal.policy({ match, answer: 'ignore', opens: true });
  await startSignIn(other);
  await expect.poll(() => results.at(-1)).toBe(codeOf('LOGIN_PENDING'));
  await portal.clock({ advance: '121s' });
  await expect.poll(() => results.at(-1)).toBe(codeOf('EXPIRED'));
});

test('carries a browser through OIDC and SAML sign-ins of applications without a click', async ({
  page,
  portal,
  openBrowser,
}) => {
  const travel = 'https://travel.acme.test';
  await page.route(`${travel}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Trips</h1>' }));
  // Without a hint, only one user's phone must be possible.
  await portal.policy({ match: { email: USER }, answer: 'approve', opens: true });
  await page.goto('/saml/acme/travel-desk/sso');
  await expect(page).toHaveURL(new RegExp(`^${travel}/`));
  await portal.verify({ kind: 'policy', email: USER, count: 1 });

  // With a hint, other users can also have such policies.
  const other = await openBrowser();
  await portal.policy({ match: { email: ADMIN }, answer: 'deny', opens: true });
  const authorization = new URLSearchParams({
    client_id: 'team-wiki',
    redirect_uri: 'http://localhost:8080/oidc/callback',
    response_type: 'code',
    scope: 'openid',
    state: 'of-the-wiki',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    login_hint: USER,
  });
  // No application runs at the redirect URI, so wait for the request.
  const callback = other.waitForRequest(/^http:\/\/localhost:8080\/oidc\/callback\?code=.+&state=of-the-wiki/);
  await other.goto(`/oidc/acme/auth?${authorization}`);
  await callback;
  await portal.verify({ kind: 'policy', email: USER, count: 2 });
});

test('acceptance 22: signs in with a seeded passkey, and rejects tampered ones with their codes', async ({
  page,
  portal,
}) => {
  const asNobody = createPortalCall({ baseUrl: portal.url });
  const callAs = async (email: string) => {
    const { token } = await portal.session({ email });
    return createPortalCall({ baseUrl: portal.url, headers: { authorization: `Bearer ${token}` } });
  };
  const asAdmin = await callAs(ADMIN);
  const { resultCode: _, ...settings } = await asAdmin(getSessionSettings, {});
  await asAdmin(configureSession, { body: { ...settings, webAuthnEnabled: true } });
  const asUser = await callAs(USER);
  const { registrationId, options } = await asUser(beginPasskey, { body: {} });
  const passkey = softwareAuthenticator(portal.url).create(options);
  await asUser(addPasskey, { body: { registrationId, credential: passkey.registration } });

  // With the emulator, every tampered assertion is refused and creates no session.
  const approve = async (change: Parameters<typeof passkey.use>[1], isTampered = false) => {
    const { loginId = '', passkey: challenge } = await asNobody(login, { body: { orgCode: 'acme', mode: 'WEBAUTHN' } });
    if (!challenge) throw new Error('Expected a request for a passkey, got none.');
    const credential = passkey.use(challenge, change);
    const { response } = credential;
    const signature = isTampered ? `${response.signature.slice(0, -4)}AAAA` : response.signature;
    const refused = await asNobody(approveByPasskey, {
      body: { loginId, credential: { ...credential, response: { ...response, signature } } },
    }).then(
      () => undefined,
      (failure: unknown) => {
        if (failure instanceof PortalRefusal) return failure;
        throw failure;
      },
    );
    const { exchangeToken } = await asNobody(loginState, { params: { loginId } });
    return { resultName: refused?.resultName, message: refused?.message, isApproved: exchangeToken !== undefined };
  };
  const MISMATCH: ResultName = 'SIGNATURE_MISMATCH';
  expect(await approve({}, true)).toEqual({
    resultName: MISMATCH,
    message: 'The device signature does not match.',
    isApproved: false,
  });
  expect(await approve({ origin: 'http://localhost.evil.test' })).toEqual({
    resultName: MISMATCH,
    message: "This passkey was used at a different address than this portal's.",
    isApproved: false,
  });
  expect(await approve({})).toEqual({ resultName: undefined, message: undefined, isApproved: true });

  // The browser has the same keys and continues the signature counter.
  const { credentials } = page.context();
  await credentials.install();
  await credentials.create(options.rp.id, { ...passkey.keys(), signCount: 100 });
  await page.goto('/acme/sign-in?with=scan');
  await page.getByRole('tab', { name: 'Passkey' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test(
  'acceptance 2: enrols by scan, paste or typed code, from byte-identical payloads',
  WHOLE,
  async ({ page, portal, phone, signIn }) => {
    const fromApi = async () => {
      const requests = await portal.requests();
      return requests.find(({ kind, mode }) => kind === 'add-device' && mode === 'QID')?.payload;
    };
    /** Returns the QR code as an image, and its content. */
    async function shownCodeImage() {
      const address = await shownAddress(page);
      const picture = await page.getByRole('img', { name: /^QR code/ }).screenshot();
      expect(decodeQR(await pixelsOf(page, picture))).toBe(address);
      expect(await fromApi()).toBe(address);
      return { address, picture };
    }
    const ways: Record<string, () => Promise<void>> = {
      async 'image upload'() {
        const { picture } = await shownCodeImage();
        await phone.button(/^Scan/).click();
        const file = { name: 'code.png', mimeType: 'image/png', buffer: picture };
        await phone.sheet.getByLabel('Image of a QR code').setInputFiles(file);
      },
      async paste() {
        const { address } = await shownCodeImage();
        await phone.button(/^Scan/).click();
        await phone.sheet.getByRole('textbox', { name: 'Link in the code' }).fill(address);
        await phone.sheet.getByRole('button', { name: 'Open' }).click();
      },
      async 'typed code'() {
        await shownAddress(page);
        await page.getByRole('tab', { name: 'Type code' }).click();
        const code = await shownCode(page);
        await phone.button(/^Type an add-device code/).click();
        await phone.sheet.getByRole('textbox', { name: 'Organisation code' }).fill('acme');
        await phone.sheet.getByRole('textbox', { name: 'Add-device code' }).fill(code);
      },
    };
    const records: object[] = [];
    for (const [method, pair] of Object.entries(ways)) {
      await test.step(method, async () => {
        // Leave the portal first, because a signed-in page would log an error when its session ends.
        await page.goto('about:blank');
        await portal.reset();
        await phone.page.goto('/authenticator');
        await phone.page.evaluate(() => localStorage.clear());
        await phone.page.reload();
        await signIn(USER);
        await page.getByRole('button', { name: 'Add device' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Mobile' }).click();
        await pair();
        await phone.sheet.getByRole('textbox', { name: 'Device name' }).fill('Pixel 10');
        await phone.sheet.getByRole('button', { name: 'Connect' }).click();
        if (method === 'typed code') {
          const label = await phone.sheet.getByLabel(/^Verification code/).getAttribute('aria-label');
          const verificationCode = (label ?? '').replace('Verification code', '').replaceAll(' ', '');
          await page.getByRole('textbox', { name: 'Verification code' }).fill(verificationCode);
          await page.getByRole('button', { name: 'Verify' }).click();
        } else {
          await page.getByRole('button', { name: 'Yes, add device' }).click();
        }
        await expect(page.getByRole('heading', { name: 'Pixel 10 was added' })).toBeVisible();
        await phone.button('Done').click();
        const { token } = await portal.session({ email: USER });
        const { devices } = await portal.call(getUser, { query: {} }, { token });
        const {
          zid: _id,
          registeredDate: _time,
          approvesFrom: _from,
          ...rest
        } = devices.find(({ name }) => name === 'Pixel 10') ?? {};
        records.push(rest);
      });
    }
    expect(records[0]).toMatchObject({ name: 'Pixel 10', type: 'mobile', status: 'active' });
    expect(records).toEqual([records[0], records[0], records[0]]);
  },
);
