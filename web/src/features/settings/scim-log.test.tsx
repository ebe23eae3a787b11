import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getScimCredentials } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { user } from '#testing.ts';
import UserProvisioningScreen from './user-provisioning-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const open = () =>
  visitSignedIn(portal, 'super.admin@acme.test', '/org-settings/user-provisioning', <UserProvisioningScreen />);

/** Creates a user the way a SCIM directory does. */
async function provision(token: string, body: object) {
  const { endpoint, username, password } = (await portal.call(getScimCredentials, {}, { token })).body;
  const response = await fetch(`${endpoint}/Users`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'content-type': 'application/scim+json',
    },
    body: JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], ...body }),
  });
  await response.text();
}

const rowOf = async (name: string) => (await screen.findByRole('cell', { name })).closest('tr') ?? document.body;

test("lists the directory's requests with their data after a refresh", async () => {
  const { token } = await open();
  await screen.findByRole('heading', { name: 'No requests yet' });
  await provision(token, { userName: 'new@acme.test', password: 'hunter2' });
  await provision(token, { userName: 'user@acme.test' });
  await user.click(screen.getByRole('button', { name: 'Refresh' }));

  const created = await rowOf('new@acme.test');
  expect(within(created).getByText('201')).toBeDefined();
  await user.click(within(created).getByRole('button', { name: 'Show sent data' }));
  const sent = await screen.findByRole('group', { name: 'Request body' });
  expect(sent.textContent).toContain('"userName": "new@acme.test"');
  expect(sent.textContent).not.toContain('hunter2');
  await user.click(within(created).getByRole('button', { name: 'Hide sent data' }));
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Request body' })).toBeNull());

  const refused = await rowOf('user@acme.test');
  expect(within(refused).getByText('409')).toBeDefined();
  await user.click(within(refused).getByRole('button', { name: 'Show sent data' }));
  await screen.findByText('Another user has this userName.');
});

test('loads a long log page by page', { tags: 'whole' }, async () => {
  const { token } = await open();
  await screen.findByRole('heading', { name: 'No requests yet' });
  for (let number = 1; number <= 21; number += 1) await provision(token, { userName: `new-${number}@acme.test` });
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await rowOf('new-21@acme.test');
  expect(screen.queryByRole('cell', { name: 'new-1@acme.test' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await rowOf('new-1@acme.test');
});
