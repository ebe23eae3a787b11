import { scimCredentialsRepo } from '@orchestrate/db';
import type { TestPortal } from '@orchestrate/server/testing';
import type { Page } from '@playwright/test';
import { basicAuthHeader } from '../../basic.ts';
import type { Scene } from './scene.ts';

const ADMIN = 'super.admin@acme.test';

const NAVY_LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><circle cx="30" cy="30" r="24" fill="#1D4ED8"/>' +
  '<path d="M18 40 30 16l12 24z" fill="#fff"/><rect x="66" y="20" width="120" height="20" rx="10" fill="#1D4ED8"/></svg>';

/**
 * Returns a scene of a super admin's settings screen: the window after `act`, or the whole page if `act` is omitted.
 */
const setting = (name: string, path: string, act?: (page: Page) => Promise<void>): Scene => ({
  name,
  on: ['desktop'],
  isWhole: !act,
  async arrange({ page, signIn }) {
    await signIn(ADMIN);
    await page.goto(`/org-settings/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading settings' }).waitFor({ state: 'hidden' });
    await act?.(page);
  },
});

async function chooseLogo(page: Page): Promise<void> {
  const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(NAVY_LOGO) };
  await page.getByLabel('Logo').locator('input[type=file]').setInputFiles(file);
  await page.getByRole('progressbar', { name: 'Upload' }).waitFor();
}

async function brandAnew(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Colour', exact: true }).fill('#0B1F4D');
  await page.getByRole('textbox', { name: 'Title' }).fill('Welcome to Acme');
  await chooseLogo(page);
  await page.locator('[role=progressbar][aria-valuenow="100"]').waitFor();
}

/** Returns a scene of a screen while its settings are delayed or after they fail to load. */
const unread = (name: string, answer: 'never' | 'fails'): Scene => ({
  name,
  on: ['desktop'],
  async arrange({ page, signIn }) {
    await page.route('**/api/org/session', (route) => (answer === 'never' ? undefined : route.abort()));
    await signIn(ADMIN);
    await page.goto('/org-settings/login-options/org-level');
    if (answer === 'never') await page.getByRole('status', { name: 'Loading settings' }).waitFor();
    else await page.getByRole('button', { name: 'Retry' }).waitFor();
  },
});

/**
 * Acts as a directory that provisions a user: creates the user, fails to create the same user again, and then
 * disables the user.
 */
async function provision({ url, deps }: TestPortal): Promise<void> {
  const { username = '', password = '' } = scimCredentialsRepo.findScimCredentials(deps.db, 'acme') ?? {};
  const authorization = basicAuthHeader(username, password);
  const send = (method: string, path: string, body: object) =>
    fetch(`${url}/scim/v2/acme${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/scim+json' },
      body: JSON.stringify(body),
    });
  const name = { givenName: 'Isaac', familyName: 'Brock' };
  const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'isaac.brock@acme.test', name };
  const made = await send('POST', '/Users', user);
  const { id }: { id: string } = JSON.parse(await made.text());
  await send('POST', '/Users', user);
  const Operations = [{ op: 'replace', path: 'active', value: false }];
  await send('PATCH', `/Users/${id}`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations });
}

/** Result of checking a provider outside the demo. */
const found = {
  resultCode: 0,
  resultName: 'SUCCESS',
  issuer: 'https://login.example.com/acme',
  authorizationEndpoint: 'https://login.example.com/acme/authorize',
  tokenEndpoint: 'https://login.example.com/acme/token',
  jwksUri: 'https://login.example.com/acme/keys',
  userinfoEndpoint: null,
  scopesSupported: ['openid', 'profile', 'email'],
  codeChallengeMethodsSupported: [],
  warnings: ['The provider does not offer PKCE with S256.'],
  checks: [
    {
      subject: 'client',
      result: 'accepted',
      detail: 'The provider knows the client ID and returns to the callback URL.',
    },
    {
      subject: 'secret',
      result: 'refused',
      detail: 'The provider rejected the client ID and secret (invalid_client).',
    },
  ],
};

