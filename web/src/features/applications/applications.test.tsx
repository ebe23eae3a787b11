import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import {
  configureSession,
  createApp,
  duplicateApp,
  getApp,
  getSessionSettings,
  LIMITS,
  listApps,
  renewScimCredentials,
} from '@orchestrate/shared';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeOrgLoginOptions, closePage, visitSignedIn } from '#layout/testing.tsx';
import { chooseItem, fill, tabTo, user } from '#testing.ts';
import ApplicationScreen from './editor/application-screen.tsx';
import ApplicationsScreen from './list/applications-screen.tsx';

const ADMIN = 'super.admin@acme.test';
const params = { orgCode: 'acme' };

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const visitApps = (path = '/applications') =>
  visitSignedIn(
    portal,
    ADMIN,
    path,
    <Routes>
      <Route path="/applications" element={<ApplicationsScreen />} />
      <Route path="/applications/:appId/*" element={<ApplicationScreen />} />
      <Route path="*" element={<h1>Elsewhere</h1>} />
    </Routes>,
  );

const field = (name: string | RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });
const type = async (name: string | RegExp, value: string) => {
  const input = await field(name);
  await fill(input, value);
  await user.tab();
};
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });
const press = async (name: string) => user.click(await button(name));
const tableOf = (name: string) => screen.findByRole('table', { name });

// covers: spec 2.2.13, spec 2.2.15, spec 2.2.18
test('lists each application with its type, cookie lifetime and login options, and links to it', async () => {
  await visitApps();
  const table = within(await tableOf('Applications'));
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Application',
    'Type',
    'Max cookie life',
    'Type code',
    'Passkeys',
    'Force authentication',
    'Actions',
  ]);
  const row = table.getByRole('row', { name: /Team Wiki/ });
  expect(within(row).getByText('OIDC')).toBeTruthy();
  expect(within(row).getByText('8 hours')).toBeTruthy();
  expect(within(row).getByRole('img', { name: 'Type code enabled' })).toBeTruthy();
  expect(within(row).getByRole('img', { name: 'Force authentication disabled' })).toBeTruthy();
  expect(within(table.getByRole('row', { name: /Payroll/ })).getByText('–')).toBeTruthy();
  await user.click(row);
  await screen.findByRole('heading', { name: 'Team Wiki / OIDC' });
  expect(window.location.pathname).toBe('/applications/team-wiki/configuration');
});

test('shows only the login options that RADIUS and LDAP applications can have', {
  tags: 'whole',
}, async () => {
  for (const integrationType of ['radius', 'ldap'] as const) {
    const body = { orgCode: 'acme', integrationType, name: `Gate by ${integrationType}` };
    await portal.call(createApp, { params, body }, await portal.signIn(ADMIN));
  }
  await visitApps();
  const table = within(await tableOf('Applications'));
  const cellsOf = (name: RegExp) => {
    const row = within(table.getByRole('row', { name }));
    const [, ...cells] = row.getAllByRole('cell');
    return cells.map((cell) => within(cell).queryByRole('img')?.ariaLabel ?? cell.textContent);
  };
  expect(cellsOf(/Gate by radius/)).toEqual([
    'RADIUS',
    'Not available for RADIUS',
    'Type code enabled',
    'Not available for RADIUS',
    'Not available for RADIUS',
    '',
  ]);
  expect(cellsOf(/Gate by ldap/)).toEqual([
    'LDAP',
    'Not available for LDAP',
    'Not available for LDAP',
    'Not available for LDAP',
    'Not available for LDAP',
    '',
  ]);
});

test('shows an application’s sign-ins, including failures, and its changes on a separate tab', {
  tags: 'whole',
}, async () => {
  await visitApps('/applications/team-wiki/history');
  const signIns = within(await screen.findByRole('region', { name: 'Sign-ins' }));
  expect(signIns.getByRole('link', { name: 'View All' }).getAttribute('href')).toBe(
    '/org-settings/sign-ins?app=team-wiki',
  );
  await waitFor(() => expect(signIns.queryByRole('status')).toBeNull());
  await user.selectOptions(signIns.getByRole('combobox', { name: 'Result' }), 'Failed');
  await waitFor(() => {
    const [, ...rows] = signIns.getAllByRole('row');
    expect(rows.every(({ textContent }) => textContent?.includes('Failed'))).toBe(true);
  });
  expect(screen.getByRole('region', { name: 'Activity' })).toBeDefined();
});

// covers: spec 2.2.14
test('shows an application’s description, or that it has none', async () => {
  const body = { orgCode: 'acme', integrationType: 'radius', name: 'Gateway' } as const;
  await portal.call(createApp, { params, body }, await portal.signIn(ADMIN));
  await visitApps();
  const table = await tableOf('Applications');
  /** Tabs to a link from the previous button, whose tooltip would otherwise cover the link in jsdom. */
  const goTo = async (name: string, before: string) => {
    await tabTo(within(table).getByRole('button', { name: before }));
    await user.keyboard('{Escape}');
    await user.tab();
    expect(document.activeElement).toBe(within(table).getByRole('link', { name }));
  };
  await goTo('Team Wiki', 'Duplicate Payroll');
  expect((await screen.findByRole('tooltip')).textContent).toMatch(/^Handbooks, decisions/);
  await user.click(document.body);
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
  await goTo('Gateway', 'Duplicate Acme Portal');
  expect((await screen.findByRole('tooltip')).textContent).toBe('No description');
});

// covers: spec 2.2.32, spec 2.7.26
test('shows an OIDC application’s addresses, and links to its discovery document', async () => {
  await visitApps('/applications/payroll/configuration');
  const issuer = `${portal.url}/oidc/acme`;
  const link = await screen.findByRole('link', { name: /^OpenID discovery document/ });
  expect(link.getAttribute('href')).toBe(`${issuer}/.well-known/openid-configuration`);
  for (const value of [issuer, `${issuer}/auth`, 'payroll']) expect(screen.getByText(value)).toBeTruthy();
  for (const name of ['Domain URL', 'Authorization endpoint', 'Client ID', 'Client secret'])
    expect(await button(`Copy ${name}`)).toBeTruthy();
});

