import type { Scene } from './scene.ts';

export const setupScenes: Scene[] = [
  {
    name: 'setup',
    on: ['laptop', 'phone'],
    async arrange({ page, portal }) {
      await portal.lab.reset({ seed: 'none' });
      await page.goto('/setup');
      await page.getByRole('button', { name: 'Set up' }).waitFor();
    },
  },
  {
    name: 'setup-mistakes',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange({ page, portal }) {
      await portal.lab.reset({ seed: 'none' });
      await page.goto('/setup');
      await page.getByRole('button', { name: 'Set up' }).click();
      await page.getByText('This field is required').first().waitFor();
    },
  },
  {
    name: 'setup-done',
    on: ['laptop', 'phone'],
    async arrange({ page, portal }) {
      await portal.lab.reset({ seed: 'none' });
      await page.goto('/setup');
      await page.getByRole('textbox', { name: 'Setup code' }).fill(portal.deps.setupCode);
      await page.getByRole('textbox', { name: 'Organisation code' }).fill('initech');
      await page.getByRole('textbox', { name: 'First Name' }).fill('Nina');
      await page.getByRole('textbox', { name: 'Last Name' }).fill('Berg');
      await page.getByRole('textbox', { name: 'Email' }).fill('nina.berg@initech.test');
      await page.getByRole('button', { name: 'Set up' }).click();
      await page.getByRole('heading', { name: 'Now your phone' }).waitFor();
    },
  },
  {
    name: 'setup-closed',
    on: ['laptop', 'phone'],
    async arrange({ page }) {
      await page.goto('/setup');
      await page.getByRole('heading', { name: 'Already set up' }).waitFor();
    },
  },
];
