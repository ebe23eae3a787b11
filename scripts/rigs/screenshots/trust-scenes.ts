import { getSecurity, saveSecurity } from '@orchestrate/shared';
import type { Page } from '@playwright/test';
import type { Scene, Studio } from './scene.ts';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';

function unverify({ portal }: Studio, email: string): void {
  portal.deps.db.$client
    .prepare("UPDATE members SET emailVerifiedAt = NULL WHERE orgCode = 'acme' AND primaryEmail = ?")
    .run(email);
}

async function changeAddress(page: Page): Promise<void> {
  await page.goto('/dashboard?modal=edit-profile');
  await page.getByRole('textbox', { name: 'Email' }).fill('daniel.ortiz@acme.test');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Verify your email address' }).waitFor();
}

async function openUser(page: Page): Promise<void> {
  await page.goto('/manage-users?by=primaryEmail&q=user@acme');
  await page.getByRole('list', { name: 'Members' }).getByRole('link').first().click();
  await page.getByRole('region', { name: 'Profile' }).waitFor();
  await page.getByRole('region', { name: 'Signed in' }).waitFor();
  await page.getByText('Loading').first().waitFor({ state: 'hidden' });
}

/** Saves as another administrator while the signed-in administrator is editing. */
async function conflict({ portal, page }: Studio): Promise<void> {
  await page.goto('/org-settings/security');
  await page.getByRole('spinbutton', { name: 'Device limit' }).fill('7');
  const { token } = await portal.signIn('security.admin@acme.test');
  const { resultCode: _, ownIp: __, ...settings } = (await portal.call(getSecurity, {}, { token })).body;
  const body = { ...settings, deviceLimit: 9, allowedEmailDomains: ['acme.test', 'consulting.test'] };
  await portal.call(saveSecurity, { body }, { token });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog', { name: /changed this while you were editing$/ }).waitFor();
}

function endSessions({ portal }: Studio): void {
  portal.deps.db.$client.prepare("UPDATE sessions SET revokedAt = 1 WHERE orgCode = 'acme'").run();
}

const own = (name: string, act: (studio: Studio) => Promise<void>, more: Partial<Scene> = {}): Scene => ({
  name: `trust-${name}`,
  ...more,
  async arrange(studio) {
    await studio.signIn(USER);
    await act(studio);
  },
});

const settings = (name: string, act: (studio: Studio) => Promise<void>, more: Partial<Scene> = {}): Scene => ({
  name: `trust-${name}`,
  on: ['desktop'],
  ...more,
  async arrange(studio) {
    await studio.signIn(ADMIN);
    await act(studio);
  },
});

export const trustScenes: Scene[] = [
  own('address-pending', ({ page }) => changeAddress(page)),
  own('address-unverified', async (studio) => {
    unverify(studio, USER);
    await studio.page.goto('/dashboard?modal=edit-profile');
    await studio.page.getByRole('button', { name: 'Verify email address' }).waitFor();
  }),
  own('sign-out-everywhere', async ({ portal, page }) => {
    await portal.signIn(USER);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('alertdialog').waitFor();
  }),
  own('disown', async ({ page }) => {
    await page.goto('/dashboard/login-history');
    await page.getByRole('button', { name: "It wasn't me" }).first().click();
    await page.getByRole('alertdialog').waitFor();
  }),
  own('disown-next', async ({ page }) => {
    await page.goto('/dashboard/login-history');
    await page.getByRole('button', { name: "It wasn't me" }).nth(1).click();
    await page.getByRole('alertdialog').getByRole('button', { name: "It wasn't me" }).click();
    await page.getByRole('dialog', { name: 'The sign-in has ended' }).waitFor();
  }),
  own('session-ended', async (studio) => {
    const { page } = studio;
    await page.goto('/dashboard?modal=edit-profile');
    await page.getByRole('textbox', { name: 'First Name' }).fill('Danny');
    endSessions(studio);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Your session has ended/).waitFor();
  }),
  {
    name: 'trust-link-approval',
    async arrange({ page }) {
      await page.route('**/api/user/approval/*', (route) =>
        route.fulfill({ json: { resultCode: 0, resultName: 'SUCCESS', state: 'pending' } }),
      );
      await page.goto('/acme/sign-in?login=success#code=code&approval=approval&number=42');
      await page.getByText('Approve on your phone: choose 42').waitFor();
    },
  },
  settings('conflict', conflict),
  settings('draft', async (studio) => {
    const { page, signIn } = studio;
    await page.goto('/org-settings/security');
    await page.getByRole('spinbutton', { name: 'Device limit' }).fill('7');
    endSessions(studio);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Your session has ended/).waitFor();
    await page.evaluate(() => localStorage.clear());
    await signIn(ADMIN);
    await page.goto('/org-settings/security');
    await page.getByText(/restored your unsaved changes/).waitFor();
  }),
  settings('provider-approval', async ({ page }) => {
    await page.goto('/org-settings/oidc-portal-auth');
    await page.getByRole('textbox', { name: 'Button label' }).fill('Continue with work account');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Approve on your phone: choose/).waitFor();
  }),
  settings(
    'member',
    async (studio) => {
      unverify(studio, USER);
      await studio.portal.signIn(USER);
      await openUser(studio.page);
    },
    { isWhole: true },
  ),
];
