import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getUser, LIMITS } from '@orchestrate/shared';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeOrgLoginOptions, closePage, holdNextCall, visitSignedIn } from '#layout/testing.tsx';
import { chooseItem, fill, user } from '#testing.ts';
import OwnDevices from '../own-devices.tsx';
import { OTHERS_DEVICE_PERMISSIONS } from './device-permissions.ts';
import { DevicesPanel } from './devices-panel.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(async () => {
  vi.useRealTimers();
  await closePage(portal);
});

/** Renders another member's devices as on that member's screen. */
const openAs = (email: string, suid: string) =>
  visitSignedIn(
    portal,
    email,
    '/manage-users',
    <DevicesPanel title="Connected devices" suid={suid} permissions={OTHERS_DEVICE_PERMISSIONS} />,
  );

const suidOf = (email: string) => portal.device(email).suid;

test("shows another member's devices without nicknames or a session device", async () => {
  await openAs('super.admin@acme.test', suidOf('helpdesk.admin@acme.test'));
  const headers = (await screen.findAllByRole('columnheader')).map(({ textContent }) => textContent);
  expect(headers).toEqual(['Device', 'Status', 'Actions']);
  expect(screen.queryByText('This sign-in')).toBeNull();
  expect(screen.getAllByRole('switch')).toHaveLength(2);
});

test('hides actions without permission', async () => {
  await openAs('callcenter.admin@acme.test', suidOf('helpdesk.admin@acme.test'));
  await screen.findByRole('table', { name: 'Connected devices' });
  expect(screen.queryByRole('switch')).toBeNull();
  expect(screen.queryByRole('button', { name: /^More actions/ })).toBeNull();
});

test('offers no code for the next computer if the organisation has disabled desktop apps', {
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
  await changeOrgLoginOptions(portal, { desktopAppEnabled: false });
  await lose();
  await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
});

test('reports the missing permission to view devices', async () => {
  await openAs('user@acme.test', suidOf('helpdesk.admin@acme.test'));
  await screen.findByRole('heading', { name: "You can't view these devices" });
  screen.getByText("You don't have permission for this. Contact the Administrator.");
});

test('reports a list that fails to load, with a retry and the request ID', async () => {
  await portal.lab.fault({ method: 'GET', path: '/user', times: 2 });
  await openAs('super.admin@acme.test', suidOf('helpdesk.admin@acme.test'));
  screen.getByText('Loading devices');
  await screen.findByText('Something went wrong!');
  screen.getByRole('button', { name: 'Copy request ID' });
  // Either the client's automatic retry or this click sends the second request, which also fails.
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('table', { name: 'Connected devices' });
});

const ADMIN = 'super.admin@acme.test';

/** Returns the administrator's devices as stored on the server, by name. */
async function storedDevices(): Promise<Record<string, { status: string; nickName: string }>> {
  const { token } = await portal.signIn(ADMIN);
  const { body } = await portal.call(getUser, { query: {} }, { token });
  return Object.fromEntries(body.devices.map(({ name, status, nickName }) => [name, { status, nickName }]));
}

const rowOf = (device: string) => {
  const row = screen.getByText(device).closest<HTMLElement>('[role=row]');
  if (!row) throw new Error(`No row of ${device}`);
  return within(row);
};

async function pause(device: string): Promise<void> {
  await user.click(rowOf(device).getByRole('switch'));
  await user.click(await screen.findByRole('button', { name: 'Pause device' }));
  await waitFor(() => rowOf(device).getByText('Paused'));
}

async function rename(device: string, nickname: string): Promise<void> {
  await user.click(rowOf(device).getByRole('button', { name: /edit nickname/ }));
  await fill(rowOf(device).getByRole('textbox'), nickname);
  await user.keyboard('{Enter}');
}

const isSettled = () =>
  waitFor(() => {
    expect(screen.queryAllByRole('switch', { busy: true })).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Refresh devices', busy: true })).toBeNull();
  });

