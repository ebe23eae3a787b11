import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { listActivity, manageUser, searchUsers } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { chooseItem, fill, user } from '#testing.ts';
import ActivityScreen from './activity-screen.tsx';
import { activityPath } from './shared/activity-address.ts';

const ADMIN = 'super.admin@acme.test';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn(ADMIN));
});
afterEach(() => closePage(portal));

async function memberOf(email: string) {
  const { body } = await portal.call(searchUsers, { query: { q: email, field: 'primaryEmail' } }, { token });
  const [member] = body.Items;
  if (!member) throw new Error(`There is no ${email}.`);
  return member;
}

/** Disables and enables a member alternately, `times` times in total. */
async function switchAccess(email: string, times: number) {
  const { suid } = await memberOf(email);
  for (let at = 0; at < times; at += 1)
    await portal.call(manageUser, { body: { suid, action: at % 2 === 0 ? 'pause' : 'unpause' } }, { token });
  return suid;
}

const open = (address = '/org-settings/activity', email = ADMIN) =>
  visitSignedIn(portal, email, address, <ActivityScreen />);

const events = () =>
  within(screen.getByRole('region', { name: 'Changes' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const event = (name: RegExp) => screen.findByRole('button', { name });

test('groups changes by day, and expands a change to its author, origin and values', async () => {
  await switchAccess('user@acme.test', 1);
  await open();
  const paused = await event(/^Member deactivated/);
  expect(screen.getByRole('heading', { level: 1, name: 'Activity' })).toBeDefined();
  expect(screen.getAllByRole('heading', { level: 2 }).length).toBeGreaterThan(0);
  expect(paused.getAttribute('aria-expanded')).toBe('false');
  await user.click(paused);
  expect(paused.getAttribute('aria-expanded')).toBe('true');
  const changes = within(screen.getByRole('table', { name: 'Changed fields' }));
  expect(changes.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    'Account status',
    'active',
    'inactive',
  ]);
  const facts = paused.closest('li')?.querySelector('dl')?.textContent;
  expect(facts).toMatch(/Sign-in method.*Scanned/);
  expect(facts).toMatch(/From.*(127\.0\.0\.1|::1)/);
});

// covers: spec 2.2.50
test('filters by change type, keeps the filter in the URL, and reports an empty result', async () => {
  await switchAccess('user@acme.test', 2);
  await open();
  await event(/^Member deactivated/);
  const what = screen.getByRole('combobox', { name: 'Type of change' });
  await user.selectOptions(what, 'member.unpaused');
  await waitFor(() => expect(events()).toHaveLength(1));
  expect(window.location.search).toBe('?action=member.unpaused');
  await user.selectOptions(what, 'role');
  await screen.findByRole('heading', { name: 'No changes match' });
  expect(window.location.search).toBe('?type=role');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await event(/^Member deactivated/);
  expect(window.location.search).toBe('');
});

test('starts a search at the third character', { tags: 'whole' }, async () => {
  const { firstName } = await memberOf('user@acme.test');
  await switchAccess('user@acme.test', 1);
  await switchAccess('helpdesk.admin@acme.test', 1);
  await open();
  await waitFor(() => expect(events()).toHaveLength(2));
  const field = screen.getByRole('searchbox', { name: 'Search activity' });
  await fill(field, firstName.slice(0, 2));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(window.location.search).not.toBe(''));
  expect(events()).toHaveLength(2);
  await fill(field, firstName);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(events()).toHaveLength(1));
  expect(events()[0]).toContain(firstName);
});

test('filters by a member selected by name', { tags: 'whole' }, async () => {
  await switchAccess('user@acme.test', 1);
  const other = await portal.signIn('security.admin@acme.test');
  const { suid } = await memberOf('manager@acme.test');
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token: other.token });
  await open();
  await waitFor(() => expect(events()).toHaveLength(2));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Changed by' }), 'choose');
  const dialog = within(await screen.findByRole('dialog', { name: 'Select a member' }));
  await fill(dialog.getByRole('searchbox', { name: 'Member' }), other.profile.lastName);
  await user.click(await dialog.findByRole('button', { name: /security\.admin@acme\.test/ }));
  await waitFor(() => expect(events()).toHaveLength(1));
  expect(window.location.search).toBe(`?by=${other.profile.suid}`);
  const who = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Changed by' });
  await waitFor(() =>
    expect(who.selectedOptions[0]?.textContent).toBe(`By ${other.profile.firstName} ${other.profile.lastName}`),
  );
});

