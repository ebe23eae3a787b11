import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { type AuthState, DAY, getUser, manageDevice, regenerateActivationCode } from '@orchestrate/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { formatDateTime } from '#lib/format/dates.ts';
import { chooseItem, tabTo, user } from '#testing.ts';
import OwnDevices from './own-devices.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

/** Opens Avery's devices: this session's Pixel (Pocket), a ThinkPad (Desk), a paused iPhone and a YubiKey (Keyring). */
async function open(): Promise<AuthState> {
  const state = await visitSignedIn(portal, 'super.admin@acme.test', '/dashboard', <OwnDevices />);
  await screen.findByRole('table', { name: 'Registered devices' });
  return state;
}

const devicesOf = async ({ token }: AuthState) => (await portal.call(getUser, { query: {} }, { token })).body.devices;
const rowOf = (name: RegExp) => screen.getByRole('row', { name });
const toggleOf = (label: string) => screen.getByRole('switch', { name: label });

async function openMenuOf(label: string) {
  await user.click(screen.getByRole('button', { name: `More actions for ${label}` }));
  return within(await screen.findByRole('menu'));
}

async function choose(label: string, item: string) {
  const menu = await openMenuOf(label);
  await chooseItem(menu.getByRole('menuitem', { name: item }));
  return within(await screen.findByRole('alertdialog'));
}

/** Uses a device's switch to open the dialog, and confirms the change. */
async function confirmStatus(label: string, verb: 'Pause device' | 'Enable device') {
  await user.click(toggleOf(label));
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: verb }));
}

// covers: spec 1.2.31, spec 1.2.32
test('lists devices newest first, with their details', async () => {
  await open();
  const rows = screen.getAllByRole('row').slice(1);
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(0, 3)
        .map(({ textContent }) => textContent),
    ),
  ).toEqual([
    ['Pixel 9 ProThis sign-inMobile', 'Pocket', 'Active'],
    ['ThinkPad X1Desktop', 'Desk', 'Active'],
    ['iPhone 14Mobile', 'Add a nickname', 'Paused'],
    ['YubiKey 5CPasskey', 'Keyring', 'Active'],
  ]);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Device',
    'Nickname',
    'Status',
    'Actions',
  ]);
});

// covers: spec 1.2.33
test('scrolls many devices in a table of at most 448 px', async () => {
  await open();
  const area = screen.getByRole('table').parentElement ?? document.body;
  const { maxHeight, overflowY } = getComputedStyle(area);
  expect({ maxHeight, overflowY }).toEqual({ maxHeight: '448px', overflowY: 'auto' });
});

// covers: spec 1.2.34
test('expands a row to show when the device was registered and last active', async () => {
  const state = await open();
  const opener = screen.getByRole('button', { name: /^ThinkPad X1/ });
  await user.click(opener);
  expect(opener.getAttribute('aria-expanded')).toBe('true');
  const thinkPad = (await devicesOf(state)).find(({ name }) => name === 'ThinkPad X1');
  expect(screen.getByText('Registered').nextSibling?.textContent).toBe(formatDateTime(thinkPad?.registeredDate));
  expect(screen.getByText('Last Active').nextSibling?.textContent).toBe(formatDateTime(thinkPad?.lastLogin));
  await user.click(opener);
  expect(screen.queryByText('Last Active')).toBeNull();
});

