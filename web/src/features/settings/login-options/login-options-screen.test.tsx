import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { createApp, getOrgApp, getSessionSettings } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { NavigationGuard } from '#lib/leaving/navigation-guard.tsx';
import { paths } from '#paths.ts';
import { fill, user } from '#testing.ts';
import LoginOptionsScreen from './login-options-screen.tsx';

let portal: TestPortal;
let token = '';
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

async function open(path: string) {
  ({ token } = await visitSignedIn(
    portal,
    'super.admin@acme.test',
    path,
    <NavigationGuard>
      <Routes>
        <Route path={paths.orgLevelLoginOptions} element={<LoginOptionsScreen level="org-level" />} />
        <Route path={paths.appLevelLoginOptions} element={<LoginOptionsScreen level="app-level" />} />
      </Routes>
    </NavigationGuard>,
  ));
}

const number = (name: string) => screen.findByRole('spinbutton', { name });
const flip = async (name: string) => user.click(await screen.findByRole('switch', { name }));
const press = (name: string) => user.click(screen.getByRole('button', { name }));
const type = async (field: HTMLElement, value: string) => {
  await fill(field, value);
  await user.tab();
};

// covers: spec 2.2.40
test("saves the organisation's settings and shows minutes in larger units", async () => {
  await open(paths.orgLevelLoginOptions);
  await type(await number('Session timeout'), '90');
  await flip('Type code');
  await screen.findByText('1 hour 30 minutes');
  await press('Save');
  await screen.findByText('Login options saved');
  await waitFor(() => expect(screen.queryByText(/not saved$/)).toBeNull());
  const { body } = await portal.call(getSessionSettings, {}, { token });
  expect(body).toMatchObject({ sessionTimeout: 90, didEnabled: false });
});

// covers: spec 2.5.7
test('shows errors under a negative and a missing number', async () => {
  await open(paths.orgLevelLoginOptions);
  await type(await number('Session timeout'), '-1');
  await type(await number('Max cookie life'), '');
  await screen.findByText('Enter a whole number of at least 0');
  await screen.findByText('This field is required');
});

test('restores the saved values on discard', async () => {
  await open(paths.orgLevelLoginOptions);
  const field = await number('Session timeout');
  await type(field, '5');
  await screen.findByText('1 change, not saved');
  await press('Discard');
  await waitFor(() => expect(field).toHaveProperty('value', '720'));
  expect(screen.queryByText(/not saved$/)).toBeNull();
});

test('counts changed fields, and saves them with Ctrl S while a field has the focus', async () => {
  await open(paths.orgLevelLoginOptions);
  const field = await number('Session timeout');
  await flip('App lock');
  await fill(field, '45');
  await screen.findByText('2 changes, not saved');
  await fill(field, '720');
  await screen.findByText('1 change, not saved');
  await user.click(field);
  await user.keyboard('{Control>}s{/Control}');
  await screen.findByText('Login options saved');
  await waitFor(() => expect(screen.queryByText(/not saved$/)).toBeNull());
  expect((await portal.call(getSessionSettings, {}, { token })).body).toMatchObject({ appLockEnabled: true });
});

// covers: spec 2.2.6
test('asks whether to save unsaved changes before switching levels', async () => {
  await open(paths.orgLevelLoginOptions);
  await flip('App lock');
  await user.click(screen.getByRole('tab', { name: 'Application level' }));
  await screen.findByRole('alertdialog', { name: 'Save your changes?' });
  await user.click(screen.getAllByRole('button', { name: 'Save' }).at(-1) ?? document.body);
  await screen.findByRole('combobox', { name: 'Application' });
  expect((await portal.call(getSessionSettings, {}, { token })).body.appLockEnabled).toBe(true);
});

// covers: spec 2.2.40
test('shows a cookie lifetime in minutes, sends it in seconds and explains overrides', async () => {
  await open(paths.appLevelLoginOptions);
  const life = await number('Max cookie life');
  expect(life).toHaveProperty('value', '480');
  const ruled = screen.getAllByText('Disabled for the whole organisation.').map((reason) => reason.closest('button'));
  for (const option of ruled) {
    expect(option?.getAttribute('aria-checked')).toBe('false');
    expect(option?.getAttribute('aria-disabled')).toBe('true');
  }
  await type(life, '600');
  await screen.findByText("The organisation's limit is 8 hours.");
  expect(screen.getByRole('combobox', { name: 'Application' })).toHaveProperty('disabled', true);
  await press('Save');
  await screen.findByText('Login options for Acme Portal saved');
  const { body } = await portal.call(getOrgApp, { query: {} }, { token });
  expect(body.orgApp.maxCookieLife).toBe(36_000);
});

test("doesn't list service clients among the applications", { tags: 'whole' }, async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const body = { orgCode: 'acme', name: 'Night job', oidcConfiguration: { clients: { kind: 'machine' as const } } };
  await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token });
  await open(paths.appLevelLoginOptions);
  const choice = within(await screen.findByRole('combobox', { name: 'Application' }));
  expect(choice.getByRole('option', { name: /^Payroll/ })).toBeTruthy();
  expect(choice.queryByRole('option', { name: /^Night job/ })).toBeNull();
});

test('shows only the options that apply to RADIUS and LDAP applications', { tags: 'whole' }, async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const body = { orgCode: 'acme', integrationType: 'ldap', name: 'Directory' } as const;
  const { appId } = (await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token })).body.app;
  await open(`${paths.appLevelLoginOptions}?app=${appId}`);
  await screen.findByRole('switch', { name: 'Desktop app' });
  expect(screen.getAllByRole('switch')).toHaveLength(1);
  expect(screen.queryByRole('spinbutton')).toBeNull();
});
