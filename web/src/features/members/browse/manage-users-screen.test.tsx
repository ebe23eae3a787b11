import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { type AuthState, countUsers, getUser, LIMITS, updateUser } from '@orchestrate/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { decodeMemberSegment } from '#lib/address/member-address.ts';
import { paths } from '#paths.ts';
import { chooseItem, fill, user } from '#testing.ts';
import { addRecentMember } from '../shared/recent-members.ts';
import ManageUsersScreen from './manage-users-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

function Address() {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}

const open = (search = '', email = 'super.admin@acme.test'): Promise<AuthState> =>
  visitSignedIn(
    portal,
    email,
    paths.manageUsers + search,
    <>
      <Routes>
        <Route path={paths.manageUsers} element={<ManageUsersScreen />} />
        <Route path={paths.member(':id')} element={<h1>A member</h1>} />
      </Routes>
      <Address />
    </>,
  );

const address = () => screen.getByTestId('address').textContent;
const searchBox = () => screen.getByRole('searchbox', { name: 'Search members' });
const type = (text: string) => fill(searchBox(), text);
const list = () => screen.findByRole('list', { name: 'Members' });
const names = () =>
  within(screen.getByRole('list', { name: 'Members' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
const cardOf = (name: string) => {
  const card = screen.getByRole('link', { name }).closest('li');
  if (!card) throw new Error(`${name} is not in a list.`);
  return within(card);
};

// covers: spec 1.2.44
test('explains what to type before searching', async () => {
  await open();
  screen.getByRole('heading', { name: 'Find a member' });
  await screen.findByRole('option', { name: 'Employee ID' });
  expect(
    within(screen.getByRole('combobox', { name: 'Search by' }))
      .getAllByRole('option')
      .map((o) => o.textContent),
  ).toEqual(['All fields', 'First Name', 'Last Name', 'Email', 'Employee ID']);
});

test('leads to members who need attention, and to those opened before', async () => {
  await open();
  const attention = within(screen.getByRole('region', { name: 'Needs attention' }));
  const links = await attention.findAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    ['codes=expiring', 'status=unverified', 'status=invited', 'status=unregistered'].map(
      (filter) => `/manage-users?${filter}`,
    ),
  );
  expect(screen.queryByRole('region', { name: 'Recently opened' })).toBeNull();
  await user.click(attention.getByRole('link', { name: /^Unverified email addresses/ }));
  expect(address()).toBe('/manage-users?status=unverified');
  addRecentMember({ suid: 'a', primaryAttr: 'E1', fullName: 'Mara Lindholm', accountStatus: 'active' });
  addRecentMember({ suid: 'b', primaryAttr: 'E2', fullName: 'Omar Hassan', accountStatus: 'deleted' });
  await user.click(screen.getByRole('button', { name: /^All/ }));
  const recent = within(screen.getByRole('region', { name: 'Recently opened' }));
  expect(recent.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'OHOmar HassanE2 · Deleted',
    'MLMara LindholmE1 · Active',
  ]);
});

// covers: spec 1.5.4
test('searches when typing pauses and stores the search in the URL', async () => {
  await open();
  await type('mar');
  expect(address()).toBe('/manage-users');
  await list();
  expect(address()).toBe('/manage-users?q=mar');
  expect(names()).toContain('Mara Lindholm');
  expect(names()).toContain('Tamara Quist');
  screen.getByText('7 members with “mar”');
});

// covers: spec 1.5.4
test('doesn’t search for fewer than three characters, not counting spaces', async () => {
  await open();
  await type(' ma ');
  await waitFor(() => expect(address()).toBe('/manage-users?q=+ma+'));
  screen.getByRole('heading', { name: 'Find a member' });
  await type(' mar ');
  await list();
});

// covers: spec 1.5.4
test('searches immediately on Enter', async () => {
  await open();
  await type('mar');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/manage-users?q=mar'), { timeout: LIMITS.searchDebounceMs / 2 });
});

test('restores the whole search from the URL', async () => {
  await open('?q=E-110&by=employeeId&status=unregistered');
  await list();
  expect(searchBox()).toMatchObject({ value: 'E-110' });
  expect(screen.getByRole('combobox', { name: 'Search by' })).toMatchObject({ value: 'employeeId' });
  expect(screen.getByRole('button', { name: /^Unregistered/ }).getAttribute('aria-pressed')).toBe('true');
  expect(names()).toEqual(['Mara Lindholm']);
});

// covers: spec 1.2.41
test('searches again when the field or status changes', async () => {
  await open('?q=ass&by=firstName');
  await screen.findByRole('heading', { name: 'No members match' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Search by' }), 'lastName');
  await list();
  expect(names()).toContain('Omar Hassan');
  await user.click(screen.getByRole('button', { name: /^Active/ }));
  await waitFor(() => expect(address()).toBe('/manage-users?q=ass&by=lastName&status=active'));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Omar Hassan' })).toBeNull());
});

test('marks an active member whose email address isn’t verified', { tags: 'whole' }, async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const body = {
    primaryAttr: 'E-10871',
    firstName: 'Marcus',
    lastName: 'Oyelaran',
    primaryEmail: 'm.oyelaran@acme.test',
  };
  expect((await portal.call(updateUser, { body }, { token })).body.resultCode).toBe(0);
  await open('?q=mar');
  await list();
  expect(cardOf('Marcus Oyelaran').getByRole('img', { name: 'Email not verified' })).toBeTruthy();
  for (const name of ['Tamara Quist', 'Mara Lindholm']) {
    expect(cardOf(name).queryByRole('img', { name: 'Email not verified' })).toBeNull();
  }
});

// covers: spec 1.2.12
test('shows a member on a card that links to their page', async () => {
  const { token } = await open('?q=lindholm&by=lastName');
  await list();
  const card = cardOf('Mara Lindholm');
  for (const text of ['mara.lindholm@acme.test', 'Unregistered', 'Org User', 'E-11020']) card.getByText(text);
  card.getByRole('img', { name: '0 devices' });
  const { profile } = (await portal.call(getUser, { query: { primaryAttr: 'E-11020' } }, { token })).body;
  const link = new URL(card.getByRole('link').getAttribute('href') ?? '', portal.url);
  expect(decodeMemberSegment(link.pathname.split('/').at(-1) ?? '')).toEqual({
    primaryAttr: 'E-11020',
    suid: profile.suid,
    fullName: 'Mara Lindholm',
  });
  expect(link.search).toBe('?status=unregistered');
  await user.click(card.getByRole('link'));
  screen.getByRole('heading', { name: 'A member' });
});

/** Replaces the browser's IntersectionObserver. `see` simulates scrolling the watched element into view. */
function stubObserver() {
  const watched = new Map<Element, () => void>();
  class Observer {
    readonly callback: (entries: { isIntersecting: boolean }[]) => void;
    constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
      this.callback = callback;
    }
    observe(element: Element) {
      watched.set(element, () => this.callback([{ isIntersecting: true }]));
    }
    disconnect() {
      watched.clear();
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  return {
    watched: () => [...watched.keys()],
    see: () =>
      act(() => {
        for (const see of watched.values()) see();
      }),
  };
}

// covers: spec 1.2.42
test('loads further pages when the last card scrolls into view', async () => {
  const { watched, see } = stubObserver();
  await open('?q=E-121&by=employeeId');
  await screen.findByText(/^20 of 2\d members with “E-121” in the employee ID$/);
  expect(watched()).toEqual([screen.getAllByRole('listitem').at(-1)]);
  see();
  await screen.findByText(/^2\d members with “[^”]+” in the employee ID/);
  expect(watched()).toEqual([]);
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links.length).toBeGreaterThan(LIMITS.searchPageSize);
  expect(new Set(links).size).toBe(links.length);
});

test('keeps the loaded members and offers a retry if a page fails', { tags: 'whole' }, async () => {
  const { see } = stubObserver();
  await open('?q=E-121&by=employeeId');
  await screen.findByText(/^20 of 2\d members/);
  await portal.lab.fault({ method: 'GET', path: '/user/search', times: 2 });
  see();
  await screen.findByRole('alert');
  expect(names()).toHaveLength(LIMITS.searchPageSize);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText(/^2\d members with “[^”]+” in the employee ID/);
});

test('keeps listing all members with a status while only one or two characters are typed', {
  tags: 'whole',
}, async () => {
  await open('?status=inactive');
  await list();
  cardOf('Omar Hassan').getByText('Inactive');
  await screen.findByText(/^(20 of )?\d+ inactive members$/);
  await type('ma');
  await screen.findByRole('heading', { name: 'Find inactive members' });
  await type('');
  await list();
  await user.click(screen.getByRole('button', { name: /^All/ }));
  await screen.findByRole('heading', { name: 'Find a member' });
});

// covers: spec 1.5.4
test('searches for one or two characters on Enter', async () => {
  await open();
  await type('li');
  await screen.findByText(/Press Enter to search for fewer characters\.$/);
  expect(screen.queryByRole('list', { name: 'Members' })).toBeNull();
  await user.keyboard('{Enter}');
  await screen.findByText(/members? with a name starting with “li”$/);
  expect(window.location.search).toContain('q=li&entered=yes');
  await type('lin');
  await screen.findByText(/members? with “lin”$/);
  expect(window.location.search).not.toContain('entered');
});

// covers: spec 1.2.44
test('shows the search text if no members match, and clears the search', async () => {
  await open('?q=xyz&status=inactive');
  await screen.findByRole('heading', { name: 'No members match' });
  screen.getByText('There are no inactive members with “xyz”.');
  await waitFor(() =>
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
      'No members match. There are no inactive members with “xyz”.',
    ),
  );
  await user.click(screen.getByText('Clear search'));
  await screen.findByRole('heading', { name: 'Find a member' });
  expect(address()).toBe('/manage-users');
  expect(document.activeElement).toBe(searchBox());
});

test('shows how many characters of a very long search are used', async () => {
  await open();
  await type('x'.repeat(10_000));
  await screen.findByRole('heading', { name: 'No members match' });
  screen.getByText(`There are no members with “${'x'.repeat(60)}…”. The search uses only the first 254 characters.`);
});

test.each(['%%%', '___', `"'"`, '😀😀😀'])('treats %s as literal text', { tags: 'whole' }, async (text) => {
  await open();
  await type(text);
  await screen.findByText(`There are no members with “${text}”.`);
});

test('shows an error and offers a retry if the search fails', { tags: 'whole' }, async () => {
  await portal.lab.fault({ method: 'GET', path: '/user/search', times: 2 });
  await open('?q=mar');
  const skeletons = screen.getByText('Searching…').nextElementSibling?.children;
  expect(skeletons).toHaveLength(LIMITS.skeletonCards);
  await screen.findByText('Something went wrong!');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await list();
});

async function menuOf(name: string) {
  await user.click(screen.getByRole('button', { name: `Actions for ${name}` }));
  return within(await screen.findByRole('menu'));
}

test.each([
  ['super.admin@acme.test', ['Edit', 'Activation codes', 'Report device lost', 'Disable user', 'Delete user']],
  ['helpdesk.admin@acme.test', ['Edit', 'Activation codes', 'Report device lost', 'Disable user']],
  ['callcenter.admin@acme.test', ['Activation codes']],
  ['security.admin@acme.test', ['Report device lost', 'Disable user']],
])('offers %s only permitted actions in the card menu', async (email, items) => {
  await open('?q=marcus', email);
  await list();
  const menu = await menuOf('Marcus Oyelaran');
  expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(items);
});

test('shows no menu for a deleted member', { tags: 'whole' }, async () => {
  await open('?q=margot');
  await screen.findByRole('heading', { name: 'No members match' });
  await user.click(await screen.findByRole('button', { name: 'Deleted 1' }));
  await list();
  cardOf('Margot Ito').getByText('Deleted');
  expect(screen.queryByRole('button', { name: 'Actions for Margot Ito' })).toBeNull();
});

// covers: spec 1.4.34
test('greys out a member after disabling them in the list', async () => {
  await open('?q=marcus');
  await list();
  await chooseItem((await menuOf('Marcus Oyelaran')).getByRole('menuitem', { name: 'Disable user' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Disable Marcus Oyelaran?' }));
  await user.click(dialog.getByRole('button', { name: 'Disable user' }));
  await screen.findByText('User disabled successfully');
  await waitFor(() => cardOf('Marcus Oyelaran').getByText('Inactive'));
});

test('shows the invite button with permission to invite members', async () => {
  await open();
  await user.click(screen.getByRole('button', { name: 'Invite users' }));
  expect(address()).toBe('/manage-users?modal=invite');
});

test('hides the invite button without permission', async () => {
  await open('', 'security.admin@acme.test');
  expect(screen.queryByRole('button', { name: 'Invite users' })).toBeNull();
});

test('shows members in a table and remembers the view in this browser', {
  tags: 'whole',
}, async () => {
  await open('?q=mar');
  await list();
  await user.click(screen.getByRole('button', { name: 'Table' }));
  const table = within(screen.getByRole('table', { name: 'Members' }));
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Name',
    'Status',
    'Role',
    'Employee ID',
    'Devices',
    'Last seen',
    'Actions',
  ]);
  expect(screen.queryByRole('list', { name: 'Members' })).toBeNull();
  await user.click(table.getByRole('checkbox', { name: 'Select Mara Lindholm' }));
  screen.getByText('1 selected');
  table.getByRole('button', { name: 'Actions for Mara Lindholm' });
  await user.click(table.getByRole('link', { name: 'Mara Lindholm' }));
  await screen.findByRole('heading', { name: 'A member' });
  await act(() => window.history.back());
  await screen.findByRole('table', { name: 'Members' });
  await user.click(screen.getByRole('button', { name: 'Cards' }));
  await list();
});

// covers: spec 1.4.34
test('greys out inactive and deleted members in the table', async () => {
  await open('?status=inactive');
  await list();
  await user.click(screen.getByRole('button', { name: 'Table' }));
  const nameOf = (name: string) => getComputedStyle(screen.getByRole('link', { name }));
  const grey = nameOf('Omar Hassan').color;
  expect(grey).not.toBe(getComputedStyle(document.body).color);
  await user.click(screen.getByRole('button', { name: /^Active/ }));
  await waitFor(() => expect(nameOf('Daniel Ortiz').color).not.toBe(grey));
});

test('shows how many matching members have each status', { tags: 'whole' }, async () => {
  await open('?q=mar');
  await list();
  const { token } = await portal.signIn('super.admin@acme.test');
  const { counts } = (await portal.call(countUsers, { query: { q: 'mar', field: 'any' } }, { token })).body;
  await screen.findByRole('button', { name: `All ${counts.all}` });
  await user.click(screen.getByRole('button', { name: `Unregistered ${counts.unregistered}` }));
  await screen.findByText(new RegExp(`^${counts.unregistered} unregistered members? with “mar”$`));
});

// covers: spec 1.2.41
test.each(['', '?q=mar', '?q=marek&by=firstName'])(
  'lists as many members as counted for every status with “%s”',
  async (search) => {
    await open(search);
    const group = within(screen.getByRole('group', { name: 'Status' }));
    await group.findByRole('button', { name: /^Active \d/ });
    const choices = group.getAllByRole('button').map(({ textContent }) => textContent ?? '');
    expect(choices.map((choice) => choice.replace(/ \d+$/, ''))).toEqual([
      'All',
      'Active',
      'Inactive',
      'Unregistered',
      'Invited',
      'Unverified',
      'Deleted',
      'Code expires soon',
    ]);
    const counted = choices.map((choice) => Number(/ (\d+)$/.exec(choice)?.[1] ?? 0));
    const [all = 0, active = 0, inactive = 0, unregistered = 0, , unverified = 0] = counted;
    // Without a search, “All” neither lists nor counts members. Invited members aren't added to the sum, because they
    // are also counted as unregistered.
    if (search) expect(active + inactive + unregistered + unverified).toBe(all);
    for (const [at, name] of choices.entries()) {
      await user.click(group.getByRole('button', { name }));
      if (counted[at]) await screen.findByText(new RegExp(`^(20 of )?${counted[at]} (\\w+ )?members?\\b`));
      else await screen.findByRole('heading', { name: search ? 'No members match' : 'Find a member' });
    }
  },
);

test('sorts the results and stores the order in the URL', async () => {
  await open('?q=mar');
  await list();
  const sort = await screen.findByRole('combobox', { name: 'Sort by' });
  expect(
    within(sort)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Best match', 'Last Name', 'First Name', 'Email', 'Newest first', 'Oldest first']);
  await user.selectOptions(sort, 'Last Name');
  await waitFor(() => expect(address()).toBe('/manage-users?q=mar&sort=lastName'));
  const lastNames = () => names().map((name) => name?.split(' ').at(-1) ?? '');
  await waitFor(() => expect(lastNames()).toEqual(lastNames().toSorted((a, b) => a.localeCompare(b))));
});

test('explains that there are too many results to sort', { tags: 'whole' }, async () => {
  const admin = {
    email: 'super.admin@acme.test',
    firstName: 'Ann',
    lastName: 'Ek',
    role: 'SUPER_ADMIN',
    devices: [{ type: 'mobile' as const }],
  };
  const marta = Array.from({ length: 1_001 }, (_, at) => ({
    email: `marta${at}@acme.test`,
    firstName: 'Marta',
    lastName: 'Lind',
  }));
  await portal.lab.reset({ seed: { organisations: [{ code: 'acme', people: [admin, ...marta] }] } });
  await open('?q=marta&sort=lastName');
  await list();
  await screen.findByText('20 of more than 1,000 members with “marta”');
  expect(screen.getByRole('combobox', { name: 'Sort by' })).toMatchObject({ disabled: true });
  screen.getByText('At most 1,000 members can be sorted. Narrow your search.');
  screen.getByRole('button', { name: 'Active 1,000+' });
});

test('combines the filter for codes that expire soon with a search text', { tags: 'whole' }, async () => {
  await open('?status=active');
  await list();
  await user.click(screen.getByRole('button', { name: /^Code expires soon/ }));
  await screen.findByText(/^\d+ members? with a code that expires within 6 hours$/);
  expect(address()).toBe('/manage-users?codes=expiring');
  expect(screen.queryByRole('combobox', { name: 'Sort by' })).toBeNull();
  const [name = ''] = names();
  await type(name);
  await screen.findByText(`1 member with “${name}” and a code that expires within 6 hours`);
  expect(address()).toBe(`/manage-users?${new URLSearchParams({ codes: 'expiring', q: name })}`);
  expect(names()).toEqual([name]);
});
