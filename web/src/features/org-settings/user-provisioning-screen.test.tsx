import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getScimCredentials } from '@orchestrate/shared';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leave, visitSignedIn } from '../../layout/testing.tsx';
import UserProvisioningScreen from './user-provisioning-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => leave(portal));

const open = (email: string) =>
  visitSignedIn(portal, email, '/org-settings/user-provisioning', <UserProvisioningScreen />);
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const shownPassword = () => screen.getByRole('group', { name: /^Password/ }).textContent;

test('new credentials take the place of the old ones once that is confirmed', async () => {
  const { token } = await open('super.admin@acme.test');
  const { password: old } = (await portal.call(getScimCredentials, {}, { token })).body;
  await press('Reveal Password');
  expect(shownPassword()).toBe(old);

  await press('Regenerate');
  const dialog = await screen.findByRole('alertdialog', { name: 'Regenerate credentials' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Regenerate' }));
  await screen.findByText('New credentials generated');
  const { password } = (await portal.call(getScimCredentials, {}, { token })).body;
  expect(password).not.toBe(old);
  await waitFor(() => expect(shownPassword()).toBe('•'.repeat(12)));
  await press('Reveal Password');
  expect(shownPassword()).toBe(password);
});

test('where there are none yet they are generated', async () => {
  await open('admin@globex.test');
  await screen.findByRole('heading', { name: 'There are no credentials yet' });
  await press('Generate');
  await screen.findByRole('button', { name: 'Regenerate' });
});
