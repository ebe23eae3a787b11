import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getApp } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leave, visitSignedIn } from '../../layout/testing.tsx';
import { chooseItem, fill, user } from '../../testing.ts';
import ApplicationScreen from './editor/application-screen.tsx';
import ApplicationsScreen from './list/applications-screen.tsx';

const ADMIN = 'super.admin@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal({ config: { radiusPort: 0 } });
});
afterEach(() => leave(portal));

const visitApps = () =>
  visitSignedIn(
    portal,
    ADMIN,
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

async function create(kind: 'RADIUS' | 'LDAP', name: string) {
  await visitApps();
  await add(kind);
  const dialog = within(await screen.findByRole('dialog', { name: `Create ${kind} application` }));
  await fill(dialog.getByRole('textbox', { name: /^App name/ }), name);
  await user.click(dialog.getByRole('button', { name: 'Submit' }));
  await screen.findByRole('heading', { name: `${name} / ${kind}` });
}

test('a RADIUS application is made with its name alone, and shows its server and secret', async () => {
  await create('RADIUS', 'Office VPN');
  expect(window.location.pathname).toBe('/applications/office-vpn/configuration');
  expect(await screen.findByText(`localhost:${portal.deps.ports.radius}`)).toBeTruthy();
  const { radiusConfiguration } = await stored('office-vpn');
  expect(screen.queryByText(radiusConfiguration?.secret ?? '')).toBeNull();
  await press('Reveal Shared secret');
  expect(screen.getByText(radiusConfiguration?.secret ?? '')).toBeTruthy();
});

test('how people are asked is chosen and saved', { tags: 'whole' }, async () => {
  await create('RADIUS', 'Office VPN');
  await user.selectOptions(
    await screen.findByRole('combobox', { name: 'How people are asked' }),
    'A request on the device',
  );
  await press('Submit');
  await screen.findByText('App settings updated successfully');
  expect((await stored('office-vpn')).radiusConfiguration?.method).toBe('push');
});

test('the login options are those that a sign-in without a browser has', { tags: 'whole' }, async () => {
  await create('RADIUS', 'Office VPN');
  await user.click(await screen.findByRole('link', { name: 'Login options' }));
  await screen.findByRole('switch', { name: /^Desktop app/ });
  expect(screen.getAllByRole('switch')).toHaveLength(2);
  expect(screen.queryByRole('spinbutton')).toBeNull();
});

test('a secret is replaced after a question', { tags: 'whole' }, async () => {
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

test('an LDAP application shows its names, and says that LDAP is switched off', { tags: 'whole' }, async () => {
  await create('LDAP', 'Directory');
  expect(await screen.findByText('ou=directory,o=acme')).toBeTruthy();
  expect(screen.getByText('cn=service,ou=directory,o=acme')).toBeTruthy();
  expect(screen.getByText(/LDAP is switched off/)).toBeTruthy();
});

test('a name that is taken is said at the field', { tags: 'whole' }, async () => {
  await visitApps();
  await add('LDAP');
  const dialog = within(await screen.findByRole('dialog', { name: 'Create LDAP application' }));
  await fill(dialog.getByRole('textbox', { name: /^App name/ }), 'Team Wiki');
  await user.click(dialog.getByRole('button', { name: 'Submit' }));
  expect(await dialog.findByText('App name already exists')).toBeTruthy();
});
