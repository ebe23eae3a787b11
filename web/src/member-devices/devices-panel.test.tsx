import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leave, ruleForAll, visitSignedIn } from '../layout/testing.tsx';
import { chooseItem, user } from '../testing.ts';
import { OTHERS_DEVICES } from './device-permissions.ts';
import { DevicesPanel } from './devices-panel.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => leave(portal));

/** Another member's devices, as the detail of a member shows them. */
const openAs = (email: string, suid: string) =>
  visitSignedIn(
    portal,
    email,
    '/manage-users',
    <DevicesPanel title="Connected devices" suid={suid} permissions={OTHERS_DEVICES} />,
  );

const suidOf = (email: string) => portal.device(email).suid;

test("another member's devices have no nicknames to edit, and no device of this sign-in", async () => {
  await openAs('super.admin@acme.test', suidOf('helpdesk.admin@acme.test'));
  const headers = (await screen.findAllByRole('columnheader')).map(({ textContent }) => textContent);
  expect(headers).toEqual(['Device', 'Status', 'Actions']);
  expect(screen.queryByText('This sign-in')).toBeNull();
  expect(screen.getAllByRole('switch')).toHaveLength(2);
});

test('actions without permission are hidden', async () => {
  await openAs('callcenter.admin@acme.test', suidOf('helpdesk.admin@acme.test'));
  await screen.findByRole('table', { name: 'Connected devices' });
  expect(screen.queryByRole('switch')).toBeNull();
  expect(screen.queryByRole('button', { name: /^More actions/ })).toBeNull();
});

test('no code for the next computer is offered where the organisation has switched desktop apps off', {
  tags: 'whole',
}, async () => {
  const lose = async () => {
    await openAs('super.admin@acme.test', suidOf('manager@acme.test'));
    await user.click(await screen.findByRole('button', { name: 'More actions for MacBook Pro' }));
    await chooseItem(await screen.findByRole('menuitem', { name: 'Report lost' }));
    await screen.findByRole('alertdialog', { name: 'Report MacBook Pro lost?' });
  };
  await lose();
  await screen.findByRole('checkbox', { name: /a code for the next computer$/ });
  cleanup();
  await ruleForAll(portal, { desktopAppEnabled: false });
  await lose();
  await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
});

test('without permission to view devices a message says so', async () => {
  await openAs('user@acme.test', suidOf('helpdesk.admin@acme.test'));
  await screen.findByRole('heading', { name: "You can't view these devices" });
  screen.getByText("You don't have permission for this. Contact the Administrator.");
});

test('a list that fails to load says so, with a retry and the request id', async () => {
  await portal.lab.fault({ method: 'GET', path: '/user', times: 2 });
  await openAs('super.admin@acme.test', suidOf('helpdesk.admin@acme.test'));
  screen.getByText('Loading devices');
  await screen.findByText('Something went wrong!');
  screen.getByRole('button', { name: 'Copy request id' });
  // Either this or the client's own retry is second and gets the second failure.
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('table', { name: 'Connected devices' });
});
