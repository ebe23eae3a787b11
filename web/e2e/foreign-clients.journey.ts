import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import * as openid from 'openid-client';
import { expect, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';
const MINUTES = 60_000;
const run = promisify(execFile);

/** The node-saml API used here. Importing the library's own types would add the DOM types. */
interface ServiceProvider {
  getAuthorizeUrlAsync(relayState: string, host: undefined, options: object): Promise<string>;
  validatePostResponseAsync(form: Record<string, string>): Promise<{ profile: { nameID: string } | null }>;
}
const { SAML }: { SAML: new (options: Record<string, unknown>) => ServiceProvider } = createRequire(import.meta.url)(
  '@node-saml/node-saml',
);

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Opens the dialog for a new application and enters its name. */
async function add(page: Page, kind: 'OIDC' | 'SAML' | 'RADIUS' | 'LDAP', name: string): Promise<void> {
  await page.getByRole('link', { name: 'Applications', exact: true }).click();
  await press(page, 'Add application');
  await page.getByRole('menuitem', { name: kind, exact: true }).click();
  await box(page, 'App name').fill(name);
}

/** Returns a displayed configuration value by its label. Reveals the value if it is secret. */
async function shown(page: Page, label: string, isSecret = false): Promise<string> {
  if (isSecret) await press(page, `Reveal ${label}`);
  return page
    .getByRole('group', { name: new RegExp(`^${label}: `) })
    .textContent()
    .then((text) => text ?? '');
}

/** Starts an external site that records posted forms. */
async function startSite() {
  const posted: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    if (request.method === 'POST') posted.push(body);
    response.end('Hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://localhost:${typeof address === 'object' ? address?.port : ''}`,
    posted,
    stop: () => server.close(),
  };
}

// An administrator should need at most two minutes from the application list to the first sign-in.
test.setTimeout(2 * MINUTES);
test.beforeEach(async ({ signIn }) => {
  await signIn(ADMIN);
});

test('creates a web application and signs a user in with openid-client', async ({ page, portal }) => {
  const site = await startSite();
  const callback = `${site.url}/callback`;
  await add(page, 'OIDC', 'Time Sheets');
  await press(page, 'Next');
  await box(page, 'Callback URL').fill(callback);
  await box(page, 'Logout URL').fill(site.url);
  await press(page, 'Submit');
  await expect(page.getByRole('heading', { name: 'Time Sheets / OIDC' })).toBeVisible();
  const config = await openid.discovery(
    new URL(await shown(page, 'Domain URL')),
    await shown(page, 'Client ID'),
    await shown(page, 'Client secret', true),
    undefined,
    { execute: [openid.allowInsecureRequests] },
  );
  const there = openid.buildAuthorizationUrl(config, { redirect_uri: callback, scope: 'openid email' });
  const { url } = await portal.browser({ as: USER }).open(there);
  const tokens = await openid.authorizationCodeGrant(config, url);
  expect(tokens.claims()?.email).toBe(USER);
  site.stop();
});

test('creates a service client and obtains a token with openid-client', WHOLE, async ({ page }) => {
  await add(page, 'OIDC', 'Night Job');
  await page.getByRole('combobox', { name: 'Application kind' }).selectOption('machine');
  await press(page, 'Submit');
  await expect(page.getByRole('heading', { name: 'Night Job / OIDC' })).toBeVisible();
  const config = await openid.discovery(
    new URL(await shown(page, 'Domain URL')),
    await shown(page, 'Client ID'),
    await shown(page, 'Client secret', true),
    undefined,
    { execute: [openid.allowInsecureRequests] },
  );
  expect((await openid.clientCredentialsGrant(config)).access_token).not.toBe('');
});

test('creates a SAML application and signs a user in with node-saml', async ({ page, portal }) => {
  const site = await startSite();
  await add(page, 'SAML', 'Travel');
  await press(page, 'Submit');
  await page.getByRole('tab', { name: 'Manually' }).click();
  await box(page, 'Entity ID').fill(`${site.url}/metadata`);
  await box(page, 'Assertion consumer service URL').fill(`${site.url}/acs`);
  await press(page, 'Use these values');
  await box(page, 'Redirect URL').fill(site.url);
  await press(page, 'Submit');
  await expect(page.getByText('Application created')).toBeVisible();
  const idp = await shown(page, 'Entity ID');
  const metadata = await fetch(idp).then((answer) => answer.text());
  const [, idpCert] = /<ds:X509Certificate>([^<]+)</.exec(metadata) ?? [];
  const provider = new SAML({
    entryPoint: await shown(page, 'Single sign-on URL'),
    idpCert,
    idpIssuer: idp,
    issuer: `${site.url}/metadata`,
    audience: `${site.url}/metadata`,
    callbackUrl: `${site.url}/acs`,
  });
  await portal.browser({ as: USER }).open(await provider.getAuthorizeUrlAsync('', undefined, {}));
  const form = Object.fromEntries(new URLSearchParams(site.posted[0]));
  expect((await provider.validatePostResponseAsync(form)).profile?.nameID).toBe(USER);
  site.stop();
});

/** Skips the test if a command is missing. Debian has packages for all commands used here. */
function requireCommand(command: string): void {
  // biome-ignore lint/suspicious/noSkippedTests: a test that can't run here is reported as skipped instead of passed.
  test.skip(spawnSync(command).error !== undefined, `There is no ${command} here`);
}

test('creates a RADIUS application and signs a user in with radclient', WHOLE, async ({ page, portal }) => {
  requireCommand('radclient');
  await add(page, 'RADIUS', 'Office VPN');
  await press(page, 'Submit');
  await expect(page.getByRole('heading', { name: 'Office VPN / RADIUS' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Approval method' }).selectOption('Approve a request on the device');
  await press(page, 'Submit');
  await expect(page.getByText('App settings saved')).toBeVisible();
  await page.getByRole('row', { name: /Office VPN/ }).click();
  await portal.policy({ match: { email: USER }, answer: 'approve', opens: true });
  const sending = run('radclient', [
    '-x',
    '-t',
    '30',
    '-r',
    '1',
    await shown(page, 'Server'),
    'auth',
    await shown(page, 'Shared secret', true),
  ]);
  sending.child.stdin?.end(`User-Name = "${USER}", User-Password = "x", Message-Authenticator = 0x00\n`);
  expect((await sending).stdout).toContain('Received Access-Accept');
});

test('creates an LDAP application and uses it with ldapwhoami and ldapsearch', WHOLE, async ({ page, portal }) => {
  requireCommand('ldapwhoami');
  await add(page, 'LDAP', 'Directory');
  await press(page, 'Submit');
  await expect(page.getByRole('heading', { name: 'Directory / LDAP' })).toBeVisible();
  const [server, base] = [await shown(page, 'Server'), await shown(page, 'Base DN')];
  const account = ['-D', await shown(page, 'Bind DN'), '-w', await shown(page, 'Bind password', true)];
  const found = await run('ldapsearch', ['-x', '-LLL', '-H', server, ...account, '-b', base, `(mail=${USER})`]);
  expect(found.stdout).toContain(`mail: ${USER}`);
  await portal.policy({ match: { email: USER }, answer: 'approve', opens: true });
  const person = `uid=${USER},ou=people,${base}`;
  expect((await run('ldapwhoami', ['-x', '-H', server, '-D', person, '-w', 'x'])).stdout.trim()).toBe(`dn:${person}`);
});
