import type { Page } from '@playwright/test';
import { HR_METADATA } from '../../../web/e2e/fixtures/data.ts';
import type { Scene } from './scene.ts';

const ADMIN = 'super.admin@acme.test';
const on = ['desktop'] as const;

const app = (name: string, address: string, act: (page: Page) => Promise<void>, isWhole = false): Scene => ({
  name,
  on,
  async arrange({ page, signIn }) {
    await signIn(ADMIN);
    await page.goto(address);
    await act(page);
    if (isWhole) await showWhole(page);
  },
});

/** Makes the window as tall as the page, because the footer sticks to the window's bottom edge. */
async function showWhole(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 1440, height });
}

const received = (name: string) => async (page: Page) => {
  await button(page, 'Submit').waitFor();
  await page.getByRole('button', { name: new RegExp(`^Data sent to ${name}`) }).click();
  await page.getByRole('table', { name: /^(Claims|Attributes)$/ }).waitFor();
};

const list = (page: Page) => page.getByRole('table', { name: 'Applications' }).waitFor();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const tab = (page: Page) => button(page, 'Submit').waitFor();

async function nameWizard(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'App name' }).fill(name);
  await page.getByRole('textbox', { name: 'Description' }).fill('Hours, absences and shifts');
  await button(page, 'Next').click();
  await page.getByRole('textbox', { name: 'Callback URL' }).waitFor();
}

async function beginSaml(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'App name' }).fill('People HR');
  await button(page, 'Submit').click();
  await page.getByRole('heading', { name: /^People HR/ }).waitFor();
}

const addNetwork = (kind: 'RADIUS' | 'LDAP', name: string) => async (page: Page) => {
  await page.getByRole('textbox', { name: 'App name' }).fill(name);
  await button(page, 'Submit').click();
  await page.getByRole('heading', { name: `${name} / ${kind}` }).waitFor();
};

async function upload(page: Page): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'metadata.xml', mimeType: 'application/xml', buffer: Buffer.from(HR_METADATA) });
  await page.getByRole('group', { name: 'Metadata contents' }).waitFor();
}