test('warns about a callback address without TLS, except on this machine', { tags: 'whole' }, async () => {
  await visitApps('/applications/payroll/configuration');
  const warning = () => screen.queryByText(/^Without TLS, others can read the sign-in codes/);
  await type(/^Callback URL$/, 'http://payroll.acme.test/callback');
  expect(warning()).toBeTruthy();
  for (const address of ['https://payroll.acme.test/callback', 'http://localhost:9000/callback']) {
    await type(/^Callback URL$/, address);
    expect(warning()).toBeNull();
  }
});

const callback = () => screen.queryByText(/^Without TLS, others can read the sign-in codes/);
const logout = () => screen.queryByText(/^Without TLS, others can read and change these pages/);

test('warns about a logout address without TLS', { tags: 'whole' }, async () => {
  await visitApps('/applications/payroll/configuration');
  await type(/^Logout URL$/, 'http://payroll.acme.test/');
  expect([callback(), logout()]).toEqual([null, expect.anything()]);
  await type(/^Logout URL$/, 'https://payroll.acme.test/');
  expect(logout()).toBeNull();
});

test('warns about addresses without TLS while creating an application', { tags: 'whole' }, async () => {
  await visitApps('/applications?modal=create-oidc');
  await type(/^App name/, 'Notes');
  await press('Next');
  expect([callback(), logout()]).toEqual([null, null]);
  await type('Callback URL', 'http://notes.acme.test/callback');
  await type('Logout URL', 'http://notes.acme.test/');
  expect([callback(), logout()]).toEqual([expect.anything(), expect.anything()]);
});

test('shows the client’s additional endpoints with copy buttons', {
  tags: 'whole',
}, async () => {
  await visitApps('/applications/payroll/configuration');
  await user.click(await screen.findByRole('button', { name: /^Advanced/ }));
  await press("Endpoints Other portal addresses, for clients that don't read the discovery document");
  const issuer = `${portal.url}/oidc/acme`;
  for (const value of ['token', 'me', 'jwks', 'session/end', 'token/introspection', 'token/revocation', 'request'])
    expect(screen.getByText(`${issuer}/${value}`)).toBeTruthy();
  for (const name of ['Token endpoint', 'Public keys (JWKS)', 'End session endpoint'])
    expect(await button(`Copy ${name}`)).toBeTruthy();
  expect(screen.queryByText('Device authorization endpoint')).toBeNull();
});

