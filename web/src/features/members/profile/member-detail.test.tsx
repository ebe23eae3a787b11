import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { type AuthState, getUser, type Member, updateUser } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Breadcrumbs } from '#layout/breadcrumbs.tsx';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { decodeMemberSegment, encodeMemberSegment, memberAddress } from '#lib/address/member-address.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { paths } from '#paths.ts';
import { fill, tabTo, user, withPlainSpaces } from '#testing.ts';
import { MemberScreen } from './member-detail.tsx';

const ADMIN = 'super.admin@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

function Address() {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}

const draw = (email: string, address: string) =>
  visitSignedIn(
    portal,
    email,
    address,
    <>
      <Routes>
        <Route path={paths.manageUsers} element={<h1>Manage Users</h1>} />
        <Route path={paths.member(':id')} element={<MemberScreen />} />
      </Routes>
      <Breadcrumbs />
      <Address />
    </>,
  );

const memberOf = async (primaryAttr: string, { token }: AuthState): Promise<Member> =>
  (await portal.call(getUser, { query: { primaryAttr } }, { token })).body.profile;

/** Opens a demo member's page, by default Marcus Oyelaran's. */
async function open(primaryAttr = 'E-10871', email = ADMIN): Promise<AuthState> {
  const member = await memberOf(primaryAttr, await portal.signIn(email));
  const state = await draw(email, memberAddress(paths.member, member));
  await screen.findByRole('region', { name: 'Profile' });
  return state;
}

const profile = () => within(screen.getByRole('region', { name: 'Profile' }));
/** Waits for the dialog to close. While it is open, the page is hidden from screen readers. */
const closed = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
const address = () => screen.getByTestId('address').textContent ?? '';
const field = (name: RegExp) => within(screen.getByRole('dialog')).getByRole('textbox', { name });
const type = (name: RegExp, text: string) => fill(field(name), text);
const save = () => within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' });

const crumb = () => screen.getByRole('navigation', { name: 'Breadcrumb' }).querySelector('[aria-current]')?.textContent;

test("shows the member's actual name in the breadcrumb instead of the name in the URL", async () => {
  const { suid } = await memberOf('E-10871', await portal.signIn(ADMIN));
  const spoofed = { primaryAttr: 'E-10871', suid, fullName: 'Call +1 555 0100 now' };
  await draw(ADMIN, paths.member(encodeMemberSegment(spoofed)));
  expect(crumb()).toBe('Call +1 555 0100 now');
  await waitFor(() => expect(crumb()).toBe('Marcus Oyelaran'));
  expect(document.body.textContent).not.toContain('555');
});

test('shows “Member” in the breadcrumb if there is no name', async () => {
  const nameless = { primaryAttr: 'E-1', suid: 'nobody', fullName: 'Call +1 555 0100 now' };
  await draw(ADMIN, paths.member(encodeMemberSegment(nameless)));
  await screen.findByRole('heading', { name: 'Member not found' });
  expect(crumb()).toBe('Member');
});

// covers: spec 1.1.10, spec 1.9.11
test("shows a member's profile, devices and last five sign-ins", async () => {
  const state = await open();
  const member = await memberOf('E-10871', state);
  profile().getByRole('heading', { name: 'Marcus Oyelaran', level: 1 });
  for (const text of ['Active', 'Org User', 'marcus.oyelaran@acme.test', 'E-10871', formatDateTime(member.lastSeen)])
    profile().getByText(withPlainSpaces(text));
  await screen.findByRole('table', { name: 'Connected devices' });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Device',
    'Status',
    'Actions',
  ]);
  const logins = within(screen.getByRole('region', { name: 'Last 5 sign-ins' }));
  expect(await logins.findAllByRole('listitem')).toHaveLength(5);
});

test("shows a device's nickname below its name", async () => {
  await open('E-10005');
  const devices = within(await screen.findByRole('table', { name: 'Connected devices' }));
  devices.getByRole('button', { name: /iPhone 16.*Mine · Mobile/s });
});

/** Returns the headings of the page's sections in their order. */
const sections = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

