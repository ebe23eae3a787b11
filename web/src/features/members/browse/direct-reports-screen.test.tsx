import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { addUser, getUser } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { memberAddress } from '#lib/address/member-address.ts';
import { paths } from '#paths.ts';
import { fill, user } from '#testing.ts';
import { DirectReportScreen } from '../profile/member-detail.tsx';
import DirectReportsScreen from './direct-reports-screen.tsx';

const MANAGER = 'manager@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const open = (address: string = paths.directReports, email = MANAGER) =>
  visitSignedIn(
    portal,
    email,
    address,
    <Routes>
      <Route path={paths.directReports} element={<DirectReportsScreen />} />
      <Route path={paths.directReport(':id')} element={<DirectReportScreen />} />
    </Routes>,
  );

const names = () =>
  within(screen.getByRole('list', { name: 'Direct reports' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
const search = (text: string) => fill(screen.getByRole('searchbox', { name: 'Search direct reports' }), text);

// covers: spec 1.1.11, spec 1.2.13
test('lists all of a manager’s direct reports', async () => {
  await open();
  screen.getByText('Loading your direct reports…');
  await screen.findByText('8 direct reports');
  expect(names()).toContain('Daniel Ortiz');
  expect(names()).toHaveLength(8);
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
});

test('uses the singular for a single direct report', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { suid: managerSuid } = (await portal.signIn('user@acme.test')).profile;
  const ada = { firstName: 'Ada', lastName: 'Berg', primaryEmail: 'ada.berg@acme.test', primaryAttr: 'E-90001' };
  await portal.call(addUser, { body: { ...ada, managerSuid } }, { token });
  await open(paths.directReports, 'user@acme.test');
  await screen.findByText('1 direct report');
});

test.each([
  ['name', 'oyel', 'Marcus Oyelaran'],
  ['username', 'e-11020', 'Mara Lindholm'],
  ['email', 'zoe.lef', 'Zoë Lefèvre'],
])('searches direct reports by %s', { tags: 'whole' }, async (_, text, name) => {
  await open();
  await screen.findByText('8 direct reports');
  await search(text);
  await screen.findByText('1 of 8 direct reports');
  expect(names()).toEqual([name]);
});

// covers: spec 1.2.45
test('stores the search in the URL and clears it', async () => {
  await open(`${paths.directReports}?q=nobody&status=inactive`);
  await screen.findByRole('heading', { name: 'No direct reports match' });
  await user.click(screen.getByText('Clear search'));
  await screen.findByText('8 direct reports');
  expect(window.location.search).toBe('');
  screen.getByRole('button', { name: 'All 8' });
  await user.click(screen.getByRole('button', { name: 'Inactive 1' }));
  await waitFor(() => expect(names()).toEqual(['Omar Hassan']));
});

test("lets the user retry if the direct reports can't be loaded", { tags: 'whole' }, async () => {
  await portal.lab.fault({ method: 'GET', path: '/user/reportee', times: 2 });
  await open();
  await screen.findByText('Something went wrong!');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('8 direct reports');
});

test('shows devices and sign-ins to a manager, who can only delete devices', { tags: 'whole' }, async () => {
  await open();
  await screen.findByText('8 direct reports');
  await user.click(screen.getByRole('link', { name: 'Łukasz Kamiński' }));
  await screen.findByRole('region', { name: 'Profile' });
  expect(screen.queryByRole('button', { name: /^(Edit|Disable|Delete)$/ })).toBeNull();
  expect(screen.queryByRole('region', { name: 'Activation codes' })).toBeNull();
  await screen.findByRole('table', { name: 'Connected devices' });
  expect(screen.queryByRole('switch')).toBeNull();
  const [more] = screen.getAllByRole('button', { name: /^More actions for/ });
  if (!more) throw new Error('There is no device.');
  await user.click(more);
  const items = within(await screen.findByRole('menu')).getAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Delete device']);
});

test('shows someone else’s direct report as not found', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { profile } = (await portal.call(getUser, { query: { primaryAttr: 'E-10442' } }, { token })).body;
  await open(memberAddress(paths.directReport, profile));
  await screen.findByRole('heading', { name: 'Member not found' });
});

test('offers more actions to a manager who is an administrator, also on the card', { tags: 'whole' }, async () => {
  await open(paths.directReports, 'super.admin@acme.test');
  await screen.findByRole('list', { name: 'Direct reports' });
  await user.click(screen.getByRole('button', { name: 'Actions for Ruth Adeyemi' }));
  const menu = within(await screen.findByRole('menu'));
  menu.getByRole('menuitem', { name: 'Edit' });
});