const shownApps = () =>
  within(screen.getByRole('table', { name: 'Applications' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

test('searches by name, ID and description, filters by type, and keeps both in the URL', async () => {
  await visitApps();
  await tableOf('Applications');
  const search = screen.getByRole('searchbox', { name: 'Search applications' });
  const types = within(screen.getByRole('group', { name: 'Type' }));
  expect(types.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'All 4',
    'OIDC 2',
    'SAML 1',
    'PORTAL 1',
  ]);
  expect(screen.getByText('4 applications')).toBeTruthy();
  await fill(search, 'HANDBOOKS wiki');
  expect(shownApps()).toEqual(['Team Wiki']);
  expect(screen.getByText('1 of 4 applications')).toBeTruthy();
  expect(types.getByRole('button', { name: 'OIDC 1' })).toBeTruthy();
  await waitFor(() => expect(window.location.search).toBe('?q=HANDBOOKS+wiki'));
  await user.click(types.getByRole('button', { name: 'SAML 0' }));
  await screen.findByText('No SAML application has “HANDBOOKS wiki” in its name, ID or description.');
  expect(window.location.search).toBe('?q=HANDBOOKS+wiki&type=saml');
  await user.click(screen.getByText('Clear search'));
  expect(document.activeElement).toBe(search);
  expect(shownApps()).toHaveLength(4);
  await waitFor(() => expect(window.location.search).toBe(''));
});

test('applies the search and type in the URL', async () => {
  await visitApps('/applications?q=travel&type=saml');
  await tableOf('Applications');
  expect(shownApps()).toEqual(['Travel Desk']);
  expect(screen.getByRole('button', { name: 'SAML 1' }).getAttribute('aria-pressed')).toBe('true');
});

test('renders only the first of many applications, and announces the length of the list', async () => {
  for (let at = 0; at < 80; at++) {
    const body = { orgCode: 'acme', integrationType: 'ldap', name: `Shelf ${at}` } as const;
    await portal.call(createApp, { params, body }, await portal.signIn(ADMIN));
  }
  await visitApps();
  await tableOf('Applications');
  screen.getByText('84 applications');
  expect(shownApps()).toHaveLength(80);
  expect(screen.getByRole('table', { name: 'Applications' }).getAttribute('aria-rowcount')).toBe('85');
  await fill(screen.getByRole('searchbox', { name: 'Search applications' }), 'shelf 79');
  expect(shownApps()).toEqual(['Shelf 79']);
});

test('opens groups, APIs and registration on their own tabs, with an address', async () => {
  await visitApps();
  await tableOf('Applications');
  expect(screen.queryByRole('heading', { name: 'Groups' })).toBeNull();
  await user.click(screen.getByRole('tab', { name: 'Groups' }));
  await screen.findByRole('heading', { name: 'Groups' });
  expect(window.location.search).toBe('?tab=groups');
  expect(screen.queryByRole('table', { name: 'Applications' })).toBeNull();
  await user.click(screen.getByRole('tab', { name: 'Applications' }));
  await tableOf('Applications');
  expect(window.location.search).toBe('');
});

// covers: spec 2.2.16
test('shows six skeleton rows while loading, and reloads a list that failed to load', async () => {
  await portal.lab.fault({ method: 'GET', path: '/orgs/:orgCode/apps' });
  await visitApps();
  expect(document.querySelectorAll('[data-skeleton]')).toHaveLength(LIMITS.applicationSkeletonRows);
  await press('Retry');
  await tableOf('Applications');
});

// covers: spec 2.2.20, spec 2.2.21, spec 2.4.1, spec 2.5.1
test('continues the wizard only if a name is entered, and unmarks a step on Previous', async () => {
  await visitApps('/applications?modal=create-oidc');
  expect((await button('Next')).disabled).toBe(true);
  expect((await button('Previous')).disabled).toBe(true);
  await type(/^App name/, 'Time * Sheets');
  await press('Next');
  await screen.findByText(/^Use only letters/);
  await type(/^App name/, '  Time Sheets ');
  await press('Next');
  await field('Callback URL');
  expect(screen.getByText('completed')).toBeTruthy();
  await press('Previous');
  expect((await field(/^App name/)).value).toBe('Time Sheets');
  expect(screen.queryByText('completed')).toBeNull();
  await user.type(screen.getByRole('textbox', { name: /^App name/ }), '{Escape}');
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('shows an option as off, with the reason, if the organisation has disabled it', { tags: 'whole' }, async () => {
  await visitApps('/applications/team-wiki/login-options');
  const [reason] = await screen.findAllByText('Disabled for the whole organisation.');
  const option = reason?.closest('button') ?? document.body;
  expect(option.getAttribute('aria-checked')).toBe('false');
  await user.click(option);
  expect(option.getAttribute('aria-checked')).toBe('false');
});

test('shows in the list which options the organisation disables or forces, with the reason', {
  tags: 'whole',
}, async () => {
  await changeOrgLoginOptions(portal, { webAuthnEnabled: false, forceAuthnEnabled: true });
  await visitApps();
  const row = within(within(await tableOf('Applications')).getByRole('row', { name: /Team Wiki/ }));
  expect(row.getAllByRole('img').map((tick) => tick.getAttribute('aria-label'))).toEqual([
    'Type code enabled',
    'Passkeys: Disabled for the whole organisation.',
    'Force authentication: Required for the whole organisation.',
  ]);
});

test("shows no switches or ticks until the organisation's options have loaded", {
  tags: 'whole',
}, async () => {
  const fault = { method: 'GET', path: '/org/login-options' } as const;
  await portal.lab.fault(fault);
  await visitApps('/applications/team-wiki/login-options');
  await screen.findByRole('spinbutton', { name: /^Max cookie life/ });
  expect(screen.queryByRole('switch')).toBeNull();
  await press('Retry');
  expect(await screen.findAllByRole('switch')).toHaveLength(4);
  cleanup();
  await portal.lab.fault(fault);
  await visitApps();
  const retry = await button('Retry');
  expect(screen.queryByRole('table')).toBeNull();
  await user.click(retry);
  await tableOf('Applications');
});

test('creates a service client in one step without addresses, and warns if it has no secret', {
  tags: 'whole',
}, async () => {
  const { token } = await visitApps('/applications?modal=create-oidc');
  await type(/^App name/, 'Night job');
  await user.selectOptions(await screen.findByRole('combobox', { name: /^Application kind/ }), 'Service client');
  await press('Submit');
  await screen.findByRole('group', { name: 'Client secret, hidden' });
  expect(screen.queryByRole('textbox', { name: 'Callback URL' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Login options' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Test sign-in' })).toBeNull();
  expect(screen.getByRole('group', { name: /^Token endpoint/ }).textContent).toBe(`${portal.url}/oidc/acme/token`);
  for (const name of [/^Authorization endpoint/, /^Single logout/, /ID tokens/])
    expect(screen.queryByRole('group', { name }) ?? screen.queryByRole('button', { name })).toBeNull();
  await press('Revoke First secret');
  await screen.findByText(/^This is the only secret/);
  await press('Revoke secret');
  await screen.findByText(/^This application has no valid secret/);
  const { app } = (await portal.call(getApp, { params: { ...params, appId: 'night-job' } }, { token })).body;
  expect(app.oidcConfiguration).toMatchObject({ isClosed: true, clients: { kind: 'machine' } });
});

test('shows that service clients have no sign-ins, and limits their access tab to provisioning', {
  tags: 'whole',
}, async () => {
  const clients = { kind: 'machine' as const };
  const body = { orgCode: 'acme', name: 'Night job', oidcConfiguration: { clients } };
  await portal.call(createApp, { params, body }, await portal.signIn(ADMIN));
  await visitApps();
  const table = await tableOf('Applications');
  const row = within(table).getByRole('link', { name: 'Night job' }).closest('tr') ?? table;
  expect(within(row).getAllByRole('img', { name: 'No one signs in to a service client' })).toHaveLength(4);
  await visitApps('/applications/night-job/access');
  await user.click(await screen.findByRole('switch', { name: 'Limit provisioning to selected people' }));
  await screen.findByText('No one is provisioned to this application. Add a role, group or person.');
  expect(document.body.textContent).not.toContain('when they sign in');
});

test('creates a native application without secrets, and explains its addresses', {
  tags: 'whole',
}, async () => {
  await visitApps('/applications?modal=create-oidc');
  await type(/^App name/, 'Notes');
  await user.selectOptions(await screen.findByRole('combobox', { name: /^Application kind/ }), 'Native application');
  await press('Next');
  await type('Callback URL', 'http://notes.acme.test/callback');
  await type('Logout URL', 'com.acme.notes:/bye');
  await press('Submit');
  await screen.findByText(/^Native applications must use/);
  await type('Callback URL', 'com.acme.notes:/callback');
  await press('Submit');
  await user.click(await screen.findByRole('link', { name: 'General info' }));
  expect((await field('Application kind')).value).toBe('Native application');
  expect(screen.queryByRole('table', { name: 'Client secrets' })).toBeNull();
});

async function fillWizard(name: string) {
  await visitApps('/applications?modal=create-oidc');
  await type(/^App name/, name);
  await press('Next');
  await type('Callback URL', 'localhost:9000/callback');
  await type('Logout URL', 'https://times.acme.test/bye');
  await press('Submit');
  await screen.findByText('The scheme is missing. Start with https://');
  await type('Callback URL', 'http://localhost:9000/callback');
}

// covers: spec 2.1.2, spec 2.2.19, spec 2.2.23, spec 2.2.26, spec 2.3.5, spec 2.5.5
test('creates an OIDC application and opens its configuration', async () => {
  await fillWizard('Time Sheets');
  await press('Submit');
  await screen.findByRole('heading', { name: 'Time Sheets / OIDC' });
  expect(window.location.pathname).toMatch(/^\/applications\/[\w-]+\/configuration$/);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

// covers: spec 2.4.2, spec 2.8.1
test('returns to the first step if the name is taken', async () => {
  await fillWizard('TEAM wiki');
  await press('Submit');
  await screen.findByText('App name already exists');
  expect((await field(/^App name/)).value).toBe('TEAM wiki');
});

// covers: spec 2.8.2
test('shows a server error in a toast and keeps the input', async () => {
  await fillWizard('Time Sheets');
  await portal.lab.fault({ method: 'POST', path: '/orgs/:orgCode/apps' });
  await press('Submit');
  await screen.findByText('Something went wrong while creating the app');
  expect((await field('Callback URL')).value).toBe('http://localhost:9000/callback');
});

// covers: spec 2.2.22
test('asks for confirmation when closing the wizard, then discards the input', async () => {
  await visitApps('/applications?modal=create-oidc');
  await type(/^App name/, 'Time Sheets');
  await press('Cancel');
  await press('Keep editing');
  expect((await field(/^App name/)).value).toBe('Time Sheets');
  await press('Cancel');
  await press('Discard');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Add application');
  await chooseItem(within(await screen.findByRole('menu')).getByRole('menuitem', { name: 'OIDC' }));
  expect((await field(/^App name/)).value).toBe('');
});

// covers: spec 2.2.29, spec 2.2.30, spec 2.2.31, spec 2.5.17, spec 2.8.4, spec 2.8.6
test('shares one form across tabs, and saves only changed fields', async () => {
  const { token } = await visitApps('/applications/payroll/login-options');
  expect((await button('Submit')).disabled).toBe(true);
  await user.click(await screen.findByRole('switch', { name: 'Force authentication' }));
  const life = await screen.findByRole('spinbutton', { name: /^Max cookie life/ });
  await fill(life, '-1');
  await user.tab();
  await screen.findByText('Enter a whole number of at least 0');
  expect(screen.getByRole('alert').textContent).toContain('review the highlighted fields');
  expect((await button('Submit')).disabled).toBe(true);
  await fill(life, '90');
  await user.click(screen.getByRole('link', { name: 'General info' }));
  await type('Description', 'Salaries');
  await waitFor(async () => expect((await button('Submit')).disabled).toBe(false));
  await press('Submit');
  await screen.findByText('App settings saved');
  await tableOf('Applications');
  const { app } = (await portal.call(getApp, { params: { ...params, appId: 'payroll' } }, { token })).body;
  expect(app).toMatchObject({
    forceAuthnEnabled: true,
    maxCookieLife: 5_400,
    description: 'Salaries',
    name: 'Payroll',
  });
});

// covers: spec 2.5.2
test('reports a taken name on blur', async () => {
  await visitApps('/applications/payroll/name-%26-description');
  await type(/^App name/, 'team wiki');
  await screen.findByText('App name already exists');
  expect((await button('Submit')).disabled).toBe(true);
});

// covers: spec 2.2.39
test('does not insert a line break in the description on Enter', async () => {
  await visitApps('/applications/payroll/name-&-description');
  const input = await field('Description');
  const { value } = input;
  await user.click(input);
  await user.keyboard('{Enter}');
  expect(input.value).toBe(value);
});

// covers: spec 2.2.26, spec 2.2.27
test('shows neither configuration nor type for a portal application', async () => {
  await visitApps('/applications/portal');
  await screen.findByRole('heading', { name: 'Acme Portal' });
  expect(window.location.pathname).toBe('/applications/portal/login-options');
  expect(screen.queryByRole('link', { name: 'Configuration' })).toBeNull();
});

// covers: spec 2.2.33
test('hides a secret until it is revealed, adds a second secret and revokes the first', async () => {
  const { token } = await visitApps('/applications/team-wiki/configuration');
  const { app } = (await portal.call(getApp, { params: { ...params, appId: 'team-wiki' } }, { token })).body;
  const secret = app.oidcConfiguration?.clients.client_secret ?? '';
  await press('Reveal Client secret');
  expect(screen.getByText(secret)).toBeTruthy();

  await press('Add secret');
  await type(/^Name/, 'Second server');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add secret' }));
  await screen.findByRole('dialog', { name: 'Client secret added' });
  await press('Done');
  const secrets = within(await tableOf('Client secrets'));
  await secrets.findByRole('row', { name: /Second server/ });
  await user.click(secrets.getByRole('button', { name: 'Revoke Wiki server' }));
  await press('Revoke secret');
  await waitFor(() => expect(secrets.queryByRole('row', { name: /Wiki server/ })).toBeNull());
  expect((await button('Submit')).disabled).toBe(true);
});

// covers: spec 2.2.34
test('lets the user remove any address in a list except the first', async () => {
  await visitApps('/applications/team-wiki/configuration');
  await field('Callback URL');
  expect(screen.queryByRole('button', { name: 'Remove Callback URL 1' })).toBeNull();
  await press('Add Callback URL');
  // The new row is untouched, so it isn't marked as invalid yet.
  expect((await field('Callback URL 3')).getAttribute('aria-invalid')).toBeNull();
  await press('Remove Callback URL 3');
  await press('Remove Callback URL 2');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Callback URL 2' })).toBeNull());
  expect((await button('Submit')).disabled).toBe(false);
});

test('keeps a button below a field under the pointer until the mouse is released', {
  tags: 'whole',
}, async () => {
  await visitApps('/applications/team-wiki/configuration');
  await press('Add Callback URL');
  const input = await field('Callback URL 3');
  await user.click(input);
  for (const name of ['Add Callback URL', 'Remove Callback URL 3']) {
    // The field must keep focus until the click, because its error message would move the button.
    await user.pointer({ keys: '[MouseLeft>]', target: await button(name) });
    expect(document.activeElement).toBe(input);
    await user.pointer([{ target: input }, { keys: '[/MouseLeft]' }]);
  }
});

/** Creates a group as a SCIM directory does. */
async function makeGroup(displayName: string): Promise<void> {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { body } = await portal.call(renewScimCredentials, { body: {} }, { token });
  const response = await fetch(`${portal.url}/scim/v2/acme/Groups`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${body.username}:${body.password}`)}`,
      'content-type': 'application/scim+json',
    },
    body: JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName }),
  });
  expect(response.status).toBe(201);
}

test('fills a refused redirect URI in as a callback URL, and saves it only on Submit', async () => {
  const address = 'http://localhost:8081/callback?from=dev';
  const query = new URLSearchParams({
    client_id: 'team-wiki',
    redirect_uri: address,
    response_type: 'code',
    scope: 'openid',
  });
  expect((await fetch(`${portal.url}/oidc/acme/auth?${query}`)).status).toBe(400);
  await visitApps('/applications/team-wiki/configuration');
  const entry = within(await screen.findByRole('list', { name: 'Last sign-ins' }));
  expect((await entry.findByText('localhost:8081')).tagName).toBe('STRONG');
  await user.click(entry.getByRole('link', { name: `Add to callback URLs: ${address}` }));
  const filled = await field('Callback URL 3');
  expect(filled.value).toBe(address);
  expect(document.activeElement).toBe(filled);
  screen.getByText(/^Not saved yet/);
  screen.getByText('1 change, not saved');
  const read = async () =>
    (await portal.call(getApp, { params: { ...params, appId: 'team-wiki' } }, await portal.signIn(ADMIN))).body.app
      .oidcConfiguration?.clients.redirect_uris;
  expect(await read()).not.toContain(address);
  await press('Submit');
  await screen.findByText('App settings saved');
  expect(await read()).toContain(address);
});

test('restricts an application to roles, groups and people', async () => {
  for (const displayName of ['Accountants', 'Bookkeepers']) await makeGroup(displayName);
  const { token } = await visitApps('/applications/payroll/access');
  await user.click(await screen.findByRole('switch', { name: 'Limit access to selected people' }));
  await screen.findByText('No one can use this application. Add a role, group or person.');
  await user.click(await screen.findByRole('checkbox', { name: 'Super Admin' }));
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Add a group' }), 'Accountants');
  await press('Remove Accountants');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Add a group' }), 'Bookkeepers');
  await user.type(await screen.findByRole('searchbox', { name: 'Add a person' }), 'manager@acme');
  await user.click(await screen.findByRole('button', { name: /manager@acme\.test/ }));
  const people = within(await screen.findByRole('list', { name: 'People' }));
  people.getByText('manager@acme.test');
  await press('Submit');
  await screen.findByText('App settings saved');
  const { app } = (await portal.call(getApp, { params: { ...params, appId: 'payroll' } }, { token })).body;
  expect(app.usableBy).toMatchObject({
    roles: ['SUPER_ADMIN'],
    groups: [{ displayName: 'Bookkeepers' }],
    people: [{ email: 'manager@acme.test' }],
  });
});

test('previews a claim before it is saved', { tags: 'whole' }, async () => {
  const { token } = await visitApps('/applications/payroll/configuration');
  await user.click(await screen.findByRole('button', { name: /^Advanced/ }));
  await user.click(await screen.findByRole('button', { name: /^Claims/ }));
  await press('Add claim');
  await type('Claim 1', 'greeting');
  await type('Value', 'Hello');
  await user.click(await screen.findByRole('button', { name: /^Data sent to Payroll/ }));
  await screen.findByRole('row', { name: /greeting Hello/ });
  screen.getByText('Includes your unsaved changes above.');
  await type('Value', 'Hi ${firstName}');
  await screen.findByRole('row', { name: /greeting Hi Avery/ });
  await type('Value', 'Hi ${firstNam}');
  await screen.findByText('firstNam is not a member field');
  await type('Value', 'Hello');
  await waitFor(() => expect(screen.queryByText('firstNam is not a member field')).toBeNull());
  await press('Submit');
  await screen.findByText('App settings saved');
  const { app } = (await portal.call(getApp, { params: { ...params, appId: 'payroll' } }, { token })).body;
  expect(app.oidcConfiguration?.clients.claims).toMatchObject([{ name: 'greeting', value: 'Hello', type: 'text' }]);
});

test('hides the access tab for the portal application, which every member can use', async () => {
  await visitApps('/applications/portal/access');
  await waitFor(() => expect(window.location.pathname).toBe('/applications/portal/login-options'));
  expect(screen.queryByRole('link', { name: 'Access' })).toBeNull();
});

test('accepts 0 for each lifetime and explains its effect', { tags: 'whole' }, async () => {
  await visitApps('/applications/team-wiki/configuration');
  await user.click(await screen.findByRole('button', { name: /^Token lifetimes/ }));
  const fields = await screen.findAllByRole<HTMLInputElement>('spinbutton');
  expect(fields.map(({ labels, min }) => [labels?.[0]?.textContent, min])).toEqual([
    ['ID token', '0'],
    ['Access token', '0'],
    ['Authorization code', '0'],
    ['Refresh token', '0'],
  ]);
  for (const field of fields) await fill(field, '0');
  await screen.findByText('If you enter 0, ID tokens expire immediately, and most clients reject them.');
  screen.getByText("If you enter 0, access tokens expire immediately and can't be used.");
  screen.getByText('If you enter 0, codes expire immediately, and no one can finish signing in.');
  screen.getByText('If you enter 0, no refresh tokens are issued.');
  await press('Submit');
  await tableOf('Applications');
  const { app } = (
    await portal.call(
      getApp,
      { params: { orgCode: 'acme', appId: 'team-wiki' } },
      await portal.signIn('super.admin@acme.test'),
    )
  ).body;
  expect(app.oidcConfiguration?.clients).toMatchObject({ ttl_IdToken: 0, ttl_AccessToken: 0 });
});

test('lists the effective cookie lifetime if the organisation limits it', async () => {
  const admin = await portal.signIn('super.admin@acme.test');
  const { body } = await portal.call(getSessionSettings, {}, admin);
  await portal.call(configureSession, { body: { ...body, maxCookieLife: 60 } }, admin);
  await visitApps('/applications');
  const row = within(within(await tableOf('Applications')).getByRole('row', { name: /Team Wiki/ }));
  row.getByText('1 hour');
  expect(row.queryByText('8 hours')).toBeNull();
});

test('explains in the editor which setting determines the cookie lifetime, as in the list', async () => {
  const admin = await portal.signIn('super.admin@acme.test');
  const { body } = await portal.call(getSessionSettings, {}, admin);
  const decide = (settings: object) =>
    portal.call(configureSession, { body: { ...body, maxCookieLife: 60, ...settings } }, admin);
  await decide({});
  await visitApps('/applications/team-wiki/login-options');
  await screen.findByText("The organisation's limit is 1 hour.");
  const life = await screen.findByRole<HTMLInputElement>('spinbutton', { name: /^Max cookie life/ });
  expect(life.value).toBe('480');
  await fill(life, '60');
  await waitFor(() => expect(screen.queryByText("The organisation's limit is 1 hour.")).toBeNull());
  await user.click(await screen.findByRole('switch', { name: /^Force authentication/ }));
  await screen.findByText("The portal doesn't remember browsers, because authentication is forced.");

  cleanup();
  await decide({ forceAuthnEnabled: true });
  await visitApps('/applications/team-wiki/login-options');
  await screen.findByText("The portal doesn't remember browsers, because authentication is forced.");
});

// covers: spec 2.2.30, spec 2.4.5, spec 2.8.4
test('requires an application’s name to delete it', async () => {
  const { token } = await visitApps('/applications/payroll/configuration');
  await press('Delete app');
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete Payroll?' }));
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete app' });
  expect(confirm.disabled).toBe(true);
  const consequences = dialog.getByRole('list').compareDocumentPosition(dialog.getByRole('textbox'));
  expect(consequences, 'what is asked comes after what it does').toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await fill(dialog.getByRole('textbox'), 'Payroll');
  await user.click(confirm);
  await screen.findByText('Application deleted');
  const table = within(await tableOf('Applications'));
  await waitFor(() => expect(table.queryByRole('row', { name: /Payroll/ })).toBeNull());
  const { apps } = (await portal.call(listApps, { params }, { token })).body;
  expect(apps.map(({ appId }) => appId)).not.toContain('payroll');
});

test('does not offer to delete the only portal application', { tags: 'whole' }, async () => {
  await visitApps('/applications/portal');
  await screen.findByRole('button', { name: 'Submit' });
  expect(screen.queryByRole('button', { name: 'Delete app' })).toBeNull();
  const body = { orgCode: 'acme', integrationType: 'portal' as const, name: 'Second portal' };
  const { token } = await portal.signIn('super.admin@acme.test');
  await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token });
  cleanup();
  await visitApps('/applications/portal');
  await screen.findByRole('button', { name: 'Delete app' });
});

