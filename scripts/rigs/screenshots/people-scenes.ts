import { type Member, searchUsers } from '@orchestrate/shared';
import type { Page } from '@playwright/test';
import type { Scene, Studio } from './scene.ts';

const ADMIN = 'super.admin@acme.test';
const MANAGER = 'manager@acme.test';

const desktop = { on: ['desktop'] } as const;

async function search({ page, signIn }: Studio, address: string, person = ADMIN): Promise<void> {
  await signIn(person);
  await page.goto(`/manage-users${address}`);
}

/** Returns a scene of the list of members whose first name contains 'mar', after `act`. */
const found = (name: string, act: (page: Page) => Promise<void> = async () => undefined): Scene => ({
  name,
  ...desktop,
  async arrange(studio) {
    await search(studio, '?q=mar');
    await studio.page.getByRole('list', { name: 'Members' }).waitFor();
    await act(studio.page);
  },
});

/** Returns a scene of the member list while the search is delayed or after it fails. */
const unread = (name: string, answer: 'never' | 'fails', sign: (page: Page) => Promise<void>): Scene => ({
  name,
  ...desktop,
  async arrange(studio) {
    await studio.page.route('**/api/user/search?*', (route) => (answer === 'never' ? undefined : route.abort()));
    await search(studio, '?q=mar');
    await sign(studio.page);
  },
});

