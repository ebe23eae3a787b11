import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getSecurity } from '@orchestrate/shared';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import SecurityScreen from './security-screen.tsx';

let portal: TestPortal;
let token = '';
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await visitSignedIn(portal, 'super.admin@acme.test', '/org-settings/security', <SecurityScreen />));
});
afterEach(() => closePage(portal));

const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const add = async (field: string, text: string) =>
  fill(await screen.findByRole('textbox', { name: field }), `${text} `);

test('explains what happens at other addresses once an address is entered', async () => {
  await screen.findByRole('button', { name: 'Add my IP address' });
  expect(screen.queryByText(/^Everywhere else, sessions end/)).toBeNull();
  await add('Allowed IP addresses', '203.0.113.0/24');
  await screen.findByText(/^Everywhere else, sessions end/);
});

test("shows the user's own address and adds it on request", { tags: 'whole' }, async () => {
  await press('Add my IP address');
  await screen.findByRole('button', { name: 'Remove 127.0.0.1' });
  await press('Save');
  await screen.findByText('Security settings saved');
  expect((await portal.call(getSecurity, {}, { token })).body.allowedIps).toEqual(['127.0.0.1']);
});

test('shows an error if the addresses would lock the administrator out', async () => {
  await add('Allowed IP addresses', '203.0.113.0/24');
  await press('Save');
  await screen.findByText('These addresses would lock you out. Your address is 127.0.0.1.');
});

test('marks an invalid address after the server has rejected it', { tags: 'whole' }, async () => {
  await add('Allowed IP addresses', '127.0.0.1 10.0.0.0/99');
  await press('Save');
  await screen.findByText('Enter an IP address or a range such as 203.0.113.0/24');
  expect(screen.getAllByRole('img', { name: /^Enter an IP address/ })).toHaveLength(1);
  await press('Remove 10.0.0.0/99');
  expect(screen.queryByText(/^Enter an IP address/)).toBeNull();
});

test('includes a domain that is still being typed and adds it only once', async () => {
  const domains = await screen.findByRole('textbox', { name: 'Allowed email domains' });
  await user.type(domains, 'new.test');
  await screen.findByText('1 change, not saved');
  await user.clear(domains);
  await waitFor(() => expect(screen.queryByText('1 change, not saved')).toBeNull());
  await user.type(domains, 'new.test');
  expect(screen.queryByRole('button', { name: 'Remove new.test' })).toBeNull();
  await press('Save');
  await screen.findByText('Security settings saved');
  expect(screen.getAllByRole('button', { name: 'Remove new.test' })).toHaveLength(1);
  const { allowedEmailDomains } = (await portal.call(getSecurity, {}, { token })).body;
  expect(allowedEmailDomains).toEqual(['acme.test', 'consulting.test', 'new.test']);
});

test('marks an invalid domain immediately', async () => {
  await add('Allowed email domains', 'acme');
  await screen.findByText('Enter a valid domain');
});
