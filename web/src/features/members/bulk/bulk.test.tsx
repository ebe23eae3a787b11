import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import {
  type AccountStatus,
  addUser,
  deleteUser,
  getUser,
  listInvitations,
  readOutbox,
  regenerateActivationCode,
  searchUsers,
} from '@orchestrate/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { endSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { chooseItem, user } from '#testing.ts';
import ManageUsersScreen from '../browse/manage-users-screen.tsx';

let portal: TestPortal;
let token: string;
afterEach(() => closePage(portal));

const ADMIN = 'boss@initech.test';
const people = [
  {
    email: ADMIN,
    firstName: 'Bill',
    lastName: 'Lumbergh',
    role: 'SUPER_ADMIN',
    devices: [{ type: 'mobile' as const }],
  },
  { email: 'a@initech.test', firstName: 'Ada', lastName: 'Lumbergh', devices: [{ type: 'mobile' as const }] },
  { email: 'b@initech.test', firstName: 'Bo', lastName: 'Lumbergh', devices: [{ type: 'mobile' as const }] },
  { email: 'c@initech.test', firstName: 'Cy', lastName: 'Lumbergh', status: 'inactive' as const },
  { email: 'd@initech.test', firstName: 'Di', lastName: 'Lumbergh', status: 'unregistered' as const },
  {
    email: 'e@initech.test',
    firstName: 'Ed',
    lastName: 'Lumbergh',
    role: 'HELPDESK_ADMIN',
    devices: [{ type: 'mobile' as const }],
  },
];

const screens = (
  <Routes>
    <Route path={paths.manageUsers} element={<ManageUsersScreen />} />
    <Route path="*" element={<h1>Elsewhere</h1>} />
  </Routes>
);

async function open(as = ADMIN, search = '?by=lastName&q=lumbergh') {
  portal = await testPortal({ seed: 'none' });
  await portal.lab.reset({ seed: { organisations: [{ code: 'initech', people }] } });
  ({ token } = await visitSignedIn(portal, as, `${paths.manageUsers}${search}`, screens));
  await screen.findByRole('list', { name: 'Members' });
}

