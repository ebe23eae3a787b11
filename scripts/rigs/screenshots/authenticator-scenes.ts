import { Phone } from '../../../web/e2e/fixtures/phone.ts';
import type { Scene, Studio } from './scene.ts';

const PERSON = 'super.admin@acme.test';

/** Returns a scene of an authenticator screen after `act`: in a phone frame on desktop, full screen on a phone. */
const empty = (name: string, act: (phone: Phone, studio: Studio) => Promise<void>): Scene => ({
  name,
  async arrange(studio) {
    const phone = new Phone(studio.page);
    await studio.page.goto('/authenticator');
    await phone.button(/^Use a demo device/).waitFor();
    await act(phone, studio);
  },
});

const withAccount = (name: string, act: (phone: Phone, studio: Studio) => Promise<void>): Scene => ({
  name,
  async arrange(studio) {
    const phone = new Phone(studio.page);
    await phone.startAs(PERSON);
    await act(phone, studio);
  },
});

/** Starts a push sign-in with the user's name. */
async function ask({ page }: Studio): Promise<string> {
  const number = await page.evaluate(async (person) => {
    const body = JSON.stringify({ orgCode: 'acme', mode: 'PUSH', primaryAttr: person });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/api/user/login', { method: 'POST', headers, body });
    return String((await answer.json()).matchNumber);
  }, PERSON);
  await page.getByText('Tap the number displayed in your browser').waitFor();
  return number;
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
    async arrange({ page }) {
      const phone = new Phone(page);
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
    const number = await ask(studio);
    await studio.pass(12);
    await phone.choose(number);
  }),
  withAccount('authenticator-deny', async (phone, studio) => {
    await ask(studio);
    await phone.sheet.getByRole('button', { name: 'Deny' }).click();
    await phone.sheet.getByRole('button', { name: "It wasn't me" }).waitFor();
  }),
  withAccount('authenticator-denied', async (phone, studio) => {
    await ask(studio);
    await phone.deny("It wasn't me");
    await phone.sheet.getByText('Denied and reported').waitFor();
  }),
  withAccount('authenticator-wrong-number', async (phone, studio) => {
    const number = await ask(studio);
    await phone.chooseOtherNumber(number);
    await phone.sheet.getByRole('button', { name: 'Approve' }).click();
    await phone.sheet.getByText('Wrong number').waitFor();
  }),
  withAccount('authenticator-approved', async (phone, studio) => {
    const number = await ask(studio);
    await phone.choose(number);
    await phone.approve();
  }),
  withAccount('authenticator-expired', async (phone, studio) => {
    await ask(studio);
    await studio.pass(121);
    await phone.sheet.getByText('This request has expired').waitFor();
  }),
  withAccount('authenticator-account', async (phone) => {
    await phone.button(/Acme Corporation/).click();
    await phone.sheet.getByText('Connected').waitFor();
  }),
];