test('names the member in a filter set by a link, and removes the filter', { tags: 'whole' }, async () => {
  const suid = await switchAccess('user@acme.test', 1);
  await switchAccess('helpdesk.admin@acme.test', 1);
  await open(activityPath({ suid }));
  await waitFor(() => expect(events()).toHaveLength(1));
  await user.click(await screen.findByRole('button', { name: /^Remove filter: About (?!One member)/ }));
  await waitFor(() => expect(events()).toHaveLength(2));
  expect(window.location.search).toBe('');
});

test('filters by a preset period or custom days', { tags: 'whole' }, async () => {
  await switchAccess('user@acme.test', 1);
  await open();
  await event(/^Member deactivated/);
  const { at } = (await portal.call(listActivity, { query: {} }, { token })).body.Items[0] ?? { at: '' };
  const day = at.slice(0, 10);
  await user.selectOptions(screen.getByRole('combobox', { name: 'When' }), 'custom');
  await fill(screen.getByLabelText('End date'), '2001-02-03');
  await screen.findByRole('heading', { name: 'No changes match' });
  expect(window.location.search).toBe('?to=2001-02-03');
  await fill(screen.getByLabelText('End date'), day);
  await fill(screen.getByLabelText('Start date'), day);
  await event(/^Member deactivated/);
  expect(new URLSearchParams(window.location.search).get('from')).toBe(day);
});

test('loads a long list to the end', { tags: 'whole' }, async () => {
  await switchAccess('user@acme.test', 51);
  await open();
  await waitFor(() => expect(events()).toHaveLength(50));
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await screen.findByText('End of list: 51 changes');
});

test('shows an empty state, an error if loading fails, and an empty search result', { tags: 'whole' }, async () => {
  await open();
  await screen.findByRole('heading', { name: 'No changes yet' });
  await portal.lab.fault({ method: 'GET', path: '/org/activity', times: 2 });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type of change' }), 'role');
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByRole('heading', { name: 'No changes match' });
});

test('reports the missing permission', { tags: 'whole' }, async () => {
  await open('/org-settings/activity', 'user@acme.test');
  await screen.findByRole('heading', { name: "You can't view activity" });
});

test('saves the filtered changes as a file, and shows an error if that fails', async () => {
  const saved: Blob[] = [];
  Object.assign(URL, {
    createObjectURL: (file: Blob) => `blob:${saved.push(file)}`,
    revokeObjectURL: () => undefined,
  });
  await switchAccess('user@acme.test', 2);
  await open('/org-settings/activity?action=member.paused');
  await event(/^Member deactivated/);
  const save = async (name: RegExp) => {
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    await chooseItem(await screen.findByRole('menuitem', { name }));
  };
  await save(/^NDJSON/);
  await waitFor(() => expect(saved).toHaveLength(1));
  const lines = (await saved[0]?.text())?.trim().split('\n') ?? [];
  expect(lines.map((line) => JSON.parse(line).action)).toEqual(['member.paused']);
  await save(/^CSV/);
  await waitFor(() => expect(saved).toHaveLength(2));
  expect(await saved[1]?.text()).toContain('member.paused');
  await portal.lab.fault({ method: 'GET', path: '/org/activity/export' });
  await save(/^CSV/);
  await screen.findByText('Something went wrong!');
  expect(saved).toHaveLength(2);
});

test('counts the changes of each day in a chart, except those of a text search', async () => {
  await switchAccess('user@acme.test', 3);
  await open();
  const chart = within(await screen.findByRole('list', { name: 'Changes of the last 14 days' }));
  const today = chart.getAllByRole('link').at(-1);
  expect(today?.getAttribute('aria-label')).toMatch(/: 3 changes$/);
  await user.click(today ?? document.body);
  await waitFor(() => expect(window.location.search).toMatch(/^\?from=(.*)&to=\1$/));
  await waitFor(() => expect(events()).toHaveLength(3));
  await fill(screen.getByRole('searchbox', { name: 'Search activity' }), 'ortiz');
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Changes of the last 14 days' })).toBeNull());
});