test('shows devices before the codes, in one line, if a member has a device', async () => {
  await open();
  await screen.findByRole('table', { name: 'Connected devices' });
  expect(sections().slice(0, 2)).toEqual(['Connected devices', 'Activation codesNot needed: signs in with iPhone 16']);
  expect(screen.queryByRole('region', { name: 'Mobile activation code' })).toBeNull();
  await user.click(screen.getByRole('button', { name: /^Activation codes/ }));
  screen.getByRole('region', { name: 'Mobile activation code' });
});

test('shows the codes first, as the only way to send one, if a member has no device', async () => {
  await open('E-11020');
  await screen.findByRole('heading', { name: 'No devices yet' });
  expect(sections().slice(0, 2)).toEqual(['Activation codes', 'Connected devices']);
  const mobile = within(screen.getByRole('region', { name: 'Mobile activation code' }));
  mobile.getByRole('button', { name: 'Email code' });
  const devices = within(screen.getByRole('region', { name: 'Connected devices' }));
  expect(devices.queryByRole('button', { name: /email/i })).toBeNull();
});

test('shows a change to the member immediately and links to all changes', async () => {
  const { token } = await open();
  const { suid } = (await portal.call(getUser, { query: { primaryAttr: 'E-10871' } }, { token })).body.profile;
  const activity = within(await screen.findByRole('region', { name: 'Activity' }));
  await activity.findByRole('heading', { name: 'No changes yet' });
  await user.click(profile().getByRole('button', { name: 'Disable' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Disable user' }));
  await closed();
  await user.click(await activity.findByRole('button', { name: /^Member deactivated/ }));
  expect(activity.getByRole('table', { name: 'Changed fields' })).toBeDefined();
  expect(activity.getByRole('link', { name: 'View All' }).getAttribute('href')).toBe(
    `/org-settings/activity?about=${suid}`,
  );
});

test('shows the name from the URL while the member is loading', { tags: 'whole' }, async () => {
  const member = await memberOf('E-11020', await portal.signIn(ADMIN));
  await draw(ADMIN, memberAddress(paths.member, member));
  screen.getByRole('heading', { name: 'Mara Lindholm', level: 1 });
  screen.getByText('Unregistered');
  screen.getByText('Loading member');
  await screen.findByRole('region', { name: 'Profile' });
});

test.each([
  ['nonsense', 'nonsense'],
  ['a missing member', encodeMemberSegment({ primaryAttr: 'E-1', suid: 'nobody', fullName: 'No Body' })],
])('shows “Member not found” for %s in the URL', async (_, segment) => {
  await draw(ADMIN, paths.member(segment));
  await screen.findByRole('heading', { name: 'Member not found' });
  await user.click(screen.getByRole('link', { name: 'Back to the list' }));
  screen.getByRole('heading', { name: 'Manage Users' });
});

// covers: spec 1.5.5
test('edits another member, reports field errors and saves only changes', async () => {
  await open();
  await user.click(profile().getByRole('button', { name: 'Edit' }));
  await screen.findByRole('dialog', { name: 'Edit Marcus Oyelaran' });
  expect(save()).toHaveProperty('disabled', true);

  const cases = [
    [/First Name/, '  ', 'First Name is required'],
    [/Last Name/, '', 'Last Name is required'],
    [/Email/, '', 'Email is required'],
    [/Email/, 'marcus', 'Please enter a valid email address'],
  ] as const;
  for (const [name, text, problem] of cases) {
    await type(name, text);
    await user.tab();
    await screen.findByText(problem);
  }
  await type(/First Name/, 'Marcus');
  await type(/Last Name/, 'Oyelaran');
  await type(/Email/, 'marcus.oyelaran@acme.test');
  await waitFor(() => expect(save()).toHaveProperty('disabled', true));
});

// covers: spec 1.2.53, spec 1.8.9
test('updates the page and its URL after saving', async () => {
  const state = await open();
  await user.click(profile().getByRole('button', { name: 'Edit' }));
  await screen.findByRole('dialog');
  await type(/Last Name/, '  Oyelaran-Wood ');
  await user.tab();
  await user.click(save());
  await screen.findByText('User updated successfully');
  await screen.findByRole('heading', { name: 'Marcus Oyelaran-Wood' });
  await waitFor(() =>
    expect(decodeMemberSegment(address().split('/').at(-1) ?? '')?.fullName).toBe('Marcus Oyelaran-Wood'),
  );
  expect((await memberOf('E-10871', state)).lastName).toBe('Oyelaran-Wood');
});

// covers: spec 1.5.7
test('shows an error under the field if the email address is taken', async () => {
  await open();
  await user.click(profile().getByRole('button', { name: 'Edit' }));
  await screen.findByRole('dialog');
  await type(/Email/, 'user@acme.test');
  await user.click(save());
  await screen.findByText('Email already exists');
  await waitFor(() => expect(document.activeElement).toBe(field(/Email/)));
});

test("offers the organisation's roles with admin roles first", { tags: 'whole' }, async () => {
  const state = await open();
  await user.click(profile().getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByRole('option', { name: 'Super Admin' });
  const role = dialog.getByRole('combobox', { name: /Role/ });
  expect(role).toMatchObject({ value: 'USER' });
  const options = within(role)
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
  expect(options.slice(0, 5)).toEqual([
    'Super Admin',
    'Help Desk Admin',
    'Security Admin',
    'Call Center Admin',
    'Org User',
  ]);
  await user.selectOptions(role, 'HELPDESK_ADMIN');
  await user.click(save());
  await screen.findByText('User updated successfully');
  await waitFor(() => profile().getByText('Help Desk Admin'));
  expect((await memberOf('E-10871', state)).role).toBe('HELPDESK_ADMIN');
});

test('merges the changes of two people who edit a member at the same time', { tags: 'whole' }, async () => {
  const state = await open();
  await user.click(profile().getByRole('button', { name: 'Edit' }));
  await screen.findByRole('dialog');
  const other = { primaryAttr: 'E-10871', lastName: 'Oyelaran', primaryEmail: 'marcus.oyelaran@acme.test' };
  await portal.call(updateUser, { body: { ...other, firstName: 'Mark', roles: 'AUDITOR' } }, { token: state.token });
  await type(/Last Name/, 'Wood');
  await user.click(save());
  await screen.findByText(/^User updated successfully .+ also changed First Name, Role\. Both changes are saved\.$/);
  expect(await memberOf('E-10871', state)).toMatchObject({ firstName: 'Mark', lastName: 'Wood', role: 'AUDITOR' });
});

test('asks which change to keep if two people edited the same field', {
  tags: 'whole',
}, async () => {
  const state = await open();
  await user.click(profile().getByRole('button', { name: 'Edit' }));
  await screen.findByRole('dialog');
  const other = { primaryAttr: 'E-10871', lastName: 'Oyelaran', primaryEmail: 'marcus.oyelaran@acme.test' };
  await portal.call(updateUser, { body: { ...other, firstName: 'Mark' } }, { token: state.token });
  await type(/First Name/, 'Marc');
  await user.click(save());
  const confirmation = within(await screen.findByRole('dialog', { name: /changed this while you were editing$/ }));
  expect(confirmation.getByRole('radio', { name: /Keep theirs.*Mark$/ })).toHaveProperty('checked', false);
  expect(confirmation.getByRole('radio', { name: /Keep mine.*Marc$/ })).toHaveProperty('checked', true);
  expect((await memberOf('E-10871', state)).firstName).toBe('Mark');
  await user.click(confirmation.getByRole('button', { name: 'Save' }));
  await screen.findByText('User updated successfully');
  expect((await memberOf('E-10871', state)).firstName).toBe('Marc');
});

test('offers only roles that the user can grant', { tags: 'whole' }, async () => {
  await open('E-10871', 'helpdesk.admin@acme.test');
  await user.click(profile().getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByRole('option', { name: 'Help Desk Admin' });
  const options = dialog.getAllByRole('option').map(({ textContent }) => textContent);
  expect(options).toEqual(['Help Desk Admin', 'Call Center Admin', 'Org User', 'Auditor', 'Onboarding Team']);
});

// covers: spec 1.5.6
test('lets users edit themselves without a role, but not disable or delete themselves', async () => {
  await open('E-10001');
  const disable = profile().getByRole('button', { name: 'Disable' });
  await tabTo(disable);
  expect((await screen.findByRole('tooltip')).textContent).toBe("You can't disable yourself");
  await user.click(disable);
  await user.click(profile().getByRole('button', { name: 'Delete' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();

  await user.click(profile().getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit profile' }));
  expect(dialog.queryByRole('combobox')).toBeNull();
  await type(/First Name/, 'Ava');
  await user.click(save());
  await screen.findByText('Profile updated successfully');
});

// covers: spec 1.1.9, spec 1.2.53, spec 1.4.33, spec 1.8.10
test('disables and enables a member', async () => {
  await open();
  await user.click(profile().getByRole('button', { name: 'Disable' }));
  const confirmation = within(await screen.findByRole('alertdialog', { name: 'Disable Marcus Oyelaran?' }));
  expect(confirmation.getAllByRole('listitem')).toHaveLength(3);
  await user.click(confirmation.getByRole('button', { name: 'Disable user' }));
  await screen.findByText('User disabled successfully');
  await closed();
  await profile().findByText('Inactive');
  profile().getByText(/can't sign in until they are enabled/);

  await user.click(profile().getByRole('button', { name: 'Enable' }));
  await user.click(await screen.findByRole('button', { name: 'Enable user' }));
  await screen.findByText(/User enabled successfully/);
  await closed();
  await profile().findByText('Active');
});

// covers: spec 1.1.9, spec 1.2.53, spec 1.8.11
test('opens the list after deleting a member', async () => {
  const state = await open();
  await user.click(profile().getByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Delete user' }));
  await screen.findByText('User deleted successfully!');
  await screen.findByRole('heading', { name: 'Manage Users' });
  expect(address()).toBe(paths.manageUsers);
  expect((await memberOf('E-10871', state)).accountStatus).toBe('deleted');
});

// covers: spec 1.8.11
test('reports a failed deletion and keeps the member', async () => {
  await open();
  await portal.lab.fault({ method: 'POST', path: '/user/delete' });
  await user.click(profile().getByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Delete user' }));
  await screen.findByText('Failed to delete user. Please try again.');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await closed();
  profile().getByText('Active');
});

test('shows only the history of a deleted member, without actions', { tags: 'whole' }, async () => {
  await open('E-10772');
  profile().getByText('Deleted');
  profile().getByText('This member has been deleted. Only their history remains.');
  expect(profile().queryByRole('button', { name: /Edit|able|Delete/ })).toBeNull();
  expect(screen.queryByRole('region', { name: 'Activation codes' })).toBeNull();
  expect(screen.queryByRole('region', { name: 'Connected devices' })).toBeNull();
  await within(screen.getByRole('region', { name: 'Last 5 sign-ins' })).findAllByRole('listitem');
});

// covers: spec 1.2.47
test.each([
  ['helpdesk.admin@acme.test', ['Edit', 'Disable']],
  ['security.admin@acme.test', ['Disable']],
  ['callcenter.admin@acme.test', []],
])('offers %s only permitted actions', async (email, actions) => {
  await open('E-10871', email);
  const shown = profile().queryAllByRole('button', { name: /^(Edit|Disable|Enable|Delete)$/ });
  expect(shown.map(({ textContent }) => textContent)).toEqual(actions);
});

test('hides all actions for a member with more permissions than the user', {
  tags: 'whole',
}, async () => {
  await open('E-10001', 'helpdesk.admin@acme.test');
  profile().getByText(/You can't edit this person/);
  expect(profile().queryByRole('button', { name: /^(Edit|Disable|Enable|Delete)$/ })).toBeNull();
  const devices = within(await screen.findByRole('table', { name: 'Connected devices' }));
  expect(devices.getAllByRole('button', { expanded: false }).length).toBeGreaterThan(0);
  expect(devices.queryByRole('switch')).toBeNull();
  expect(devices.queryByRole('button', { name: /^More actions/ })).toBeNull();
});

test('applies the permissions of a custom role', { tags: 'whole' }, async () => {
  const admin = await portal.signIn(ADMIN);
  const { primaryAttr, firstName, lastName, primaryEmail } = await memberOf('E-10871', admin);
  await portal.call(
    updateUser,
    { body: { primaryAttr, firstName, lastName, primaryEmail, roles: 'AUDITOR' } },
    { token: admin.token },
  );
  await open('E-10871', 'security.admin@acme.test');
  await profile().findByRole('button', { name: 'Disable' });
});
