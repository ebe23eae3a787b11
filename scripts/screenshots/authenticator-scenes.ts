import { login } from '@orchestrate/shared';
import type { Page } from '@playwright/test';
import type { Phone } from '../../web/e2e/fixtures/phone.ts';
import { Phone as PhonePage } from '../../web/e2e/fixtures/phone.ts';
import type { Scene, Studio } from './scene.ts';

const PERSON = 'super.admin@acme.test';

/** The page itself, on a desk as a drawn phone and on a phone as the whole screen. */
const empty = (name: string, act: (phone: Phone, studio: Studio) => Promise<void>): Scene => ({
  name,
  async stage(studio) {
    const phone = new PhonePage(studio.page);
    await studio.page.goto('/authenticator');
    await phone.button(/^Use a demo device/).waitFor();
    await act(phone, studio);
  },
});

const withAccount = (name: string, act: (phone: Phone, studio: Studio) => Promise<void>): Scene => ({
  name,
  async stage(studio) {
    const phone = new PhonePage(studio.page);
    await phone.startAs(PERSON);
    await act(phone, studio);
  },
});

/** A sign-in that was asked for by name, as it arrives. */
async function ask({ portal }: Studio, page: Page, primaryAttr = PERSON): Promise<string> {
  const { body } = await portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr } });
  await page.getByText('Tap the number shown in your browser').waitFor();
  return body.matchNumber ?? '';
}

const openSheet = (name: string, button: string | RegExp): Scene =>
  empty(name, async (phone) => {
    await phone.button(button).click();
    await phone.sheet.waitFor();
  });

export const authenticatorScenes: Scene[] = [
  empty('authenticator-empty', async () => undefined),
  openSheet('authenticator-activate', /^Activation code/),
  openSheet('authenticator-pair', /^Type an add-device code/),
  openSheet('authenticator-demo-devices', /^Use a demo device/),
  openSheet('authenticator-scan', /^Scan a code/),
  withAccount('authenticator-home', async () => undefined),
  {
    name: 'authenticator-several-accounts',
    async stage({ page }) {
      const phone = new PhonePage(page);
      await phone.startAs(PERSON);
      for (const person of ['admin@globex.test', 'user@acme.test']) {
        await phone.button('Add an account').click();
        await phone.chooseDemoDevice(person);
      }
    },
  },
  withAccount('authenticator-type-code', async (phone) => {
    await phone.button('Type code').click();
    await phone.sheet.getByRole('textbox', { name: 'Code' }).fill('K7P');
  }),
  withAccount('authenticator-type-code-refused', async (phone) => {
    await phone.typeCode('K7PM3XQ9');
    await phone.sheet.getByRole('alert').waitFor();
  }),
  withAccount('authenticator-request', async (phone, studio) => {
    const number = await ask(studio, phone.page);
    await studio.pass(12);
    await phone.sheet.getByRole('radio', { name: number }).check({ force: true });
  }),
  withAccount('authenticator-deny', async (phone, studio) => {
    await ask(studio, phone.page);
    await phone.sheet.getByRole('button', { name: 'Deny' }).click();
    await phone.sheet.getByRole('button', { name: "It wasn't me" }).waitFor();
  }),
  withAccount('authenticator-denied', async (phone, studio) => {
    await ask(studio, phone.page);
    await phone.deny("It wasn't me");
    await phone.sheet.getByText('Denied and reported').waitFor();
  }),
  withAccount('authenticator-wrong-number', async (phone, studio) => {
    const number = await ask(studio, phone.page);
    await phone.chooseOtherNumber(number);
    await phone.sheet.getByRole('button', { name: 'Approve' }).click();
    await phone.sheet.getByText('Wrong number').waitFor();
  }),
  withAccount('authenticator-approved', async (phone, studio) => {
    const number = await ask(studio, phone.page);
    await phone.sheet.getByRole('radio', { name: number }).check({ force: true });
    await phone.approve();
  }),
  withAccount('authenticator-expired', async (phone, studio) => {
    await ask(studio, phone.page);
    await studio.pass(121);
    await phone.sheet.getByText('This request has expired').waitFor();
  }),
  withAccount('authenticator-account', async (phone) => {
    await phone.button(/Acme Corporation/).click();
    await phone.sheet.getByText('Connected').waitFor();
  }),
];