test("keeps an application that can't be deleted, and shows the reason", { tags: 'whole' }, async () => {
  await visitApps('/applications/payroll');
  await portal.lab.fault({ method: 'DELETE', path: '/orgs/:orgCode/apps/:appId' });
  await press('Delete app');
  const dialog = within(await screen.findByRole('alertdialog', { name: /^Delete / }));
  await fill(dialog.getByRole('textbox'), dialog.getByRole('heading').textContent?.replace(/^Delete |\?$/g, '') ?? '');
  await user.click(dialog.getByRole('button', { name: 'Delete app' }));
  await screen.findByText("Couldn't delete the application");
  expect((await dialog.findByRole('alert')).textContent).not.toBe('');
});

// covers: spec 2.4.3, spec 2.4.5, spec 2.8.3
test('shows an error if saving fails, and keeps the changes', async () => {
  await visitApps('/applications/payroll/login-options');
  const life = await screen.findByRole<HTMLInputElement>('spinbutton', { name: /^Max cookie life/ });
  await fill(life, '5');
  await portal.lab.fault({ method: 'PUT', path: '/orgs/:orgCode/apps/:appId' });
  await press('Submit');
  await screen.findByText('Failed to update app settings');
  expect(life.value).toBe('5');
});

test("reports an application that doesn't exist", async () => {
  await visitApps('/applications/nothing');
  await screen.findByRole('heading', { name: "This application doesn't exist" });
});

