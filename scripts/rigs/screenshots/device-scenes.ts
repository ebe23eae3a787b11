import type { Pairing } from '@orchestrate/shared/authenticator';
import { addressedAid, codeIn, shownAddress, shownCode } from '../../../web/e2e/fixtures/sign-in.ts';
import type { Scene, Studio } from './scene.ts';

const PERSON = 'manager@acme.test';
const newPhone = { name: 'Pixel 10', type: 'mobile', platform: 'Android 16' } as const;

async function openDialog({ page, signIn }: Studio, button: string, person = PERSON): Promise<void> {
  await signIn(person);
  await page.getByRole('table', { name: 'Registered devices' }).waitFor();
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('dialog').waitFor();
}

async function addMobile(studio: Studio, kind: 'Scan' | 'Type code'): Promise<string> {
  const { page } = studio;
  await openDialog(studio, 'Add device');
  await page.getByRole('button', { name: /^Mobile/ }).click();
  if (kind === 'Scan') return addressedAid(await shownAddress(page));
  await shownAddress(page);
  await page.getByRole('tab', { name: 'Type code' }).click();
  return shownCode(page);
}

/** Connects a new phone, which then waits for approval. */
async function connect(studio: Studio, kind: 'Scan' | 'Type code'): Promise<Pairing> {
  const aid = await addMobile(studio, kind);
  const pairing = await studio.portal.authenticator.pair({ orgCode: 'acme', aid, device: newPhone });
  await studio.page.getByText('Waiting for consent').waitFor();
  return pairing;
}

async function verify({ page }: Studio, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Verification code' }).fill(code);
  await page.keyboard.press('Enter');
}

async function test(studio: Studio): Promise<void> {
  await openDialog(studio, 'Test Device');
  await studio.page.getByRole('button', { name: 'Generate code' }).click();
}

export const deviceScenes: Scene[] = [
  {
    name: 'add-device-choice',
    async arrange(studio) {
      await openDialog(studio, 'Add device');
    },
  },
  {
    name: 'add-device-scan',
    async arrange(studio) {
      await addMobile(studio, 'Scan');
      await studio.pass(21);
    },
  },
  {
    name: 'add-device-code',
    async arrange(studio) {
      await addMobile(studio, 'Type code');
      await studio.pass(21);
    },
  },
  {
    name: 'add-device-expired',
    async arrange(studio) {
      await addMobile(studio, 'Scan');
      await studio.pass(121);
      await studio.page.getByRole('button', { name: 'Get a new code' }).waitFor();
    },
  },
  {
    name: 'add-device-confirm',
    async arrange(studio) {
      await connect(studio, 'Scan');
    },
  },
  {
    name: 'add-device-verify',
    async arrange(studio) {
      await connect(studio, 'Type code');
      await studio.page.getByRole('textbox', { name: 'Verification code' }).fill('K');
    },
  },
  {
    name: 'add-device-failed',
    async arrange(studio) {
      const { verificationCode } = await connect(studio, 'Type code');
      await verify(studio, verificationCode === 'AA' ? 'BB' : 'AA');
      await studio.page.getByText('Failed to add device').waitFor();
    },
  },
  {
    name: 'add-device-cancelled',
    async arrange(studio) {
      await connect(studio, 'Scan');
      // Leave the request unanswered. Otherwise the new code would appear a second later.
      await studio.page.route('**/api/device/add', () => undefined);
      await studio.page.getByRole('button', { name: 'No', exact: true }).click();
      await studio.page.getByText('Cancelled').waitFor();
    },
  },
  {
    name: 'add-device-complete',
    async arrange(studio) {
      const { verificationCode = '' } = await connect(studio, 'Type code');
      await verify(studio, verificationCode);
      await studio.page.getByText('Pixel 10 was added').waitFor();
    },
  },
  {
    name: 'add-device-limit',
    async arrange(studio) {
      await openDialog(studio, 'Add device', 'security.admin@acme.test');
      await studio.page.getByRole('button', { name: /^Mobile/ }).click();
      await studio.page.getByText('Device limit reached').waitFor();
    },
  },
  {
    name: 'add-device-desktop',
    async arrange(studio) {
      await openDialog(studio, 'Add device');
      await studio.page.getByRole('button', { name: /^Desktop/ }).click();
      await shownAddress(studio.page);
      await studio.page.getByRole('group', { name: /ctivation code/ }).waitFor();
    },
  },
  {
    name: 'test-device',
    async arrange(studio) {
      await openDialog(studio, 'Test Device');
    },
  },
  {
    name: 'test-device-scan',
    async arrange(studio) {
      await test(studio);
      await shownAddress(studio.page);
      await studio.pass(21);
    },
  },
  {
    name: 'test-device-expired',
    async arrange(studio) {
      await test(studio);
      await shownAddress(studio.page);
      await studio.pass(61);
      await studio.page.getByRole('button', { name: 'Get a new code' }).waitFor();
    },
  },
  {
    name: 'test-device-success',
    async arrange(studio) {
      await test(studio);
      const { portal, page } = studio;
      await portal.authenticator.resolve(portal.device(PERSON), codeIn(await shownAddress(page)));
      await page.getByText('The device works').waitFor();
    },
  },
];