export const applicationScenes: Scene[] = [
  app(
    'application-encrypt-refused',
    '/applications/travel-desk/configuration',
    async (page) => {
      await button(page, 'Replace').click();
      await page.getByRole('tab', { name: 'Manually' }).click();
      await page.getByRole('textbox', { name: 'Entity ID' }).fill('https://hr.acme.test/saml');
      await page.getByRole('textbox', { name: 'Assertion consumer service URL' }).fill('https://hr.acme.test/acs');
      await button(page, 'Use these values').click();
      await page.getByRole('switch', { name: /^Encrypt assertions/ }).click();
      await button(page, 'Submit').click();
      await page.getByText('have no RSA key').waitFor();
    },
    true,
  ),
  app(
    'application-closed',
    '/applications/team-wiki/configuration',
    async (page) => {
      await button(page, 'Revoke').first().click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke secret' }).click();
      await page.getByText(/^This application has no valid secret/).waitFor();
    },
    true,
  ),
  app(
    'application-access',
    '/applications/payroll/access',
    async (page) => {
      await page.getByRole('switch', { name: 'Limit access to selected people' }).click();
      await page.getByRole('checkbox', { name: 'Auditor' }).check();
    },
    true,
  ),
  app(
    'application-claims',
    '/applications/payroll/configuration',
    async (page) => {
      await button(page, /^Advanced/).click();
      await page.getByRole('button', { name: /^Claims/ }).click();
      await button(page, 'Add claim').click();
      await page.getByRole('textbox', { name: 'Claim 1' }).fill('department');
      await page.getByRole('textbox', { name: 'Value' }).fill('${roleName}');
    },
    true,
  ),
  app(
    'application-keys',
    '/applications/team-wiki/configuration',
    async (page) => {
      await button(page, /^Advanced/).click();
      await button(page, 'Keys and signatures').click();
      await page
        .getByRole('textbox', { name: 'Public keys' })
        .fill('{ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }');
      await page.getByRole('button', { name: 'Submit' }).click();
      await list(page);
      await page.getByRole('link', { name: 'Team Wiki' }).click();
      await page.getByText("These secrets aren't accepted").waitFor();
    },
    true,
  ),
  app('registration-token', '/applications?tab=registration', async (page) => {
    await button(page, 'Add token').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('MCP clients');
    await page.getByRole('dialog').getByRole('button', { name: 'Add token' }).click();
    await page.getByRole('dialog', { name: 'Token added' }).waitFor();
  }),
  app('registration-tokens', '/applications?tab=registration', async (page) => {
    await button(page, 'Add token').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('MCP clients');
    await page.getByRole('dialog').getByRole('button', { name: 'Add token' }).click();
    await button(page, 'Done').click();
    await page.getByRole('table', { name: 'Registration tokens' }).scrollIntoViewIfNeeded();
  }),
  app('application-provisioning-setup', '/applications/payroll/provisioning', async (page) => {
    await button(page, 'Set up provisioning').click();
    await page.getByRole('textbox', { name: 'Address' }).fill('http://localhost:9');
    await page.getByLabel('Token', { exact: true }).fill('a token');
    await page.getByRole('dialog').getByRole('button', { name: 'Test' }).click();
    await page.getByRole('list', { name: 'Test' }).waitFor();
  }),
  app(
    'application-provisioning',
    '/applications/payroll/provisioning',
    async (page) => {
      await button(page, 'Set up provisioning').click();
      await page.getByRole('textbox', { name: 'Address' }).fill('http://localhost:9');
      await page.getByLabel('Token', { exact: true }).fill('a token');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByText('Log', { exact: true }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await button(page, 'Refresh').click();
      await button(page, 'Show the requests').first().click();
    },
    true,
  ),
  app('groups', '/applications?tab=groups', async (page) => {
    await button(page, 'Add group').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Night watch');
    await page.getByRole('dialog').getByRole('button', { name: 'Add group' }).click();
    await button(page, 'People in Night watch').click();
    await page.getByRole('searchbox', { name: 'Add a person' }).fill('user@acme');
    await page
      .getByRole('button', { name: /user@acme\.test/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Remove / }).waitFor();
  }),
  app('application-api', '/applications?tab=apis', async (page) => {
    await button(page, 'Add API').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Orders');
    await page.getByRole('textbox', { name: 'Identifier' }).fill('orders');
    await page.getByRole('textbox', { name: 'Scopes' }).fill('orders:read');
    await page.getByText(/^Enter an absolute URL/).waitFor();
  }),
  app('application-oidc-kind', '/applications?modal=create-oidc', (page) =>
    page.getByRole('textbox', { name: 'App name' }).waitFor(),
  ),
  app('application-radius', '/applications?modal=create-radius', addNetwork('RADIUS', 'Office VPN')),
  app('application-ldap', '/applications?modal=create-ldap', addNetwork('LDAP', 'Directory')),
  app('application-create-radius', '/applications?modal=create-radius', (page) =>
    page.getByRole('textbox', { name: 'App name' }).waitFor(),
  ),
  {
    name: 'applications',
    async arrange({ page, signIn, view }) {
      await signIn(ADMIN);
      await page.goto('/applications');
      if (view === 'desktop') await list(page);
      else await page.getByRole('link', { name: 'Back to dashboard' }).waitFor();
    },
  },
  {
    name: 'application-refused-redirect',
    on: ['desktop', 'laptop'],
    async arrange({ page, portal, signIn }) {
      const redirect = encodeURIComponent('http://localhost:8080/callback');
      await fetch(
        `${portal.url}/oidc/acme/auth?client_id=payroll&response_type=code&scope=openid&redirect_uri=${redirect}`,
      );
      await signIn(ADMIN);
      await page.goto('/applications/payroll/configuration');
      await page.getByRole('link', { name: /^Add to callback URLs/ }).click();
      await page.getByText(/^Not saved yet/).waitFor();
    },
  },
  {
    name: 'applications-loading',
    on,
    async arrange({ page, signIn }) {
      await page.route('**/api/orgs/acme/apps', () => undefined);
      await signIn(ADMIN);
      await page.goto('/applications');
      await page.getByText('Loading applications').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'applications-unreachable',
    on,
    async arrange({ page, signIn }) {
      await page.route('**/api/orgs/acme/apps', (route) => route.abort());
      await signIn(ADMIN);
      await page.goto('/applications');
      await button(page, 'Retry').waitFor();
    },
  },
  {
    name: 'applications-none',
    on,
    async arrange({ page, signIn }) {
      await page.route('**/api/orgs/acme/apps', (route) => route.fulfill({ json: { resultCode: 0, apps: [] } }));
      await signIn(ADMIN);
      await page.goto('/applications');
      await page.getByRole('heading', { name: 'No applications yet' }).waitFor();
    },
  },
  app('applications-hint', '/applications', async (page) => {
    await page.getByRole('link', { name: 'Payroll' }).focus();
    await page.getByRole('tooltip').waitFor();
  }),
  app('applications-menu', '/applications', async (page) => {
    await list(page);
    await button(page, 'Add application').click();
    await page.getByRole('menu').waitFor();
  }),
  app('application-oidc-name', '/applications?modal=create-oidc', async (page) => {
    await page.getByRole('textbox', { name: 'App name' }).fill('Time * Sheets');
    await page.getByRole('textbox', { name: 'Description' }).focus();
    await page.getByText(/^Use only letters/).waitFor();
  }),
  app('application-oidc-urls', '/applications?modal=create-oidc', async (page) => {
    await nameWizard(page, 'Time Sheets');
    await page.getByRole('textbox', { name: 'Callback URL' }).fill('app.example.com/callback');
    await button(page, 'Add Callback URL').click();
    await page.getByText('The scheme is missing').first().waitFor();
  }),
  app('application-saml-name', '/applications?modal=create-saml', async (page) => {
    await page.getByRole('textbox', { name: 'App name' }).fill('travel DESK');
    await button(page, 'Submit').click();
    await page.getByText('App name already exists').waitFor();
  }),
  app('application-saml-create', '/applications?modal=create-saml', beginSaml, true),
  app(
    'application-saml-preview',
    '/applications?modal=create-saml',
    async (page) => {
      await beginSaml(page);
      await upload(page);
      await button(page, 'Submit').click();
      await page.getByRole('alert').waitFor();
    },
    true,
  ),
  app(
    'application-saml-by-hand',
    '/applications?modal=create-saml',
    async (page) => {
      await beginSaml(page);
      await page.getByRole('tab', { name: 'Manually' }).click();
      await page.getByRole('button', { name: 'Add config' }).first().click();
    },
    true,
  ),
  app('application-saml', '/applications/travel-desk', tab, true),
  app('application-oidc', '/applications/payroll', tab, true),
  app(
    'application-oidc-revealed',
    '/applications/payroll',
    async (page) => {
      await button(page, 'Reveal Client secret').click();
      await button(page, /^Token lifetimes/).click();
    },
    true,
  ),
  app('application-received', '/applications/team-wiki/configuration', received('Team Wiki'), true),
  app('application-received-saml', '/applications/travel-desk/configuration', received('Travel Desk'), true),
  app('application-login-options', '/applications/team-wiki/login-options', tab),
  app('application-general', '/applications/team-wiki/name-&-description', async (page) => {
    await page.getByRole('textbox', { name: 'App name' }).fill('Payroll');
    await page.getByRole('textbox', { name: 'Description' }).focus();
    await page.getByText('App name already exists').waitFor();
  }),
  app('application-portal', '/applications/portal', tab),
  app('application-secret-add', '/applications/payroll', async (page) => {
    await button(page, 'Add secret').click();
    await page.getByRole('dialog').waitFor();
  }),
  app('application-secret-added', '/applications/payroll', async (page) => {
    await button(page, 'Add secret').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Blue cluster');
    await dialog.getByRole('button', { name: 'Add secret' }).click();
    await page.getByRole('dialog', { name: 'Client secret added' }).waitFor();
  }),
  app('application-secret-revoke', '/applications/payroll', async (page) => {
    await page
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click();
    await page.getByRole('alertdialog').waitFor();
  }),
  app('application-delete', '/applications/payroll', async (page) => {
    await button(page, 'Delete app').click();
    await page.getByRole('alertdialog').waitFor();
  }),
  app('application-unsaved', '/applications/team-wiki/login-options', async (page) => {
    await page.getByRole('switch', { name: 'Type code' }).click();
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await page.getByRole('alertdialog').waitFor();
  }),
  app('application-missing', '/applications/nothing', (page) =>
    page.getByRole('heading', { name: "This application doesn't exist" }).waitFor(),
  ),
  app(
    'idp-configuration',
    '/org-settings/idp-configuration',
    async (page) => {
      const before = page.getByRole('table', { name: 'Signing certificates' });
      await before.waitFor();
      await button(page, 'New certificate').click();
      await button(page, 'Create certificate').click();
      await page.getByText('Still accepted').waitFor();
      await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    },
    true,
  ),
];