// covers: spec 2.1.3, spec 2.2.27
test('opens every type of application', async () => {
  const { token } = await portal.signIn(ADMIN);
  const make = (integrationType: 'ldap' | 'radius') =>
    portal.call(createApp, { params, body: { ...params, integrationType, name: `Our ${integrationType}` } }, { token });
  const made = [await make('ldap'), await make('radius')];
  expect(made.map(({ body }) => body.app.integrationType)).toEqual(['ldap', 'radius']);
  await visitApps(`/applications/${made[0]?.body.app.appId}`);
  await screen.findByRole('heading', { name: 'Our ldap / LDAP' });
  expect(window.location.pathname).toMatch(/configuration$/);
});

test('adds, edits and deletes an API, with errors on their fields', { tags: 'whole' }, async () => {
  await visitApps('/applications?tab=apis');
  await screen.findByText('No APIs yet');
  await press('Add API');
  const dialog = within(await screen.findByRole('dialog', { name: 'Add API' }));
  await type('Name', 'Orders');
  await type('Identifier', 'orders');
  expect(dialog.getByText(/Enter an absolute URL/)).toBeTruthy();
  await type('Identifier', 'https://orders.acme.test');
  await fill(await field('Scopes'), 'orders:read\norders:write');
  await user.click(dialog.getByRole('button', { name: 'Add API' }));
  const row = within(await tableOf('APIs'));
  await row.findByText('orders:read, orders:write');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await press('Edit Orders');
  await type('Name', 'All orders');
  await press('Save');
  await row.findByText('All orders');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Delete All orders');
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete API' }));
  await screen.findByText('No APIs yet');
});

