import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getApp, replaceSharedSecret } from '@orchestrate/shared';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { chooseItem, fill, user } from '#testing.ts';
import ApplicationScreen from './editor/application-screen.tsx';
import ApplicationsScreen from './list/applications-screen.tsx';

const ADMIN = 'super.admin@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal({ config: { radiusPorts: [0, 0] } });
});
afterEach(() => closePage(portal));

const visitApps = (email = ADMIN) =>
  visitSignedIn(
    portal,
    email,
    '/applications',
    <Routes>
      <Route path="/applications" element={<ApplicationsScreen />} />
      <Route path="/applications/:appId/*" element={<ApplicationScreen />} />
    </Routes>,
  );
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
async function stored(appId: string) {
  const { token } = await portal.signIn(ADMIN);
  return (await portal.call(getApp, { params: { orgCode: 'acme', appId } }, { token })).body.app;
}

async function add(kind: 'RADIUS' | 'LDAP') {
  await press('Add application');
  await chooseItem(await screen.findByRole('menuitem', { name: kind }));
}

async function create(kind: 'RADIUS' | 'LDAP', name: string, email?: string) {
  await visitApps(email);
  await add(kind);
  const dialog = within(await screen.findByRole('dialog', { name: `Create ${kind} application` }));
  await fill(dialog.getByRole('textbox', { name: /^App name/ }), name);
  await user.click(dialog.getByRole('button', { name: 'Submit' }));
  await screen.findByRole('heading', { name: `${name} / ${kind}` });
}

test('creates a RADIUS application from its name and shows its server and secret', async () => {
  await create('RADIUS', 'Office VPN');
  expect(window.location.pathname).toBe('/applications/office-vpn/configuration');
  expect(await screen.findByText(`localhost:${(await stored('office-vpn')).radiusConfiguration?.port}`)).toBeTruthy();
  const { radiusConfiguration } = await stored('office-vpn');
  expect(screen.queryByText(radiusConfiguration?.secret ?? '')).toBeNull();
  await press('Reveal Shared secret');
  expect(screen.getByText(radiusConfiguration?.secret ?? '')).toBeTruthy();
});

test('explains what to change if the organisation has no RADIUS port', async () => {
  await portal.close();
  const taken = createSocket('udp4').bind(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address();
  await once(taken.close(), 'close');
  portal = await testPortal({ config: { radiusPorts: [port, port] } });
  await create('RADIUS', 'Office VPN', 'admin@globex.test');
  expect(await screen.findByText(/^Your organisation has no RADIUS port/)).toBeTruthy();
  expect(screen.queryByText(/^localhost:/)).toBeNull();
});

test('warns about a guessable shared secret if other machines can reach the portal', async () => {
  const { token } = await portal.signIn(ADMIN);
  const params = { orgCode: 'acme', appId: 'office-vpn' };
  await create('RADIUS', 'Office VPN');
  await portal.call(replaceSharedSecret, { params, body: { secret: 'testing123' } }, { token });
  // Simulates a portal that is reachable from the network.
  Object.assign(portal.deps.config, { backchannelUrl: 'http://portal.example' });
  cleanup();
  await visitSignedIn(
    portal,
    ADMIN,
    '/applications/office-vpn/configuration',
    <Routes>
      <Route path="/applications/:appId/*" element={<ApplicationScreen />} />
    </Routes>,
  );
  expect(await screen.findByText(/^This shared secret is easy to guess/)).toBeTruthy();
});

test('saves the chosen approval method', { tags: 'whole' }, async () => {
  await create('RADIUS', 'Office VPN');
  await user.selectOptions(
    await screen.findByRole('combobox', { name: 'Approval method' }),
    'Approve a request on the device',
  );
  await press('Submit');
  await screen.findByText('App settings saved');
  expect((await stored('office-vpn')).radiusConfiguration?.method).toBe('push');
});

test('offers only the login options of a sign-in without a browser', { tags: 'whole' }, async () => {
  await create('RADIUS', 'Office VPN');
  await user.click(await screen.findByRole('link', { name: 'Login options' }));
  await screen.findByRole('switch', { name: /^Desktop app/ });
  expect(screen.getAllByRole('switch')).toHaveLength(2);
  expect(screen.queryByRole('spinbutton')).toBeNull();
});

test('replaces a secret after confirmation', { tags: 'whole' }, async () => {
  await create('RADIUS', 'Office VPN');
  const before = await stored('office-vpn');
  await press('Regenerate');
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Regenerate the shared secret?' }));
  await user.click(dialog.getByRole('button', { name: 'Regenerate' }));
  await screen.findByText('New shared secret created');
  await waitFor(async () =>
    expect((await stored('office-vpn')).radiusConfiguration?.secret).not.toBe(before.radiusConfiguration?.secret),
  );
});

test("shows an LDAP application's names, and that LDAP is off", { tags: 'whole' }, async () => {
  await create('LDAP', 'Directory');
  expect(await screen.findByText('ou=directory,o=acme')).toBeTruthy();
  expect(screen.getByText('cn=service,ou=directory,o=acme')).toBeTruthy();
  expect(screen.getByText(/LDAP is off/)).toBeTruthy();
});

test('reports a name that is already in use on its field', { tags: 'whole' }, async () => {
  await visitApps();
  await add('LDAP');
  const dialog = within(await screen.findByRole('dialog', { name: 'Create LDAP application' }));
  await fill(dialog.getByRole('textbox', { name: /^App name/ }), 'Team Wiki');
  await user.click(dialog.getByRole('button', { name: 'Submit' }));
  expect(await dialog.findByText('App name already exists')).toBeTruthy();
});
