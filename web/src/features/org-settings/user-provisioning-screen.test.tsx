import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getProfile, getScimCredentials, listScimTokens, manageUser, renewScimCredentials } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leave, visitSignedIn } from '../../layout/testing.tsx';
import { user } from '../../testing.ts';
import UserProvisioningScreen from './user-provisioning-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => leave(portal));

const open = (email: string) =>
  visitSignedIn(portal, email, '/org-settings/user-provisioning', <UserProvisioningScreen />);
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const shownPassword = () => screen.getByRole('group', { name: /^Password/ }).textContent;

test('new credentials replace the old ones after confirming', async () => {
  const { token } = await open('super.admin@acme.test');
  const { password: old } = (await portal.call(getScimCredentials, {}, { token })).body;
  await press('Reveal Password');
  expect(shownPassword()).toBe(old);

  await press('Regenerate');
  const dialog = await screen.findByRole('alertdialog', { name: 'Regenerate credentials' });
  await user.click(within(dialog).getByRole('button', { name: 'Regenerate' }));
  await screen.findByText('New credentials generated');
  const { password } = (await portal.call(getScimCredentials, {}, { token })).body;
  expect(password).not.toBe(old);
  await waitFor(() => expect(shownPassword()).toBe('•'.repeat(12)));
  await press('Reveal Password');
  expect(shownPassword()).toBe(password);
});

test('the first credentials can be generated', async () => {
  await open('admin@globex.test');
  await screen.findByRole('heading', { name: 'There are no credentials yet' });
  await press('Generate');
  await screen.findByRole('button', { name: 'Regenerate' });
});

test('the screen says who made the credentials, and which roles a directory can assign', async () => {
  await open('super.admin@acme.test');
  await screen.findByText(/^Made by Avery Lindqvist on .*; can give the roles Auditor, .*Org User.*Super Admin/);
});

test('an administrator who could not assign as much cannot view the password, and makes credentials that allow less', async () => {
  await open('security.admin@acme.test');
  await screen.findByText(/^You can't view the password/);
  expect(screen.queryByRole('group', { name: /^Password/ })).toBeNull();
  await press('Regenerate');
  const dialog = await screen.findByRole('alertdialog', { name: 'Regenerate credentials' });
  within(dialog).getByText(/only the roles that you can assign/);
  await user.click(within(dialog).getByRole('button', { name: 'Regenerate' }));
  await screen.findByText(/^Made by Tomasz Wójcik on .*; can give the roles .*Security Admin/);
  await screen.findByRole('group', { name: /^Password/ });
  expect(shownPassword()).toBe('•'.repeat(12));
});

test('the screen says if the person who made them is no longer active', async () => {
  const maker = await portal.signIn('security.admin@acme.test');
  await portal.call(renewScimCredentials, { body: {} }, { token: maker.token });
  const { token } = await portal.signIn('super.admin@acme.test');
  const { suid } = (await portal.call(getProfile, {}, { token: maker.token })).body.profile;
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  await open('super.admin@acme.test');
  await screen.findByText(/^The person who made these credentials is no longer active/);
});

test('a token is made, shown once, and revoked', async () => {
  const { token } = await open('super.admin@acme.test');
  await screen.findByRole('heading', { name: 'No tokens' });
  await press('Add token');
  const adding = await screen.findByRole('dialog', { name: 'Add token' });
  await user.type(within(adding).getByRole('textbox', { name: /^Name/ }), 'Entra ID');
  await user.click(within(adding).getByRole('button', { name: 'Add token' }));
  const made = await screen.findByRole('dialog', { name: 'Token added' });
  await user.click(within(made).getByRole('button', { name: 'Reveal Token' }));
  const secret = within(made).getByRole('group', { name: /^Token/ }).textContent ?? '';
  const read = () =>
    fetch(`${portal.url}/scim/v2/acme/Users?count=1`, { headers: { authorization: `Bearer ${secret}` } });
  expect((await read()).status).toBe(200);
  await user.click(within(made).getByRole('button', { name: 'Done' }));
  const row = (await screen.findByText('Entra ID')).closest('tr');
  expect(row?.textContent).toContain('Avery Lindqvist');

  await press('Revoke Entra ID');
  const dialog = await screen.findByRole('alertdialog', { name: 'Revoke Entra ID?' });
  await user.click(within(dialog).getByRole('button', { name: 'Revoke token' }));
  await screen.findByRole('heading', { name: 'No tokens' });
  expect((await portal.call(listScimTokens, {}, { token })).body.tokens).toEqual([]);
  expect((await read()).status).toBe(401);
});