test('accepts keys as a set or a single key, and reports an invalid key on its field', {
  tags: 'whole',
}, async () => {
  await visitApps('/applications/team-wiki/configuration');
  await user.click(await screen.findByRole('button', { name: /^Advanced/ }));
  await user.click(await screen.findByRole('button', { name: /^Keys and signatures/ }));
  const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'first' };
  await type('Public keys', 'a key');
  await screen.findByText('Enter valid JSON');
  await type('Public keys', JSON.stringify({ ...key, d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' }));
  await screen.findByText(/^This is a private key/);
  await type('Public keys', JSON.stringify({ ...key, x: 'AA' }));
  await press('Submit');
  await screen.findByText('This key cannot be read');
  await type('Public keys', JSON.stringify(key));
  await user.selectOptions(await screen.findByRole('combobox', { name: 'ID token signature algorithm' }), 'ES256');
  await press('Submit');
  await user.click(await screen.findByRole('row', { name: /Team Wiki/ }));
  await screen.findByText(/These secrets aren't accepted/);
  const { body } = await portal.call(getApp, { params: { ...params, appId: 'team-wiki' } }, await portal.signIn(ADMIN));
  expect(body.app.oidcConfiguration?.clients).toMatchObject({
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [key] },
    id_token_signed_response_alg: 'ES256',
  });
});

test('saves the format of access tokens, and explains their audience', async () => {
  await visitApps('/applications/team-wiki/configuration');
  await user.click(await screen.findByRole('button', { name: /^Token lifetimes/ }));
  const format = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Access token format' });
  expect(format.value).toBe('opaque');
  screen.getByText(/The audience of a JWT is the client ID team-wiki/);
  await user.selectOptions(format, 'JWT');
  await press('Submit');
  await screen.findByText('App settings saved');
  const admin = await portal.signIn(ADMIN);
  const { app } = (await portal.call(getApp, { params: { ...params, appId: 'team-wiki' } }, admin)).body;
  expect(app.oidcConfiguration?.clients.access_token_format).toBe('jwt');
});

test('saves refresh token rotation and token exchange, only for clients that can have them', async () => {
  const openTokens = async (appId: string) => {
    await visitApps(`/applications/${appId}/configuration`);
    await user.click(await screen.findByRole('button', { name: /^Token lifetimes/ }));
    await screen.findByRole('combobox', { name: 'Access token format' });
  };
  await openTokens('team-wiki');
  await user.click(screen.getByRole('switch', { name: /^Rotate refresh tokens/ }));
  await user.click(screen.getByRole('switch', { name: /^Token exchange/ }));
  await press('Submit');
  await screen.findByText('App settings saved');
  const admin = await portal.signIn(ADMIN);
  const { app } = (await portal.call(getApp, { params: { ...params, appId: 'team-wiki' } }, admin)).body;
  expect(app.oidcConfiguration?.clients).toMatchObject({ rotate_refresh_tokens: false, token_exchange: true });
  const clients = {
    kind: 'single-page' as const,
    redirect_uris: ['https://notes.test/'],
    post_logout_redirect_uris: ['https://notes.test/'],
  };
  const body = { ...params, name: 'Notes', oidcConfiguration: { clients } };
  const notes = await portal.call(createApp, { params, body }, admin);
  await openTokens(notes.body.app.appId);
  expect(screen.queryByRole('switch', { name: /^(Rotate refresh tokens|Token exchange)/ })).toBeNull();
});

test('creates a registration token, shows it once and revokes it', { tags: 'whole' }, async () => {
  await visitApps('/applications?tab=registration');
  await screen.findByRole('heading', { name: 'No registration tokens yet' });
  await press('Add token');
  const adding = within(await screen.findByRole('dialog', { name: 'Add token' }));
  await fill(await field(/^Name/), 'MCP clients');
  await user.click(adding.getByRole('button', { name: 'Add token' }));
  const made = within(await screen.findByRole('dialog', { name: 'Token added' }));
  await user.click(made.getByRole('button', { name: 'Reveal Token' }));
  const secret = made.getByRole('group', { name: /^Token/ }).textContent ?? '';
  const register = () =>
    fetch(`${portal.url}/oidc/acme/reg`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://planner.test/callback'], client_name: 'Planner' }),
    });
  expect((await register()).status).toBe(201);
  await user.click(made.getByRole('button', { name: 'Done' }));
  await within(await tableOf('Registration tokens')).findByText('Active');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Revoke MCP clients');
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revoke token' }));
  await screen.findByRole('heading', { name: 'No registration tokens yet' });
  expect((await register()).status).toBe(401);
});

test('creates, fills, renames and deletes a group', async () => {
  await visitApps('/applications?tab=groups');
  await screen.findByRole('heading', { name: 'No groups yet' });
  await press('Add group');
  const adding = within(await screen.findByRole('dialog', { name: 'Add group' }));
  await fill(await field(/^Name/), 'Super Admin');
  await user.click(adding.getByRole('button', { name: 'Add group' }));
  await adding.findByText('The role Super Admin already has this name');
  await fill(await field(/^Name/), 'Night watch');
  await user.click(adding.getByRole('button', { name: 'Add group' }));
  await tableOf('Groups');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await press('People in Night watch');
  const people = within(await screen.findByRole('dialog', { name: 'People in Night watch' }));
  await people.findByText("This group has no members yet. Add a person to give them the group's access.");
  await fill(people.getByRole<HTMLInputElement>('searchbox', { name: 'Add a person' }), 'user@acme');
  await user.click((await people.findAllByRole('button', { name: /user@acme\.test/ }))[0] ?? document.body);
  await people.findByRole('button', { name: /^Remove/ });
  await user.click(people.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await screen.findByRole('row', { name: /^Night watch/ })).textContent).toContain('1');

  await press('Rename Night watch');
  await fill(await field(/^Name/), 'Evening watch');
  await press('Save');
  await screen.findByRole('row', { name: /^Evening watch/ });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Delete Evening watch');
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete group' }));
  await screen.findByRole('heading', { name: 'No groups yet' });
});

