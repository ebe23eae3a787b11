import { readOutbox } from '@orchestrate/shared';
import type { Scene, Studio } from './scene.ts';

const EMAIL = 'ines.castellanos@acme.test';

async function join({ page }: Studio, { firstName = 'Ines', email = EMAIL, mobile = '' } = {}): Promise<void> {
  await page.goto('/acme/sign-up');
  await page.getByRole('textbox', { name: 'First Name' }).fill(firstName);
  await page.getByRole('textbox', { name: 'Last Name' }).fill('Castellanos');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Mobile number' }).fill(mobile);
  await page.getByRole('button', { name: 'Join' }).click();
}

async function codeTo({ portal }: Studio, to: string): Promise<string> {
  return (await portal.call(readOutbox, { query: { to } })).body.messages[0]?.code ?? '';
}

async function typeCode({ page }: Studio, code: string): Promise<void> {
  await page.getByText('We sent a one-time code').waitFor();
  await page.getByRole('textbox', { name: 'One-time code' }).fill(code);
}

export const signUpScenes: Scene[] = [
  {
    name: 'sign-up',
    async arrange({ page }) {
      await page.goto('/acme/sign-up');
      await page.getByRole('heading', { name: 'Join Acme Corporation' }).waitFor();
    },
  },
  {
    name: 'sign-up-refused',
    async arrange(studio) {
      await join(studio, { firstName: '', email: 'super.admin@acme' });
      await studio.page.getByText('This field is required').first().waitFor();
    },
  },
  {
    name: 'sign-up-exists',
    on: ['desktop'],
    async arrange(studio) {
      await join(studio, { email: 'user@acme.test' });
      await studio.page.getByText('This person already exists.').waitFor();
    },
  },
  {
    name: 'sign-up-code',
    async arrange(studio) {
      await join(studio, { mobile: '+46 70 123 45 67' });
      await typeCode(studio, '4821');
    },
  },
  {
    name: 'sign-up-wrong-code',
    async arrange(studio) {
      await join(studio);
      await typeCode(studio, (await codeTo(studio, EMAIL)) === '111111' ? '222222' : '111111');
      await studio.page.getByText('The one-time code is not correct.').waitFor();
    },
  },
  {
    name: 'sign-up-next',
    async arrange(studio) {
      await join(studio);
      await typeCode(studio, await codeTo(studio, EMAIL));
      await studio.page.getByRole('heading', { name: 'Check your email' }).waitFor();
      await studio.page.getByRole('link', { name: /outbox/ }).waitFor();
    },
  },
];
