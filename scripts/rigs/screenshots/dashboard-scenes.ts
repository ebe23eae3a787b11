import type { Page } from '@playwright/test';
import type { Scene } from './scene.ts';

const ADMIN = 'super.admin@acme.test';

const row = (page: Page, device: string) =>
  page.getByRole('table', { name: 'Registered devices' }).getByRole('row').filter({ hasText: device });

/** Returns a scene of the dashboard of a user with four devices, after `act`. */
const dashboard = (name: string, act: (page: Page) => Promise<void>, more: Partial<Scene> = {}): Scene => ({
  name,
  isWhole: true,
  ...more,
  async arrange({ page, signIn }) {
    await signIn(ADMIN);
    await row(page, 'Pixel 9 Pro').waitFor();
    await page.getByRole('list').filter({ hasText: 'Success' }).waitFor();
    await act(page);
  },
});

/** Returns a scene of the dashboard while its requests are delayed or after they fail. */
const unread = (name: string, answer: 'never' | 'fails', sign: (page: Page) => Promise<void>): Scene => ({
  name,
  isWhole: true,
  async arrange({ page, signIn }) {
    for (const path of ['**/api/user', '**/api/user?*', '**/api/user/loginhistory*', '**/api/org/summary*']) {
      await page.route(path, (route) => (answer === 'never' ? undefined : route.abort()));
    }
    await signIn(ADMIN);
    await sign(page);
  },
});

const openMenu = async (page: Page, device: string) =>
  row(page, device)
    .getByRole('button', { name: /^More actions/ })
    .click();

export const dashboardScenes: Scene[] = [
  dashboard('dashboard', async (page) => {
    await row(page, 'Pixel 9 Pro').getByRole('button', { expanded: false }).first().click();
  }),
  {
    name: 'dashboard-one-device',
    isWhole: true,
    async arrange({ page, signIn }) {
      await signIn('callcenter.admin@acme.test');
      await row(page, 'iPhone 16').waitFor();
    },
  },
  {
    name: 'dashboard-globex',
    isWhole: true,
    async arrange({ page, signIn }) {
      await signIn('admin@globex.test');
      await row(page, 'Pixel 9 Pro').waitFor();
    },
  },
  dashboard(
    'dashboard-day',
    async (page) => {
      await page
        .getByRole('list', { name: /^Sign-ins of/ })
        .getByRole('link')
        .last()
        .focus();
      await page.keyboard.press('ArrowLeft');
    },
    { on: ['laptop'] },
  ),
  unread('dashboard-loading', 'never', async (page) => {
    await page.getByRole('status').filter({ hasText: 'Loading devices' }).waitFor();
  }),
  unread('dashboard-unreachable', 'fails', async (page) => {
    await page.getByRole('button', { name: 'Retry' }).nth(1).waitFor();
  }),
  dashboard('dashboard-collapsed', async (page) => page.getByRole('button', { name: 'Collapse' }).click(), {
    on: ['desktop'],
    isWhole: false,
  }),
  dashboard(
    'dashboard-profile-menu',
    async (page) => {
      await page.getByRole('button', { name: 'Profile menu' }).click();
      await page.getByRole('menu').waitFor();
    },
    { isWhole: false },
  ),
  dashboard(
    'dashboard-palette',
    async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
    },
    { isWhole: false },
  ),
  dashboard(
    'dashboard-drawer',
    async (page) => {
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('dialog').waitFor();
    },
    { on: ['phone'], isWhole: false },
  ),
  dashboard(
    'dashboard-device-menu',
    async (page) => {
      await openMenu(page, 'ThinkPad X1');
      await page.getByRole('menu').waitFor();
    },
    { isWhole: false },
  ),
  dashboard(
    'dashboard-disabled-reason',
    async (page) => {
      await row(page, 'Pixel 9 Pro').getByRole('switch').focus();
      await page.getByRole('tooltip').waitFor();
    },
    { on: ['desktop'] },
  ),
  dashboard(
    'dashboard-nickname-too-short',
    async (page) => {
      await row(page, 'iPhone 14')
        .getByRole('button', { name: /^Add a nickname/ })
        .click();
      await page.getByRole('textbox', { name: 'Nickname for iPhone 14' }).fill('ab');
      await page.keyboard.press('Enter');
      await page.getByRole('tooltip').waitFor();
    },
    { isWhole: false },
  ),
  dashboard(
    'dashboard-toast',
    async (page) => {
      await page.route('**/api/device/manage', (route) => route.abort());
      await row(page, 'ThinkPad X1').getByRole('switch').click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Pause device' }).click();
      await page
        .getByRole('status')
        .filter({ hasText: /server|reach|wrong/i })
        .waitFor();
    },
    { isWhole: false },
  ),
  dashboard(
    'dialog-pause-device',
    async (page) => {
      await row(page, 'ThinkPad X1').getByRole('switch').click();
      await page.getByRole('alertdialog').waitFor();
    },
    { isWhole: false },
  ),
  dashboard(
    'dialog-delete-device',
    async (page) => {
      await openMenu(page, 'ThinkPad X1');
      await page.getByRole('menuitem', { name: /Delete/ }).click();
      await page.getByRole('alertdialog').waitFor();
    },
    { isWhole: false },
  ),
  dashboard(
    'dialog-report-lost',
    async (page) => {
      await openMenu(page, 'Pixel 9 Pro');
      await page.getByRole('menuitem', { name: /lost/ }).click();
      await page.getByRole('alertdialog').waitFor();
    },
    { isWhole: false },
  ),
  dashboard(
    'dialog-logout',
    async (page) => {
      await page.getByRole('button', { name: 'Profile menu' }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
    { isWhole: false },
  ),
  dashboard('login-history', async (page) => {
    await page.getByRole('link', { name: 'View All' }).click();
    await page.getByRole('button', { name: 'Load more' }).waitFor();
  }),
];