test('duplicates an application under a new name from the list', { tags: 'whole' }, async () => {
  const { token } = await visitApps();
  await tableOf('Applications');
  await press('Duplicate Team Wiki');
  const dialog = within(await screen.findByRole('dialog', { name: 'Duplicate Team Wiki' }));
  const name = dialog.getByRole<HTMLInputElement>('textbox', { name: /^App name/ });
  expect(name.value).toBe('Team Wiki copy');
  await dialog.findByText('The ID will be team-wiki-copy');
  await fill(name, 'payroll');
  await dialog.findByText('App name already exists');
  await user.click(dialog.getByRole('button', { name: 'Duplicate' }));
  await fill(name, 'Wiki Staging');
  await dialog.findByText('The ID will be wiki-staging');
  await user.click(dialog.getByRole('button', { name: 'Duplicate' }));
  await screen.findByRole('heading', { name: 'Wiki Staging / OIDC' });
  const { app } = (await portal.call(getApp, { params: { ...params, appId: 'wiki-staging' } }, { token })).body;
  expect(app.oidcConfiguration?.clientSecrets).toHaveLength(1);
});

test('shortens a maximum-length name to make room for the “copy” suffix', async () => {
  const { token } = await portal.signIn(ADMIN);
  const name = 'Wiki '.padEnd(LIMITS.appNameMaxLength, 'x');
  const { appId } = (
    await portal.call(duplicateApp, { params: { ...params, appId: 'team-wiki' }, body: { name } }, { token })
  ).body;
  expect(appId).toBeTruthy();
  await visitApps();
  await press(`Duplicate ${name}`);
  const dialog = within(await screen.findByRole('dialog', { name: `Duplicate ${name}` }));
  const proposed = dialog.getByRole<HTMLInputElement>('textbox', { name: /^App name/ }).value;
  expect(proposed).toBe(`${name.slice(0, LIMITS.appNameMaxLength - ' copy'.length)} copy`);
  await dialog.findByText(/^The ID will be/);
});