// covers: spec 1.4.5, spec 1.8.7
test("blocks pausing and deleting the session's device, with a reason reachable by keyboard", async () => {
  await open();
  const toggle = toggleOf('Pocket');
  expect(toggle.getAttribute('aria-disabled')).toBe('true');
  await tabTo(toggle);
  expect((await screen.findByRole('tooltip')).textContent).toBe('Cannot disable device used for this login');
  await user.click(toggle);
  expect(toggle.getAttribute('aria-checked')).toBe('true');

  const menu = await openMenuOf('Pocket');
  const item = menu.getByRole('menuitem', { name: 'Delete device' });
  expect(item.getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{End}');
  await screen.findByText('Cannot delete device used for this login');
  await user.click(item);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

// covers: spec 1.2.51, spec 1.4.1
test('displays a device as inactive immediately after pausing, and as active after enabling', async () => {
  const state = await open();
  await confirmStatus('Desk', 'Pause device');
  expect(rowOf(/^ThinkPad/).textContent).toContain('Paused');
  expect(toggleOf('Desk').textContent).toBe('inactive');
  await waitFor(async () => expect((await devicesOf(state))[1]?.status).toBe('paused'));

  await waitFor(() => expect(toggleOf('Desk').getAttribute('aria-busy')).toBeNull());
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await confirmStatus('Desk', 'Enable device');
  expect(rowOf(/^ThinkPad/).textContent).toContain('Active');
  await waitFor(async () => expect((await devicesOf(state))[1]?.status).toBe('active'));
});

// covers: spec 1.2.51
test('confirms pausing, explains the consequences, and does nothing if cancelled', async () => {
  const state = await open();
  await user.click(toggleOf('Desk'));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Pause Desk?' }));
  dialog.getByText('All sessions signed in with it end immediately.');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(toggleOf('Desk').getAttribute('aria-checked')).toBe('true');
  expect((await devicesOf(state))[1]?.status).toBe('active');
});

test('undoes a pause that fails on the server, and shows an error', { tags: 'whole' }, async () => {
  await open();
  await portal.lab.fault({ method: 'POST', path: '/device/manage' });
  const row = rowOf(/^ThinkPad/);
  await user.click(toggleOf('Desk'));
  const confirm = within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Pause device' });
  // `user.click` would resolve only after the server has replied.
  act(() => confirm.click());
  expect(row.textContent).toContain('Paused');
  await waitFor(() => expect(rowOf(/^ThinkPad/).textContent).toContain('Active'));
  await screen.findByText('Something went wrong!');
});

// covers: spec 1.4.3, spec 2.8.40
test('undoes a pause that the rules no longer allow, and shows a notice', async () => {
  // The session uses the computer. The screen shows two active phones, but one of them has been paused elsewhere.
  const desk = portal.device('super.admin@acme.test', 'desktop');
  portal.device = () => desk;
  const { token, profile } = await portal.signIn('super.admin@acme.test');
  const iPhone = (await devicesOf({ token } as AuthState)).find(({ name }) => name === 'iPhone 14');
  const manage = (action: 'pause' | 'enable') =>
    portal.call(manageDevice, { body: { zid: iPhone?.zid ?? '', suid: profile.suid, action } }, { token });
  await manage('enable');
  await open();
  await manage('pause');

  await confirmStatus('Pocket', 'Pause device');
  await screen.findByText('Last mobile device cannot be disabled');
  expect(rowOf(/^Pixel/).textContent).toContain('Active');
  await waitFor(() => expect(rowOf(/^iPhone/).textContent).toContain('Paused'));
});

// covers: spec 1.2.50, spec 1.8.8
test('confirms deleting, explains the consequences, and removes the device', async () => {
  const state = await open();
  const dialog = await choose('Desk', 'Delete device');
  expect(dialog.getByRole('heading').textContent).toBe('Delete Desk?');
  expect(dialog.getAllByRole('listitem').length).toBeGreaterThan(1);
  await user.click(dialog.getByRole('button', { name: 'Delete device' }));
  await screen.findByText('Desk was deleted');
  await waitFor(() => expect(screen.queryByText('ThinkPad X1')).toBeNull());
  expect((await devicesOf(state)).map(({ name }) => name)).not.toContain('ThinkPad X1');
});

test('deletes nothing if cancelled', { tags: 'whole' }, async () => {
  const state = await open();
  const dialog = await choose('Desk', 'Delete device');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(await devicesOf(state)).toHaveLength(4);
});

// covers: spec 1.2.50
test('removes a lost device', async () => {
  await open();
  const dialog = await choose('iPhone 14', 'Report lost');
  expect(dialog.queryByText(/you'll be signed out/)).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Report lost' }));
  await screen.findByText('iPhone 14 was reported lost');
  await waitFor(() => expect(screen.queryByRole('row', { name: /iPhone 14/ })).toBeNull());
});

test("signs out immediately when the session's device is reported lost", async () => {
  await open();
  const dialog = await choose('Pocket', 'Report lost');
  dialog.getByText(/you'll be signed out here immediately/);
  await user.click(dialog.getByRole('button', { name: 'Report lost' }));
  await screen.findByRole('heading', { name: 'Signed out' });
  await screen.findByText('Pocket was reported lost');
});

// covers: spec 1.2.35
test('refetches the devices and shows when they were last refreshed', async () => {
  const { token, profile } = await open();
  const time = await screen.findByText(/^\d\d \w{3} \d{4}, \d\d:\d\d:\d\d [AP]M$/);
  expect(time.parentElement?.textContent).toMatch(/^Last refresh \d/);
  const desk = portal.device('super.admin@acme.test', 'desktop');
  await portal.call(manageDevice, { body: { zid: desk.zid, suid: profile.suid, action: 'pause' } }, { token });
  await user.click(screen.getByRole('button', { name: 'Refresh devices' }));
  await waitFor(() => expect(rowOf(/^ThinkPad/).textContent).toContain('Paused'));
});

test('shows when a new device can approve changes, and confirms it on another device', async () => {
  const { token, profile } = await open();
  const { email, primaryAttr } = profile;
  const request = { body: { email, primaryAttr, type: 'desktop' as const } };
  const { activationCode } = (await portal.call(regenerateActivationCode, request, { token })).body;
  const device = { name: 'New laptop', type: 'desktop' as const, platform: 'Windows 11' };
  await portal.authenticator.activate({ orgCode: 'acme', email, activationCode, device });
  await user.click(screen.getByRole('button', { name: 'Refresh devices' }));
  const from = formatDateTime(portal.clock.now() + DAY);
  await screen.findByRole('button', { name: `New laptop Desktop Can approve changes from ${from}` });
  const menu = await openMenuOf('New laptop');
  await chooseItem(menu.getByRole('menuitem', { name: 'Confirm on another device' }));
  const dialog = await screen.findByRole('dialog', { name: 'Approve on your phone' });
  const number = /choose (\d\d)/.exec(dialog.textContent ?? '')?.[1] ?? '';
  const phone = portal.device(email);
  const [waiting] = await portal.authenticator.pending(phone);
  const challengeId = waiting?.challengeId ?? '';
  await portal.authenticator.respond(phone, { challengeId, decision: 'approve', number });
  await screen.findByText('New laptop can now approve changes');
  await waitFor(() => expect(screen.queryByText(/^Can approve changes from/)).toBeNull());
});