const choose = (name: string) => user.click(screen.getByRole('checkbox', { name: `Select ${name} Lumbergh` }));
const bar = () => within(screen.getByRole('region', { name: 'Selected members' }));
const press = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));
/** Waits for the portal's check of the members, then clicks the button. */
async function pressChecked(name: string) {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name });
  await waitFor(() => expect(button.disabled).toBe(false));
  await user.click(button);
}
const rows = (label: string) =>
  within(screen.getByRole('list', { name: label }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const found = async (status?: AccountStatus) => {
  const query = { q: 'lumbergh', field: 'lastName', status };
  const { Items } = (await portal.call(searchUsers, { query }, { token })).body;
  return Object.fromEntries(Items.map(({ firstName, accountStatus }) => [firstName, accountStatus]));
};

test('keeps the selection after opening a member and going back', async () => {
  await open();
  await choose('Ada');
  await choose('Bo');
  await user.click(screen.getByRole('link', { name: /Cy Lumbergh/ }));
  await screen.findByRole('heading', { name: 'Elsewhere' });
  act(() => window.history.back());
  await screen.findByRole('list', { name: 'Members' });
  bar().getByText('2 selected');
  expect(screen.getByRole('checkbox', { name: 'Select Ada Lumbergh' })).toHaveProperty('checked', true);
});

test('disables the selected members after listing those that will be skipped', {
  tags: 'whole',
}, async () => {
  await open();
  expect(screen.queryByRole('region', { name: 'Selected members' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
  bar().getByText('6 selected');
  await press('Disable');
  const dialog = await screen.findByRole('alertdialog', { name: 'Disable 3 members?' });
  expect(rows('Members affected')).toEqual([
    'Ada Lumbergha@initech.test',
    'Bo Lumberghb@initech.test',
    'Ed Lumberghe@initech.test',
  ]);
  within(dialog).getByText('3 of 6 will be skipped:');
  expect(rows('Skipped members')).toEqual([
    "Bill LumberghYou can't disable yourself",
    'Cy LumberghAlready inactive',
    'Di LumberghNo device registered yet',
  ]);
  await press('Disable 3 members');
  await screen.findByText('3 disabled');
  expect(rows('Results')[0]).toBe('Ada Lumbergha@initech.testDisabled');
  await press('Copy results');
  expect(await navigator.clipboard.readText()).toMatch(/^Name\tEmail\tResult\tReason\n/);
  await press('Done');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected members' })).toBeNull());
  expect(await found()).toMatchObject({ Bill: 'active', Ada: 'inactive', Bo: 'inactive', Ed: 'inactive' });
});

test('continues after a failure, shows the reason and retries', async () => {
  await open();
  for (const name of ['Ada', 'Bo']) await choose(name);
  await portal.lab.fault({ method: 'POST', path: '/user/manage', times: 1 });
  await press('Disable');
  await press('Disable 2 members');
  await screen.findByText('1 disabled · 1 failed');
  expect(rows('Results')).toEqual([
    expect.stringMatching(/^Ada Lumbergh.+Failed$/),
    'Bo Lumberghb@initech.testDisabled',
  ]);
  await press('Retry 1');
  await screen.findByText('2 disabled');
  expect(await found()).toMatchObject({ Ada: 'inactive', Bo: 'inactive' });
});

test('disables an action that applies to no selected member and explains why', async () => {
  await open();
  await choose('Cy');
  const disable = bar().getByRole('button', { name: 'Disable' });
  expect(disable.getAttribute('aria-disabled')).toBe('true');
  await user.hover(disable);
  await screen.findByText('Already inactive');
  await press('Enable');
  await press('Enable 1 member');
  await screen.findByText('1 enabled');
});

test('resends invitations, changes a role and deletes members', async () => {
  await open();
  for (const name of ['Ada', 'Cy', 'Di']) await choose(name);
  await press('Resend invitation');
  await screen.findByRole('alertdialog', { name: 'Resend 1 invitation?' });
  expect(rows('Members affected')).toEqual(['Di Lumberghd@initech.test']);
  expect(rows('Skipped members')).toEqual(['Ada LumberghHas already registered a device', 'Cy LumberghInactive']);
  await pressChecked('Resend 1 invitation');
  await screen.findByText('1 invited');
  expect((await portal.call(readOutbox, { query: { to: 'd@initech.test' } })).body.messages).toHaveLength(1);
  await press('Done');

  for (const name of ['Ada', 'Ed']) await choose(name);
  await press('Change role');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Change 2 roles' }).disabled).toBe(true);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Help Desk Admin');
  await press('Change 1 role');
  await screen.findByText('1 role changed');
  await press('Done');
  const ada = (await portal.call(searchUsers, { query: { q: 'ada', field: 'firstName' } }, { token })).body.Items[0];
  expect(ada).toMatchObject({ role: 'HELPDESK_ADMIN', lastName: 'Lumbergh', primaryEmail: 'a@initech.test' });

  for (const name of ['Bo', 'Di']) await choose(name);
  await press('Delete');
  await press('Delete 2 members');
  await screen.findByText('2 deleted');
  const suid = ada?.suid ?? '';
  expect((await portal.call(getUser, { query: { suid } }, { token })).status).toBe(200);
  expect(await found('deleted')).toEqual({ Bo: 'deleted', Di: 'deleted' });
  expect(await found()).toMatchObject({ Ada: 'active' });
});

test('reports members who registered after the dialog was opened', { tags: 'whole' }, async () => {
  await open();
  for (const name of ['Cy', 'Di']) await choose(name);
  await press('Resend invitation');
  await screen.findByRole('alertdialog', { name: 'Resend 1 invitation?' });
  const { Items } = (
    await portal.call(searchUsers, { query: { q: 'd@initech.test', field: 'primaryEmail' } }, { token })
  ).body;
  const { primaryEmail: email = '', primaryAttr = '' } = Items[0] ?? {};
  const wanted = { email, primaryAttr, type: 'mobile' } as const;
  const { activationCode } = (await portal.call(regenerateActivationCode, { body: wanted }, { token })).body;
  const device = { name: 'Pixel 10', type: 'mobile', platform: 'Android 16' } as const;
  await portal.authenticator.activate({ orgCode: 'initech', email, activationCode, device });
  await pressChecked('Resend 1 invitation');
  await screen.findByText('1 unchanged');
  expect(rows('Results')).toEqual(['Di LumberghHas already registered a deviceUnchanged']);
});

test('clears the selection after another search or on Clear', { tags: 'whole' }, async () => {
  await open();
  await choose('Ada');
  await press('Clear');
  expect(screen.queryByRole('region', { name: 'Selected members' })).toBeNull();
  await choose('Ada');
  await user.click(screen.getByRole('button', { name: /^Inactive/ }));
  await screen.findByText(/^1 inactive member /);
  expect(screen.queryByRole('region', { name: 'Selected members' })).toBeNull();
});

test('offers only permitted actions and skips members with more permissions', async () => {
  await open('e@initech.test');
  await choose('Bill');
  await choose('Ada');
  const verbs = bar()
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
  expect(verbs).not.toContain('Delete');
  await press('Disable');
  expect(rows('Skipped members')).toEqual(["Bill LumberghHas permissions you don't have"]);
});

test('shows the result and moves focus when the list becomes empty', {
  tags: 'whole',
}, async () => {
  await open(ADMIN, '?status=inactive');
  await choose('Cy');
  await press('Enable');
  await press('Enable 1 member');
  await screen.findByText('1 enabled');
  expect(rows('Results')).toEqual(['Cy Lumberghc@initech.testEnabled']);
  await press('Done');
  const clear = await screen.findByRole('button', { name: 'Clear search' });
  await waitFor(() => expect(document.activeElement).toBe(clear));
});

test('shows the current state of a member who changed after being selected', { tags: 'whole' }, async () => {
  await open();
  for (const name of ['Ada', 'Bo']) await choose(name);
  await press('Actions for Ada Lumbergh');
  await chooseItem(await screen.findByRole('menuitem', { name: 'Disable user' }));
  await user.click(await screen.findByRole('button', { name: 'Disable user' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await user.click(bar().getByRole('button', { name: 'Disable' }));
  await screen.findByRole('alertdialog', { name: 'Disable 1 member?' });
  expect(rows('Skipped members')).toEqual(['Ada LumberghAlready inactive']);
});

test('asks before closing the page only while an action is running', {
  tags: 'whole',
}, async () => {
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await open();
  await choose('Ada');
  await press('Disable');
  await press('Disable 1 member');
  await screen.findByText('1 disabled');
  await waitFor(() => expect(isAsked()).toBe(false));
  await press('Done');
  await choose('Bo');
  await portal.lab.fault({ method: 'POST', path: '/user/manage', delayMs: 30_000 });
  await press('Disable');
  await press('Disable 1 member');
  await screen.findByRole('progressbar');
  expect(isAsked()).toBe(true);
  // The call is still pending. End the session so that nothing is refetched afterwards.
  act(() => endSession(false));
});

const MANAGE = { method: 'POST', path: '/api/user/manage' } as const;

test('asks before closing the dialog while an action is running, and keeps it running meanwhile', {
  tags: 'whole',
}, async () => {
  await open();
  await portal.lab.fault({ match: MANAGE, answer: { delayMs: 2_000 }, times: 1 });
  for (const name of ['Ada', 'Bo']) await choose(name);
  await press('Disable');
  await press('Disable 2 members');
  await screen.findByRole('progressbar');
  await press('Close');
  await screen.findByRole('alertdialog', { name: 'Stop the remaining changes?' });
  // If the user doesn't respond, the action completes and the confirmation closes.
  await screen.findByText('2 disabled');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

test('leaves the remaining members unchanged after stopping', { tags: 'whole' }, async () => {
  await open();
  await portal.lab.fault({ match: MANAGE, answer: { delayMs: 2_000 }, times: 1 });
  for (const name of ['Ada', 'Bo', 'Ed']) await choose(name);
  await press('Disable');
  await press('Disable 3 members');
  await screen.findByRole('progressbar');
  await press('Close');
  const confirmation = await screen.findByRole('alertdialog', { name: 'Stop the remaining changes?' });
  const stop = within(confirmation).getByRole('button', { name: 'Stop' });
  // The question takes the pointer shortly after it appears.
  await waitFor(() => user.click(stop));
  await screen.findByText('1 disabled · 2 not attempted');
  expect(await found()).toMatchObject({ Ada: 'inactive', Bo: 'active', Ed: 'active' });
  await press('Retry 2');
  await screen.findByText('3 disabled');
});

test('resends invitations for the desktop app if the mobile app is disabled', {
  tags: 'whole',
}, async () => {
  portal = await testPortal({ seed: 'none' });
  const invited = { email: 'di@initech.test', firstName: 'Di', lastName: 'Lumbergh', status: 'unregistered' as const };
  const boss = { email: ADMIN, lastName: 'Lumbergh', role: 'SUPER_ADMIN', devices: [{ type: 'desktop' as const }] };
  const loginOptions = { mobileAppEnabled: false };
  await portal.lab.reset({ seed: { organisations: [{ code: 'initech', loginOptions, people: [boss, invited] }] } });
  ({ token } = await visitSignedIn(
    portal,
    ADMIN,
    `${paths.manageUsers}?by=lastName&q=lumbergh`,
    <ManageUsersScreen />,
  ));
  await screen.findByRole('list', { name: 'Members' });
  await user.click(screen.getByRole('checkbox', { name: 'Select Di Lumbergh' }));
  await press('Resend invitation');
  await pressChecked('Resend 1 invitation');
  await screen.findByText('1 invited');
  const { Items } = (await portal.call(listInvitations, { query: {} }, { token })).body;
  expect(Items.map(({ type }) => type)).toEqual(['desktop']);
});

/** Opens a search with `count` results, of which only the first `active` members can be disabled. */
async function openMany(count: number, { active = count, search = '?by=lastName&q=milton' } = {}) {
  const many = Array.from({ length: count }, (_, at) => ({
    email: `m${at}@initech.test`,
    firstName: `M${at}`,
    lastName: 'Milton',
    status: at < active ? ('active' as const) : ('inactive' as const),
  }));
  portal = await testPortal({ seed: 'none' });
  await portal.lab.reset({ seed: { organisations: [{ code: 'initech', people: [...people.slice(0, 1), ...many] }] } });
  ({ token } = await visitSignedIn(portal, ADMIN, `${paths.manageUsers}${search}`, screens));
  await screen.findByRole('list', { name: 'Members' });
}
const chooseShown = () => user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
const pressFound = async (name: string) => user.click(await screen.findByRole('button', { name }));

test('deletes exactly the confirmed members after selecting all results', async () => {
  await openMany(123);
  expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull();
  await chooseShown();
  bar().getByText('20 selected');
  await pressFound('Select all 123 results');
  await bar().findByText('123 selected');
  await waitFor(() => expect(document.activeElement).toBe(bar().getByRole('button', { name: 'Disable' })));
  expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Select M3 Milton' }));
  bar().getByText('122 selected');
  await press('Delete');
  await screen.findByRole('alertdialog', { name: 'Delete 122 members?' });

  const query = { q: 'M120', field: 'firstName' };
  const suid = (await portal.call(searchUsers, { query }, { token })).body.Items[0]?.suid ?? '';
  await portal.call(deleteUser, { body: { suid, org: 'initech' } }, { token });
  const body = { primaryAttr: 'N-1', firstName: 'New', lastName: 'Milton', primaryEmail: 'new@initech.test' };
  expect((await portal.call(addUser, { body }, { token })).body.resultCode).toBe(0);

  await press('Delete 122 members');
  await screen.findByText('121 deleted · 1 failed');
  expect(rows('Results')[0]).toMatch(/^M120 Milton.+Failed$/);
  await press('Done');
  await screen.findByText('2 members with “milton” in the last name');
  const { Items } = (await portal.call(searchUsers, { query: { q: 'milton', field: 'lastName' } }, { token })).body;
  expect(Items.map(({ firstName }) => firstName).toSorted()).toEqual(['M3', 'New']);
  expect(screen.queryByRole('region', { name: 'Selected members' })).toBeNull();
});

test('confirms the exact number of more than a thousand results, by search text and by filter', async () => {
  await openMany(1_105, { active: 1_101 });
  await screen.findByText(/^20 of more than 1,000 members/);
  await chooseShown();
  await pressFound('Select all results');
  await bar().findByText('1,105 selected');
  await press('Disable');
  const dialog = await screen.findByRole('alertdialog', { name: 'Disable 1,101 members?' });
  within(dialog).getByText('4 of 1,105 will be skipped:');
  expect(rows('Skipped members')[0]).toMatch(/Already inactive$/);
  expect(rows('Members affected').at(-1)).toBe('and 901 more');
  await press('Cancel');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await press('Resend invitation');
  await screen.findByRole('alertdialog', { name: 'Resend 1,101 invitations?' });
  await press('Cancel');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

  await user.clear(screen.getByRole('searchbox', { name: 'Search members' }));
  await user.click(screen.getByRole('button', { name: /^Active/ }));
  await screen.findByText('20 of 1,102 active members');
  expect(screen.queryByRole('region', { name: 'Selected members' })).toBeNull();
  await chooseShown();
  await pressFound('Select all 1,102 results');
  await bar().findByText('1,102 selected');
  await press('Disable');
  await screen.findByRole('alertdialog', { name: 'Disable 1,101 members?' });
  expect(rows('Skipped members')).toEqual(["Bill LumberghYou can't disable yourself"]);
});

const SEARCH = { method: 'GET', path: '/api/user/search' } as const;

test('cancels selecting all results on request or by another search', async () => {
  await openMany(45);
  await chooseShown();
  await portal.lab.fault({ match: SEARCH, answer: { delayMs: 30_000 }, times: 2 });
  await pressFound('Select all 45 results');
  expect(screen.getByRole('progressbar').getAttribute('aria-valuemax')).toBe('45');
  expect(bar().queryByRole('button', { name: 'Disable' })).toBeNull();
  await press('Cancel');
  bar().getByText('20 selected');
  await pressFound('Select all 45 results');
  await screen.findByRole('progressbar');
  await user.click(screen.getByRole('button', { name: /^Active/ }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected members' })).toBeNull());
  await screen.findByText(/^20 of 45 active members/);
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('reports an error if selecting all results fails, and retries', async () => {
  await openMany(45);
  await chooseShown();
  await portal.lab.fault({ method: 'GET', path: '/user/search', times: 1 });
  await pressFound('Select all 45 results');
  await screen.findByRole('alert');
  bar().getByText('20 selected');
  await press('Select all 45 results');
  await bar().findByText('45 selected');
  expect(screen.queryByRole('alert')).toBeNull();
  // Clearing the displayed rows also clears selected results that aren't displayed.
  await chooseShown();
  expect(screen.queryByRole('region', { name: 'Selected members' })).toBeNull();
});

test('deselects a member who has left the list, even if all results were selected', async () => {
  await openMany(25);
  await chooseShown();
  await pressFound('Select all 25 results');
  await bar().findByText('25 selected');
  await press('Actions for M2 Milton');
  await chooseItem(await screen.findByRole('menuitem', { name: 'Delete user' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: 'Delete user' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await bar().findByText('24 selected');
});
