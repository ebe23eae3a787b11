import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { buildClient } from '../build.ts';
import { activityScenes } from './screenshots/activity-scenes.ts';
import { applicationScenes } from './screenshots/application-scenes.ts';
import { authenticatorScenes } from './screenshots/authenticator-scenes.ts';
import { callerScenes } from './screenshots/caller-scenes.ts';
import { dashboardScenes } from './screenshots/dashboard-scenes.ts';
import { deviceScenes } from './screenshots/device-scenes.ts';
import { inviteScenes } from './screenshots/invite-scenes.ts';
import { labScenes } from './screenshots/lab-scenes.ts';
import { recordAnimation } from './screenshots/moving-picture.ts';
import { orgSettingsScenes } from './screenshots/org-settings-scenes.ts';
import { passkeyScenes } from './screenshots/passkey-scenes.ts';
import { peopleScenes } from './screenshots/people-scenes.ts';
import { protocolScenes } from './screenshots/protocol-scenes.ts';
import { referenceScenes } from './screenshots/reference-scenes.ts';
import type { Scene } from './screenshots/scene.ts';
import { signInScenes } from './screenshots/sign-in-scenes.ts';
import { signUpScenes } from './screenshots/sign-up-scenes.ts';
import { stageScenes } from './screenshots/stage-scenes.ts';
import { takeScreenshots } from './screenshots/take-pictures.ts';
import { trustScenes } from './screenshots/trust-scenes.ts';
import { webhookScenes } from './screenshots/webhook-scenes.ts';

const QUESTION = 'How do I sign in without a password?';

const read = (name: string, address: string, act: (page: Page) => Promise<void>): Scene => ({
  name: `faq${name}`,
  async arrange({ page }) {
    await page.goto(`/acme/faq${address}`);
    await act(page);
  },
});

const manage = (name: string, act: (page: Page) => Promise<void> = async () => undefined): Scene => ({
  name: `manage-faq${name}`,
  on: ['desktop'],
  async arrange({ page, signIn }) {
    await signIn('super.admin@acme.test');
    await page.goto('/org-settings/manage-faq');
    await page.getByRole('button', { name: `Actions for ${QUESTION}` }).waitFor();
    await act(page);
  },
});

/** Chooses an action in the menu of a category, subcategory or question. */
async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

const faqScenes: Scene[] = [
  { ...read('', '', (page) => page.getByRole('button', { name: QUESTION }).click()), isWhole: true },
  read('-found', '?q=phone', (page) => page.locator('mark').first().waitFor()),
  read('-nothing-found', '?q=quagmire', (page) => page.getByRole('heading', { name: 'Nothing found' }).waitFor()),
  {
    name: 'faq-signed-in',
    async arrange({ page, signIn }) {
      await signIn('user@acme.test');
      await page.goto('/faq');
      await page.getByRole('button', { name: QUESTION }).click();
    },
  },
  { ...manage(''), isWhole: true },
  manage('-menu', async (page) => {
    await page.getByRole('button', { name: `Actions for ${QUESTION}` }).click();
    await page.getByRole('menuitem', { name: 'Move up' }).waitFor();
  }),
  manage('-name', async (page) => {
    await page.getByRole('button', { name: 'Add category' }).click();
    await page.getByRole('textbox', { name: /Name/ }).fill('devices');
    await page.getByRole('dialog').getByRole('button', { name: 'Add category' }).click();
    await page.getByText('A category with this name already exists.').waitFor();
  }),
  manage('-question', async (page) => {
    await chooseAction(page, QUESTION, 'Edit');
    await page.getByRole('toolbar').waitFor();
  }),
  manage('-link', async (page) => {
    await chooseAction(page, QUESTION, 'Edit');
    await page.getByRole('button', { name: 'Link' }).click();
    await page.getByRole('textbox', { name: 'Link address' }).fill('acme.test/help');
    await page.keyboard.press('Enter');
    await page.getByText('Please enter a valid URL starting with http:// or https://').waitFor();
  }),
  manage('-preview', async (page) => {
    await chooseAction(page, QUESTION, 'Edit');
    await page.getByRole('toolbar').waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
  }),
  manage('-delete', async (page) => {
    await chooseAction(page, 'Devices', 'Delete');
    await page.getByRole('alertdialog').waitFor();
  }),
];

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