export const orgSettingsScenes: readonly Scene[] = [
  setting('login-options-org-level', 'login-options/org-level'),
  setting('login-options-changed', 'login-options/org-level', async (page) => {
    await page.getByRole('spinbutton', { name: 'Session timeout' }).fill('-5');
    await page.getByRole('switch', { name: 'Type code' }).click();
    await page.getByText('Enter a whole number of at least 0').waitFor();
  }),
  setting('login-options-app-level', 'login-options/app-level', async (page) => {
    await page.getByRole('spinbutton', { name: 'Max cookie life' }).fill('1440');
  }),
  unread('login-options-loading', 'never'),
  unread('login-options-error', 'fails'),
  setting('branding', 'branding'),
  setting('branding-changed', 'branding', brandAnew),
  setting('branding-logo', 'branding', async (page) => {
    await chooseLogo(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Remove logo', exact: true }).scrollIntoViewIfNeeded();
  }),
  setting('branding-logo-refused', 'branding', async (page) => {
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
    await page.getByLabel('Logo').locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The content of this file does not match its name').scrollIntoViewIfNeeded();
  }),
  setting('branding-phone-preview', 'branding', async (page) => {
    await brandAnew(page);
    await page.getByRole('tab', { name: 'Phone' }).click();
  }),
  setting('branding-help', 'branding', async (page) => {
    await page.getByRole('button', { name: 'Where each field appears' }).click();
    await page.getByRole('dialog').waitFor();
  }),
  setting('oidc-portal-auth', 'oidc-portal-auth'),
  setting('oidc-portal-auth-test', 'oidc-portal-auth', async (page) => {
    await page.getByRole('textbox', { name: 'Configuration URL' }).fill('https://192.168.0.10/');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('alert').waitFor();
  }),
  setting('oidc-portal-auth-found', 'oidc-portal-auth', async (page) => {
    await page.route('**/api/oidc/configuration/test', (route) => route.fulfill({ json: found }));
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('status', { name: 'Test' }).waitFor();
  }),
  setting('user-provisioning', 'user-provisioning'),
  {
    name: 'user-provisioning-log',
    on: ['desktop'],
    isWhole: true,
    async arrange({ portal, page, signIn }) {
      await provision(portal);
      await signIn(ADMIN);
      await page.goto('/org-settings/user-provisioning');
      await page.getByRole('button', { name: 'Show sent data' }).nth(1).click();
      await page.getByRole('group', { name: 'Sent data' }).waitFor();
    },
  },
  {
    name: 'user-provisioning-schema',
    on: ['desktop', 'laptop'],
    async arrange({ page, signIn }) {
      await signIn(ADMIN);
      await page.goto('/org-settings/user-provisioning');
      await page.getByRole('button', { name: 'Add schema' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add schema' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('HR');
      await dialog.getByRole('textbox', { name: 'URN' }).fill('urn:example:hr:2.0:User');
      await dialog.getByRole('textbox', { name: 'Attribute 1' }).fill('costCode');
      await dialog.getByRole('button', { name: 'Add attribute' }).click();
      const second = dialog.getByRole('group', { name: 'Attribute 2' });
      await second.getByRole('textbox', { name: 'Attribute 2' }).fill('badge');
      await second.getByRole('combobox', { name: 'Type' }).selectOption('complex');
      await second.getByRole('button', { name: 'Add sub-attribute' }).click();
      await second.getByRole('textbox', { name: 'Sub-attribute 1' }).fill('number');
      await dialog.getByRole('button', { name: 'Add schema' }).click();
      await page.getByRole('button', { name: 'Edit HR' }).click();
      await page.getByRole('textbox', { name: 'Sub-attribute 1' }).scrollIntoViewIfNeeded();
    },
  },
  setting('user-provisioning-regenerate', 'user-provisioning', async (page) => {
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('alertdialog').waitFor();
  }),
  setting('security', 'security'),
  setting('security-changed', 'security', async (page) => {
    await page.getByRole('button', { name: 'Add my IP address' }).click();
    await page.getByRole('textbox', { name: 'Allowed email domains' }).pressSequentially('nonsense ');
  }),
  {
    name: 'org-settings-small-screen',
    on: ['phone'],
    async arrange({ page, signIn }) {
      await signIn(ADMIN);
      await page.goto('/org-settings/branding');
      await page.getByRole('heading', { name: 'Admin features are available only on Desktop' }).waitFor();
    },
  },
];