for (const held of ['request', 'answer'] as const)
  test(`ends up with the server's state after two changes if the first ${held} is slow`, async () => {
    await visitSignedIn(portal, ADMIN, '/dashboard', <OwnDevices />);
    await screen.findByText('ThinkPad X1');
    const slow = holdNextCall('/api/device/manage', held);
    await pause('ThinkPad X1');
    await pause('YubiKey 5C');
    // The quick change has been refetched while the slow change is still pending.
    await waitFor(async () => expect((await storedDevices())['YubiKey 5C']?.status).toBe('paused'));
    await waitFor(() => expect(screen.queryAllByRole('switch', { busy: true })).toHaveLength(1));
    rowOf('ThinkPad X1').getByText('Paused');
    slow.release();
    await isSettled();
    rowOf('ThinkPad X1').getByText('Paused');
    rowOf('YubiKey 5C').getByText('Paused');
    expect((await storedDevices())['ThinkPad X1']?.status).toBe('paused');
  });

for (const held of ['request', 'answer'] as const)
  test(`keeps the later of two nicknames if the first ${held} is slow`, async () => {
    await visitSignedIn(portal, ADMIN, '/dashboard', <OwnDevices />);
    await screen.findByText('ThinkPad X1');
    const slow = holdNextCall('/api/device/nickname', held);
    await rename('ThinkPad X1', 'First name');
    await slow.caught;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await rename('ThinkPad X1', 'Second name');
    await act(() => vi.advanceTimersByTimeAsync(LIMITS.nicknameSaveDebounceMs));
    vi.useRealTimers();
    await rowOf('ThinkPad X1').findByText('Second name');
    slow.release();
    await slow.answered;
    await waitFor(async () => expect((await storedDevices())['ThinkPad X1']?.nickName).toBe('Second name'));
    await isSettled();
    rowOf('ThinkPad X1').getByText('Second name');
    expect((await storedDevices())['ThinkPad X1']?.nickName).toBe('Second name');
  });

test('undoes a rejected change without touching a pending one', async () => {
  await visitSignedIn(portal, ADMIN, '/dashboard', <OwnDevices />);
  await screen.findByText('ThinkPad X1');
  const slow = holdNextCall('/api/device/manage', 'request');
  await pause('ThinkPad X1');
  await portal.lab.fault({ method: 'POST', path: '/device/nickname', times: 1 });
  await rename('YubiKey 5C', 'Spare key');
  await screen.findByText('Something went wrong!');
  await rowOf('YubiKey 5C').findByText('Keyring');
  rowOf('ThinkPad X1').getByText('Paused');
  slow.release();
  await isSettled();
  rowOf('ThinkPad X1').getByText('Paused');
});

test("reports a change that gets no response for 30 seconds, and shows the server's state", async () => {
  await visitSignedIn(portal, ADMIN, '/dashboard', <OwnDevices />);
  await screen.findByText('ThinkPad X1');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const lost = holdNextCall('/api/device/manage', 'request');
  await pause('ThinkPad X1');
  await lost.caught;
  await act(() => vi.advanceTimersByTimeAsync(29_000));
  rowOf('ThinkPad X1').getByText('Paused');
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  vi.useRealTimers();
  await screen.findByText(/^The portal didn't respond in time. Check whether your change was saved/);
  await rowOf('ThinkPad X1').findByText('Active');
  expect((await storedDevices())['ThinkPad X1']?.status).toBe('active');
});

test('shows a successful change even if its response was lost', async () => {
  await visitSignedIn(portal, ADMIN, '/dashboard', <OwnDevices />);
  await screen.findByText('ThinkPad X1');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const lost = holdNextCall('/api/device/manage', 'answer');
  await pause('ThinkPad X1');
  await lost.caught;
  await waitFor(async () => expect((await storedDevices())['ThinkPad X1']?.status).toBe('paused'));
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  vi.useRealTimers();
  await screen.findByText(/^The portal didn't respond in time/);
  await isSettled();
  rowOf('ThinkPad X1').getByText('Paused');
});
