import type { Page } from '@playwright/test';
import type { Scene } from './scene.ts';

const role = (name: string, act: (page: Page) => Promise<void> = async () => undefined): Scene => ({
  name: `roles${name}`,
  on: ['desktop'],
  async arrange({ page, signIn }) {
    await signIn('super.admin@acme.test');
    await page.goto('/org-settings/role-management');
    await page.getByRole('link', { name: 'Help Desk Admin' }).waitFor();
    await act(page);
  },
});

/** Link to a custom role. */
const custom = (page: Page) => page.getByRole('row').filter({ hasText: 'Custom role' }).first().getByRole('link');

export const roleScenes: Scene[] = [
  role(''),
  role('-tick', async (page) => {
    await page
      .getByRole('img', { name: /^Can update/ })
      .first()
      .focus();
    await page.getByRole('tooltip').waitFor();
  }),
  role('-system', async (page) => {
    await page.getByRole('link', { name: 'Help Desk Admin' }).click();
    await page.getByRole('dialog').waitFor();
  }),
  role('-custom', async (page) => {
    await custom(page).click();
    await page.getByRole('button', { name: 'Edit role' }).waitFor();
  }),
  role('-edit', async (page) => {
    await custom(page).click();
    await page.getByRole('button', { name: 'Edit role' }).click();
    await page.getByRole('textbox', { name: /Name/ }).waitFor();
  }),
  role('-discard', async (page) => {
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('textbox', { name: /Name/ }).fill('Auditor');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'Discard your changes?' }).waitFor();
  }),
  role('-create', async (page) => {
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('textbox', { name: /Name/ }).fill('Super admin');
    await page.getByRole('checkbox', { name: 'Search users' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click();
    await page.getByText('Role name already exists').waitFor();
  }),
  role('-delete', async (page) => {
    await custom(page).click();
    await page.getByRole('button', { name: 'Delete role' }).click();
    await page.getByRole('alertdialog').waitFor();
  }),
];
