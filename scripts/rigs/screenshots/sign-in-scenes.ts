import { codeIn, shownAddress, shownCode } from '../../../web/e2e/fixtures/sign-in.ts';
import type { Scene, Studio } from './scene.ts';

const PERSON = 'super.admin@acme.test';

async function openScan({ page }: Studio, orgCode = 'acme'): Promise<string> {
  await page.goto(`/${orgCode}/sign-in?with=scan`);
  const address = await shownAddress(page);
  await page.getByText('Waiting for your device').waitFor();
  return codeIn(address);
}

/** Scans the displayed code. Returns the request's ID. */
async function scan(studio: Studio): Promise<string> {
  const code = await openScan(studio);
  await studio.pass(9);
  const { challenge } = await studio.portal.authenticator.resolve(studio.portal.device(PERSON), code);
  await studio.page.getByText('Approve on Pixel 9 Pro').waitFor();
  return challenge.challengeId;
}

async function askMyDevice({ page }: Studio, name: string): Promise<void> {
  await page.goto('/acme/sign-in?with=device');
  await page.getByRole('textbox', { name: 'Email or employee ID' }).fill(name);
  await page.getByRole('button', { name: 'Send request' }).click();
}

const dialog = (name: string, button: string): Scene => ({
  name,
  async arrange({ page }) {
    await page.goto('/acme/sign-in');
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').waitFor();
  },
});

export const signInScenes: Scene[] = [
  {
    name: 'sign-in-closed',
    async arrange({ page }) {
      await page.goto('/acme/sign-in');
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
    },
  },
  {
    name: 'sign-in-globex',
    async arrange(studio) {
      await openScan(studio, 'globex');
    },
  },
  {
    name: 'sign-in-loading',
    async arrange({ page }) {
      await page.route('**/api/org/settings?*', () => undefined);
      await page.goto('/acme/sign-in');
      await page.getByRole('main').getByRole('status', { name: 'Loading' }).waitFor();
    },
  },
  {
    name: 'sign-in-unreachable',
    async arrange({ page }) {
      await page.route('**/api/org/settings?*', (route) => route.abort());
      await page.goto('/acme/sign-in');
      await page.getByRole('heading', { name: "The sign-in page couldn't be loaded" }).waitFor();
    },
  },
  {
    name: 'sign-in-unknown-organisation',
    async arrange({ page }) {
      await page.goto('/nowhere/sign-in');
      await page.getByRole('heading', { name: /There is no organisation/ }).waitFor();
    },
  },
  {
    name: 'sign-in-scan',
    async arrange(studio) {
      await openScan(studio);
      await studio.pass(37);
    },
  },
  {
    name: 'sign-in-scan-ending',
    async arrange(studio) {
      await openScan(studio);
      await studio.pass(112);
    },
  },
  {
    name: 'sign-in-scan-expired',
    async arrange(studio) {
      await openScan(studio);
      await studio.pass(121);
      await studio.page.getByRole('button', { name: 'Get a new code' }).waitFor();
    },
  },
  {
    name: 'sign-in-scan-approve',
    async arrange(studio) {
      await scan(studio);
    },
  },
  {
    name: 'sign-in-scan-rejected',
    async arrange(studio) {
      const challengeId = await scan(studio);
      const { portal, page } = studio;
      await portal.authenticator.respond(portal.device(PERSON), { challengeId, decision: 'deny', reason: 'not-me' });
      await page.getByRole('button', { name: 'Retry' }).waitFor();
    },
  },
  {
    name: 'sign-in-scan-success',
    async arrange(studio) {
      const challengeId = await scan(studio);
      const { portal, page } = studio;
      // Leave the request unanswered. Otherwise the dashboard would open before the image is captured.
      await page.route('**/api/user/login', () => undefined);
      await portal.authenticator.respond(portal.device(PERSON), { challengeId, decision: 'approve' });
      await page.getByText('Signed in').waitFor();
    },
  },
  {
    name: 'sign-in-scan-reconnecting',
    async arrange(studio) {
      let isDown = false;
      let drop = (): unknown => undefined;
      await studio.page.routeWebSocket(/\/ws\/login/, (socket) => {
        if (isDown) return void socket.close({ code: 1012 });
        socket.connectToServer();
        drop = () => socket.close({ code: 1012 });
      });
      await openScan(studio);
      isDown = true;
      await drop();
      await studio.page.getByText('Reconnecting…').waitFor();
    },
  },
  {
    name: 'sign-in-code',
    async arrange(studio) {
      await studio.page.goto('/acme/sign-in?with=code');
      await shownCode(studio.page);
      await studio.page.getByText('Waiting for your device').waitFor();
      await studio.pass(21);
    },
  },
  {
    name: 'sign-in-device',
    async arrange({ page }) {
      await page.goto('/acme/sign-in?with=device');
      await page.getByRole('textbox', { name: 'Email or employee ID' }).waitFor();
    },
  },
  {
    name: 'sign-in-device-refused',
    async arrange(studio) {
      await askMyDevice(studio, 'nobody@acme.test');
      await studio.page.getByText('No device is registered').waitFor();
    },
  },
  {
    name: 'sign-in-device-number',
    async arrange(studio) {
      await askMyDevice(studio, PERSON);
      await studio.page.getByText(/^Choose \d\d on your device$/).waitFor();
      await studio.pass(6);
    },
  },
  dialog('sign-in-help', 'Need help?'),
  dialog('sign-in-how-it-works', 'See how it works'),
  dialog('sign-in-lost-phone', 'Lost your phone?'),
];
