import type { TestPortal } from '@orchestrate/server/testing';
import {
  createRole,
  editRole,
  getSecurity,
  getUser,
  manageUser,
  saveSecurity,
  searchUsers,
  updateUser,
} from '@orchestrate/shared';
import type { Page } from '@playwright/test';
import type { Scene } from './scene.ts';

const ADMIN = 'super.admin@acme.test';

/** Makes a few changes as two different administrators. */
async function change(portal: TestPortal): Promise<void> {
  const { token } = await portal.signIn(ADMIN);
  const security = await portal.signIn('security.admin@acme.test');
  const found = await portal.call(searchUsers, { query: { q: 'marcus', field: 'firstName' } }, { token });
  const [member] = found.body.Items;
  if (!member) return;
  const { suid, primaryAttr, firstName, lastName } = member;
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token: security.token });
  await portal.call(manageUser, { body: { suid, action: 'unpause' } }, { token: security.token });
  const { profile } = (await portal.call(getUser, { query: { suid } }, { token })).body;
  await portal.call(
    updateUser,
    {
      body: {
        primaryAttr,
        firstName,
        lastName: `${lastName}-Bell`,
        primaryEmail: profile.primaryEmail,
        roles: 'AUDITOR',
      },
    },
    { token },
  );
  const made = await portal.call(
    createRole,
    { body: { name: 'Night shift', permissions: ['SEARCH_USER'] } },
    { token },
  );
  const { roleCode } = made.body;
  await portal.call(
    editRole,
    { body: { roleCode, name: 'Night shift', permissions: ['SEARCH_USER', 'PAUSE_USER'] } },
    { token },
  );
  const { resultCode: _, ownIp: __, ...settings } = (await portal.call(getSecurity, {}, { token })).body;
  await portal.call(saveSecurity, { body: { ...settings, deviceLimit: 4 } }, { token });
}

const activity = (name: string, address = '', act?: (page: Page) => Promise<void>): Scene => ({
  name: `activity${name}`,
  on: ['desktop'],
  isWhole: true,
  async arrange({ portal, page, signIn }) {
    await change(portal);
    await signIn(ADMIN);
    await page.goto(`/org-settings/activity${address}`);
    await page.getByRole('status', { name: 'Loading activity' }).waitFor({ state: 'hidden' });
    await page.getByRole('heading', { level: 3 }).first().waitFor();
    await act?.(page);
  },
});

const signIns = (name: string, address = '', act?: (page: Page) => Promise<void>): Scene => ({
  name: `sign-ins${name}`,
  on: ['desktop'],
  async arrange({ page, signIn }) {
    await signIn(ADMIN);
    await page.goto(`/org-settings/sign-ins${address}`);
    await page.getByRole('list', { name: /^Sign-ins of/ }).waitFor();
    await page.getByRole('table', { name: 'Sign-ins' }).waitFor();
    await act?.(page);
  },
});

export const activityScenes: Scene[] = [
  activity('', '', async (page) => {
    await page.getByRole('button', { name: /^Member updated/ }).click();
    await page.getByRole('table', { name: 'Changed fields' }).waitFor();
  }),
  activity('-nothing-found', '?type=faq-record&from=2026-11-01'),
  activity('-export', '?type=member', async (page) => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menu').waitFor();
  }),
  activity('-choose-member', '', async (page) => {
    await page.getByRole('combobox', { name: 'Changed by' }).selectOption('choose');
    await page.getByRole('searchbox', { name: 'Member' }).fill('admin');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /security\.admin/ })
      .waitFor();
  }),
  {
    name: 'activity-of-a-member',
    on: ['desktop'],
    isWhole: true,
    async arrange({ portal, page, signIn }) {
      await change(portal);
      await signIn(ADMIN);
      await page.goto('/manage-users?q=marcus&by=firstName');
      await page
        .getByRole('link', { name: /Marcus/ })
        .first()
        .click();
      await page.getByRole('button', { name: /^Member updated/ }).waitFor();
    },
  },
  {
    name: 'activity-of-an-application',
    on: ['desktop'],
    isWhole: true,
    async arrange({ page, signIn }) {
      await signIn(ADMIN);
      await page.goto('/applications/team-wiki/history');
      await page.getByRole('region', { name: 'Activity' }).waitFor();
      await page.getByRole('status').first().waitFor({ state: 'hidden' });
    },
  },
  signIns(''),
  signIns('-failed', '?status=Failed&from=2026-11-19'),
  signIns('-of-a-day', '?from=2026-11-18&to=2026-11-18'),
  signIns('-columns', '', async (page) => {
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menu').waitFor();
  }),
  signIns('-save-filters', '?status=Failed&how=QID', async (page) => {
    await page.getByRole('button', { name: 'Save filters' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Failed scans');
  }),
];