async function chooseFor(page: Page, member: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${member}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function openMember({ page }: Studio, { primaryAttr }: Pick<Member, 'primaryAttr'>, status = ''): Promise<void> {
  await page.goto(`/manage-users?by=employeeId&q=${primaryAttr}&status=${status}`);
  await page.getByRole('list', { name: 'Members' }).getByRole('link').click();
  await page.getByRole('region', { name: 'Profile' }).waitFor();
  await page.getByText('Loading').first().waitFor({ state: 'hidden' });
}

/** Returns a scene of a member's detail screen as seen by `person`, after `act`. */
const detail = (
  name: string,
  member: string | ((member: Member) => boolean),
  { person = ADMIN, status, act }: { person?: string; status?: string; act?: (page: Page) => Promise<void> } = {},
): Scene => ({
  name: `member-${name}`,
  isWhole: act === undefined,
  ...desktop,
  async arrange(studio) {
    await studio.signIn(person);
    const primaryAttr = typeof member === 'string' ? member : (await newcomer(studio, member)).primaryAttr;
    await openMember(studio, { primaryAttr }, status);
    await act?.(studio.page);
  },
});

/** Returns the first unregistered member that meets a condition. */
async function newcomer({ portal }: Studio, isWanted: (member: Member) => boolean): Promise<Member> {
  const { token } = await portal.signIn(ADMIN);
  const query = { q: 'acme', field: 'primaryEmail', status: 'unregistered', pageSize: 100 } as const;
  const member = (await portal.call(searchUsers, { query }, { token })).body.Items.find(isWanted);
  if (!member) throw new Error('The demo has no unregistered member that matches.');
  return member;
}

const reports = (name: string, address: string, sign: (page: Page) => Promise<void>): Scene => ({
  name,
  ...desktop,
  async arrange({ page, signIn }) {
    await signIn(MANAGER);
    await page.goto(`/direct-reports${address}`);
    await sign(page);
  },
});

export const peopleScenes: Scene[] = [
  {
    name: 'manage-users-intro',
    async arrange(studio) {
      await search(studio, '');
      await studio.page.getByRole('heading', { name: /Find a member|available only on Desktop/ }).waitFor();
    },
  },
  found('manage-users'),
  found('manage-users-menu', (page) => page.getByRole('button', { name: 'Actions for Marcus Oyelaran' }).click()),
  found('manage-users-selected', async (page) => {
    for (const name of ['Marcus Oyelaran', 'Mara Lindholm'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  }),
  ...(['Cards', 'Table'] as const).map((view) =>
    found(`manage-users-preview-${view.toLowerCase()}`, async (page) => {
      await page.getByRole('button', { name: view }).click();
      await page.getByTitle('mara.lindholm@acme.test').click();
      await page.getByRole('region', { name: 'Mobile activation code' }).waitFor();
    }),
  ),
  {
    ...found('manage-users-many'),
    isWhole: true,
    async arrange(studio) {
      await search(studio, '?q=acme&by=primaryEmail');
      await studio.page.getByText(/^20 of/).waitFor();
    },
  },
  {
    ...found('manage-users-none'),
    async arrange(studio) {
      await search(studio, '?q=quagmire&status=inactive&by=lastName');
      await studio.page.getByRole('heading', { name: 'No members match' }).waitFor();
    },
  },
  unread('manage-users-loading', 'never', (page) => page.getByText('Searching…').waitFor({ state: 'attached' })),
  unread('manage-users-unreachable', 'fails', (page) => page.getByRole('button', { name: 'Retry' }).waitFor()),
  found('dialog-edit-user', async (page) => {
    await chooseFor(page, 'Marcus Oyelaran', 'Edit');
    await page.getByRole('option', { name: 'Help Desk Admin' }).waitFor({ state: 'attached' });
  }),
  found('dialog-edit-user-wrong', async (page) => {
    await chooseFor(page, 'Marcus Oyelaran', 'Edit');
    await page.getByRole('textbox', { name: /First Name/ }).fill('');
    await page.getByRole('textbox', { name: /Email/ }).fill('user@acme.test');
    await page.getByRole('textbox', { name: /First Name/ }).fill('Marcus');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Email already exists').waitFor();
  }),
  found('dialog-disable-user', async (page) => {
    await chooseFor(page, 'Marcus Oyelaran', 'Disable user');
    await page.getByRole('alertdialog').waitFor();
  }),
  found('dialog-delete-user', async (page) => {
    await chooseFor(page, 'Marcus Oyelaran', 'Delete user');
    await page.getByRole('alertdialog').waitFor();
  }),
  found('dialog-activation-codes', async (page) => {
    await chooseFor(page, 'Mara Lindholm', 'Activation codes');
    await page.getByRole('region', { name: 'Mobile activation code' }).waitFor();
  }),
  detail('active', 'E-10442'),
  detail('unregistered', 'E-11020'),
  detail('code-expired', ({ activationExpired, activationExpiry }) => activationExpired && activationExpiry !== null),
  detail('code-locked', ({ activationLocked }) => activationLocked, {
    act: async (page) => {
      await page.getByText('Account Locked').hover();
      await page.getByRole('tooltip').waitFor();
    },
  }),
  detail('app-denied', ({ hasPermissionForWindowsApp }) => !hasPermissionForWindowsApp),
  detail('inactive', 'E-11207'),
  detail('deleted', 'E-10772', { status: 'deleted' }),
  detail('oneself', 'E-10001'),
  detail('without-permissions', 'E-11020', { person: 'security.admin@acme.test' }),
  detail('more-powerful', 'E-10001', { person: 'helpdesk.admin@acme.test' }),
  {
    name: 'member-unknown',
    ...desktop,
    async arrange({ page, signIn }) {
      await signIn(ADMIN);
      await page.goto('/manage-users/nobody');
      await page.getByRole('heading', { name: 'Member not found' }).waitFor();
    },
  },
  {
    name: 'member-loading',
    ...desktop,
    async arrange(studio) {
      const { page } = studio;
      await search(studio, '?q=mara');
      await page.route('**/api/user?*', () => undefined);
      await page.getByRole('link', { name: 'Mara Lindholm' }).click();
      await page.getByText('Loading member').waitFor({ state: 'attached' });
    },
  },
  reports('direct-reports', '', (page) => page.getByText('8 direct reports').waitFor()),
  reports('direct-reports-none', '?q=quagmire', (page) =>
    page.getByRole('heading', { name: 'No direct reports match' }).waitFor(),
  ),
  reports('direct-report', '?q=kami', async (page) => {
    await page.getByRole('list', { name: 'Direct reports' }).getByRole('link').click();
    await page.getByRole('table', { name: 'Connected devices' }).waitFor();
    await page.getByText('Success').first().waitFor();
  }),
  {
    name: 'palette-member',
    ...desktop,
    async arrange({ page, signIn }) {
      await signIn(ADMIN);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /member/ }).fill('ma');
      await page.getByRole('combobox', { name: /member/ }).fill('mar');
      await page.getByRole('option', { name: /Mara Lindholm/ }).waitFor();
    },
  },
];
