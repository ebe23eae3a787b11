import { plugInAuthenticator } from '../../../web/e2e/fixtures/virtual-authenticator.ts';
import type { Scene, Studio } from './scene.ts';

function allowPasskeys({ portal }: Studio): void {
  portal.deps.db.$client.exec("UPDATE organisations SET webAuthnEnabled = 1 WHERE orgCode = 'acme'");
}

async function addPasskey(studio: Studio): Promise<void> {
  const { page, signIn } = studio;
  allowPasskeys(studio);
  await signIn('manager@acme.test');
  await page.getByRole('table', { name: 'Registered devices' }).waitFor();
  await page.getByRole('button', { name: 'Add device' }).first().click();
  await page.getByRole('button', { name: /^Passkey/ }).click();
}

export const passkeyScenes: Scene[] = [
  {
    name: 'sign-in-passkey',
    async arrange(studio) {
      allowPasskeys(studio);
      await plugInAuthenticator(studio.page, { isTouched: false });
      await studio.page.goto('/acme/sign-in?with=passkey');
      await studio.page.getByText('Waiting for your passkey').waitFor();
    },
  },
  {
    name: 'sign-in-passkey-refused',
    async arrange(studio) {
      allowPasskeys(studio);
      await plugInAuthenticator(studio.page);
      await studio.page.goto('/acme/sign-in?with=passkey');
      await studio.page.getByRole('button', { name: 'Retry' }).waitFor();
    },
  },
  {
    name: 'add-device-choice-passkey',
    async arrange(studio) {
      const { page, signIn } = studio;
      allowPasskeys(studio);
      await signIn('manager@acme.test');
      await page.getByRole('table', { name: 'Registered devices' }).waitFor();
      await page.getByRole('button', { name: 'Add device' }).first().click();
      await page.getByRole('button', { name: /^Passkey/ }).waitFor();
    },
  },
  {
    name: 'add-passkey-waiting',
    async arrange(studio) {
      await plugInAuthenticator(studio.page, { isTouched: false });
      await addPasskey(studio);
      await studio.page.getByRole('heading', { name: 'Follow the steps in your browser' }).waitFor();
    },
  },
  {
    name: 'add-passkey-refused',
    async arrange(studio) {
      const authenticator = await plugInAuthenticator(studio.page);
      await authenticator.setVerified(false);
      await addPasskey(studio);
      await studio.page.getByRole('heading', { name: "Couldn't add the passkey" }).waitFor();
    },
  },
  {
    name: 'add-passkey-complete',
    async arrange(studio) {
      await plugInAuthenticator(studio.page);
      await addPasskey(studio);
      await studio.page.getByRole('heading', { name: 'was added' }).waitFor();
    },
  },
];
