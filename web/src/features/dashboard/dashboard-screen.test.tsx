import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getLoginHistory, listBrowsers } from '@orchestrate/shared';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { formatDateTime } from '#lib/format/dates.ts';
import { updateProfile } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { stubPageWidth, tabTo, user } from '#testing.ts';
import DashboardScreen, { greetingAt, RememberedBrowsers } from './dashboard-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => {
  vi.unstubAllGlobals();
  return closePage(portal);
});

const open = () =>
  visitSignedIn(
    portal,
    'super.admin@acme.test',
    paths.dashboard,
    <Routes>
      <Route path={paths.dashboard} element={<DashboardScreen devices={<p>The devices</p>} />} />
      <Route path={paths.loginHistory} element={<h1>All sign-ins</h1>} />
    </Routes>,
  );

const panel = () => within(screen.getByRole('region', { name: 'Login History' }));

// covers: spec 1.1.3
test('greets the user by first name and shows their devices', async () => {
  await open();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(`${greetingAt(new Date().getHours())}, Avery`);
  screen.getByText('The devices');
});

// covers: spec 1.2.39, spec 1.9.11
test('lists the latest sign-ins with device, application, time and result', async () => {
  const { token } = await open();
  const { records } = (await portal.call(getLoginHistory, { query: { count: 5 } }, { token })).body;
  const entries = await panel().findAllByRole('listitem');
  expect(entries.map(({ textContent }) => textContent)).toEqual(
    records.map(
      ({ nickName, device, appName, timestamp, loginStatus }) =>
        `${nickName || device}${loginStatus}${appName}${formatDateTime(timestamp)}`,
    ),
  );
});

// covers: spec 1.2.37
test('opens the full history from View All', async () => {
  await open();
  await user.click(screen.getByRole('link', { name: 'View All' }));
  screen.getByRole('heading', { name: 'All sign-ins' });
});

// covers: spec 1.2.38
test('shows three skeleton rows while the history loads', async () => {
  await open();
  const waiting = panel().getByRole('status');
  const [label, ...rows] = [...waiting.children].map(({ textContent }) => textContent);
  expect(label).toBe('Loading login history');
  expect(rows).toEqual(['', '', '']);
  await panel().findAllByRole('listitem');
  expect(panel().queryByRole('status')).toBeNull();
});

// covers: spec 1.8.3
test("shows an error if the history can't be loaded, and retries", async () => {
  await portal.lab.fault({ method: 'GET', path: '/user/loginhistory', times: 2 });
  await open();
  panel().getByText('Loading login history');
  await panel().findByText('Something went wrong!');
  await user.click(panel().getByRole('button', { name: 'Retry' }));
  await panel().findAllByRole('listitem');
});

// covers: spec 1.2.36
test.each([
  ['Add device', 'Add device'],
  ['Test Device', 'Test Device'],
])('opens the %s dialog', async (button, title) => {
  await open();
  await user.click(screen.getByRole('button', { name: button }));
  await screen.findByRole('dialog', { name: title });
});

// covers: spec 1.6.7
test("explains whom to ask if the user can't add a device", async () => {
  const { profile } = await open();
  await panel().findAllByRole('listitem');
  const denied = { ...profile, hasPermissionForMobileApp: false, hasPermissionForWindowsApp: false };
  act(() => updateProfile(denied));
  const button = screen.getByRole('button', { name: 'Add device' });
  await tabTo(button);
  // Users who can edit members see how to allow the app themselves.
  const { textContent } = await screen.findByRole('tooltip');
  expect(textContent).toBe('You can allow this app for yourself in Manage Users, under Edit details');
  act(() => updateProfile({ ...denied, permissions: [] }));
  await waitFor(() =>
    expect(screen.getByRole('tooltip').textContent).toBe('To enable this you can contact your Admin'),
  );
  await user.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('matches the greeting to the local hour', () => {
  const greetings = [4, 5, 11, 12, 17, 18, 23, 0].map(greetingAt);
  expect(greetings).toEqual([
    'Hello',
    'Good morning',
    'Good morning',
    'Good afternoon',
    'Good afternoon',
    'Good evening',
    'Good evening',
    'Hello',
  ]);
});

test('lists a remembered browser with its expiry, and forgets it', async () => {
  const { token } = await visitSignedIn(portal, 'user@acme.test', '/dashboard', <RememberedBrowsers />);
  await screen.findByRole('heading', { name: 'Remembered browsers' });
  const { textContent } = screen.getByRole('listitem');
  expect(textContent).toMatch(/last used just now.*until 02 Mar 2026/);
  await user.click(screen.getByRole('button', { name: /^Forget / }));
  await waitFor(() => expect(screen.queryByRole('heading')).toBeNull());
  expect((await portal.call(listBrowsers, {}, { token })).body.browsers).toEqual([]);
});

test('renders nothing if there are no remembered browsers', async () => {
  await visitSignedIn(portal, 'admin@globex.test', '/dashboard', <RememberedBrowsers />);
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Remembered browsers' })).toBeNull());
});

test('shows plain members only their own account, and administrators the organisation first', async () => {
  stubPageWidth(true);
  await open();
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['Your organisation', 'Your account']),
  );
  cleanup();
  await visitSignedIn(portal, 'user@acme.test', paths.dashboard, <DashboardScreen devices={<p>The devices</p>} />);
  await panel().findAllByRole('listitem');
  expect(screen.queryByText('Your organisation')).toBeNull();
  expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull();
});