/** Returns the link to the first custom role. */
const custom = (page: Page) => page.getByRole('row').filter({ hasText: 'Custom role' }).first().getByRole('link');

const roleScenes: Scene[] = [
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
    await page.getByText('A role already has this name').waitFor();
  }),
  role('-delete', async (page) => {
    await custom(page).click();
    await page.getByRole('button', { name: 'Delete role' }).click();
    await page.getByRole('alertdialog').waitFor();
  }),
];

const setupScenes: Scene[] = [
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
      await page.getByRole('heading', { name: 'Set up your phone' }).waitFor();
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

/** Full-page screens with a single message. */
const pages = {
  'access-restricted': '/',
  'access-denied': '/access-denied',
  'not-found': '/acme/no/such/page',
  'static-activation-sent': '/static/activation-sent',
  'static-link-invalid': '/static/link-invalid',
  'static-link-early': '/static/link-early?validFrom=2026-11-21T09:00:00.000Z',
  'static-ip-blocked': '/static/ip-blocked',
  'static-sso-unknown-email': '/static/sso-unknown-email?org=acme',
  'static-sso-provider-down': '/static/sso-provider-down?org=acme',
  'sign-in-sso-over': '/acme/sign-in?login=success#code=over',
};

const staticScenes: Scene[] = Object.entries(pages).map(([name, address]) => ({
  name,
  async arrange({ page }) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
  },
}));

const PICTURES = join(import.meta.dirname, '../../screenshots');
const README_PICTURES = join(import.meta.dirname, '../../docs/pictures');

const scenes = [
  ...signInScenes,
  ...signUpScenes,
  ...dashboardScenes,
  ...deviceScenes,
  ...passkeyScenes,
  ...peopleScenes,
  ...protocolScenes,
  ...orgSettingsScenes,
  ...inviteScenes,
  ...callerScenes,
  ...applicationScenes,
  ...authenticatorScenes,
  ...referenceScenes,
  ...staticScenes,
  ...labScenes,
  ...setupScenes,
  ...stageScenes,
  ...roleScenes,
  ...faqScenes,
  ...activityScenes,
  ...webhookScenes,
  ...trustScenes,
];

/** Images in the README and the pages it links to, with their sources. The README's animation has its own script. */
const readme = {
  'sign-in.png': 'sign-in-scan.desktop.light.png',
  'dashboard.png': 'dashboard.desktop.light.png',
  'dashboard-dark.png': 'dashboard.desktop.dark.png',
  'authenticator.png': 'authenticator-request.phone.dark.png',
  'branding.png': 'branding.desktop.light.png',
};

const { values, positionals: words } = parseArgs({ options: { readme: { type: 'boolean' } }, allowPositionals: true });

/**
 * Returns true for images in the README with `--readme`; otherwise for images that match one of the given words, or
 * all images if no words were given.
 */
function isWanted(name: string): boolean {
  if (values.readme) return Object.values(readme).some((picture) => picture.startsWith(`${name}.`));
  return words.length === 0 || words.some((word) => name.includes(word));
}

await buildClient();
if (words.length === 0 && !values.readme) rmSync(PICTURES, { recursive: true, force: true });
const { taken, failures } = await takeScreenshots(
  scenes.filter(({ name }) => isWanted(name)),
  PICTURES,
);
if (values.readme && failures.length === 0) {
  mkdirSync(README_PICTURES, { recursive: true });
  for (const [name, source] of Object.entries(readme))
    copyFileSync(join(PICTURES, source), join(README_PICTURES, name));
  await recordAnimation(join(README_PICTURES, 'first-sign-in.webp'));
}
for (const failure of failures) console.error(failure);
console.log(`${taken} images in screenshots/${values.readme ? ', those of the README in docs/pictures/' : ''}`);
process.exitCode = failures.length === 0 ? 0 : 1;