test('duplicates an application from its own page once its changes are saved', { tags: 'whole' }, async () => {
  await visitApps('/applications/payroll/name-&-description');
  await type(/^Description/, 'Half a sentence');
  const duplicate = await button('Duplicate');
  expect(duplicate.getAttribute('aria-disabled')).toBe('true');
  await user.click(duplicate);
  expect(screen.queryByRole('dialog')).toBeNull();
  await type(/^Description/, '');
  cleanup();
  await visitApps('/applications/payroll/name-&-description');
  await press('Duplicate');
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Duplicate' }));
  await screen.findByRole('heading', { name: 'Payroll copy / OIDC' });
});

test("fills a quick start with the application's values, and hides the secret until revealed", async () => {
  await visitApps('/applications/team-wiki/configuration');
  await press("Quick start Sample code with this application's values");
  const code = await screen.findByRole('group', { name: 'app.mjs' });
  expect(code.textContent).toContain(`new URL("${portal.url}/oidc/acme")`);
  expect(code.textContent).toContain('clientId = "team-wiki"');
  const admin = await portal.signIn(ADMIN);
  const wiki = { params: { ...params, appId: 'team-wiki' } };
  const { clients } = (await portal.call(getApp, wiki, admin)).body.app.oidcConfiguration ?? {};
  expect(code.textContent).not.toContain(clients?.client_secret);
  screen.getByText('OIDC_CLIENT_SECRET environment variable');
  await press('Spring Boot');
  expect((await screen.findByRole('group', { name: 'application.yml' })).textContent).toContain(
    'client-id: "team-wiki"',
  );
  expect(screen.queryByRole('group', { name: 'app.mjs' })).toBeNull();
});

test('shows quick starts for a SAML application', { tags: 'whole' }, async () => {
  await visitApps('/applications/travel-desk/configuration');
  await press("Quick start Sample code with this application's values");
  expect((await screen.findByRole('group', { name: 'app.mjs' })).textContent).toContain('-----BEGIN CERTIFICATE-----');
  await press('Shibboleth SP');
  await screen.findByRole('group', { name: 'shibboleth2.xml' });
  await screen.findByRole('group', { name: 'orchestrate.pem' });
});

test('focuses the start address that a link asks for', async () => {
  await visitApps('/applications/team-wiki/name-&-description#start-address');
  const start = await field('Start address');
  await waitFor(() => expect(document.activeElement).toBe(start));
});

test('saves a start address, and reports an invalid address on its field', {
  tags: 'whole',
}, async () => {
  await visitApps('/applications/team-wiki/name-&-description');
  await type('Start address', 'wiki');
  await press('Submit');
  await screen.findByText('The scheme is missing. Start with https://');
  await type('Start address', 'https://wiki.acme.test/login');
  await press('Submit');
  await tableOf('Applications');
  const admin = await portal.signIn(ADMIN);
  const wiki = { params: { ...params, appId: 'team-wiki' } };
  expect((await portal.call(getApp, wiki, admin)).body.app.startUrl).toBe('https://wiki.acme.test/login');
});

test('saves a logo immediately, explains why a logo is refused, and removes a logo', { tags: 'whole' }, async () => {
  await visitApps('/applications/team-wiki/name-&-description');
  const file = await screen.findByLabelText<HTMLInputElement>('Logo file');
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>';
  await user.upload(file, new File(['MZ'], 'wiki.png', { type: 'image/png' }));
  expect((await screen.findByRole('alert')).textContent).toBe('The content of this file does not match its name');
  await user.upload(file, new File([drawing], 'wiki.svg', { type: 'image/svg+xml' }));
  await screen.findByRole('button', { name: 'Replace logo' });
  expect(screen.queryByRole('alert')).toBeNull();
  const logo = () => screen.getByRole('region', { name: 'Logo' }).querySelector('img')?.getAttribute('src');
  expect(logo()).toMatch(/^\/logos\/acme\/team-wiki\?v=/);
  await press('Remove logo');
  await screen.findByRole('button', { name: 'Choose a logo' });
  expect(logo()).toBeUndefined();
});
