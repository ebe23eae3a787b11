import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeMemberSegment } from '#lib/address/member-address.ts';
import { useHasRoomForAdministration } from '#lib/browser/use-media.ts';
import { useSession } from '#lib/session/session.ts';
import { fill, stubWindowWidth, user } from '#testing.ts';
import CommandPalette from './command-palette.tsx';
import { menu, visibleMenu } from './menu.ts';
import { closePage, visitSignedIn } from './testing.tsx';

// jsdom doesn't implement scrolling.
Element.prototype.scrollIntoView = () => undefined;

const ADMIN = 'super.admin@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
  localStorage.removeItem('orchestrate.recent-commands');
});
afterEach(() => closePage(portal));

function Palette() {
  const [isOpen, setIsOpen] = useState(true);
  const profile = useSession()?.profile;
  const hasRoom = useHasRoomForAdministration();
  const { pathname, search, hash } = useLocation();
  return (
    <>
      {profile && (
        <CommandPalette
          isOpen={isOpen}
          onClose={() => setIsOpen(false)}
          profile={profile}
          groups={visibleMenu(menu, profile, hasRoom)}
        />
      )}
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <p data-testid="address">{pathname + search + hash}</p>
    </>
  );
}

async function open(email = 'user@acme.test', width = 1_440) {
  stubWindowWidth(width);
  await visitSignedIn(portal, email, '/dashboard', <Palette />);
}

const field = () => screen.getByRole('combobox');
const type = (text: string) => fill(field(), text);
const press = (key: string) => user.type(field(), `{${key}}`);
/** Opens the palette again after a command has closed it. */
async function reopen() {
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  await screen.findByRole('combobox');
}
const found = () => screen.queryAllByRole('option').map((option) => option.querySelector('p')?.textContent);
const address = () => screen.getByTestId('address').textContent;

test('lists all screens and actions available to the member by section', async () => {
  await open();
  const sections = screen.getAllByRole('group').map((group) => [
    group.getAttribute('aria-label'),
    within(group)
      .getAllByRole('option')
      .map((option) => option.querySelector('p')?.textContent),
  ]);
  expect(sections).toEqual([
    ['Screens', ['Dashboard', 'My Applications', 'FAQ', 'Login History']],
    [
      'Actions',
      [
        'Test Device',
        'Add device',
        'Edit profile',
        'Switch light and dark mode',
        'Keyboard shortcuts',
        'Logout',
        'Deutsch',
      ],
    ],
    ['Help', ['API reference', 'Authenticator']],
  ]);
});

test('finds commands by parts of words in any order', async () => {
  await open();
  await type('vice tes');
  expect(found()).toEqual(['Test Device']);
  await type('zzz');
  expect(screen.getByRole('status').textContent).toBe('No results for “zzz”.');
});

test.each([
  ['scim', 'User Provisioning'],
  ['directory', 'Applications'],
  ['sso', 'My Applications'],
  ['saml', 'Applications'],
  ['session', 'Sessions'],
  ['theme', 'Switch light and dark mode'],
  ['dark', 'Switch light and dark mode'],
  ['language', 'Deutsch'],
  ['api', 'API reference'],
  ['certificate', 'IDP Configuration'],
  ['ip', 'Security'],
  ['log out', 'Logout'],
  ['sign out', 'Logout'],
  ['audit', 'Activity'],
  ['lost', 'Add device'],
  ['passkey', 'Sign-in methods'],
  ['logo', 'Logo'],
  ['members', 'Manage Users'],
  ['permissions', 'Role Management'],
  ['oauth', 'Applications'],
  ['export', 'Configuration File'],
  ['template', 'Emails'],
  ['help desk', 'Authenticate Caller'],
  ['phone', 'Authenticator'],
])('finds %s', async (query, label) => {
  await open(ADMIN);
  await type(query);
  expect(found()).toContain(label);
});

test('shows the synonym by which a screen was found, with the match in bold', async () => {
  await open(ADMIN);
  await type('entra');
  const option = screen.getByRole('option', { name: /^User Provisioning/ });
  expect(within(option).getByText('Entra').tagName).toBe('B');
});

test('opens the dialog for a SCIM token', async () => {
  await open(ADMIN);
  await type('add scim token');
  expect(found()).toContain('Add a SCIM token');
  await user.click(screen.getByRole('option', { name: /^Add a SCIM token/ }));
  await waitFor(() => expect(address()).toBe('/org-settings/user-provisioning?modal=add-token'));
});

test('finds a tab of an application by both names', async () => {
  await open(ADMIN);
  await type('payroll');
  await waitFor(() => expect(found()).toContain('Payroll'));
  expect(found()).not.toContain('Payroll: Access');
  await type('access payroll');
  await waitFor(() => expect(found()).toEqual(['Payroll: Access']));
  await press('Enter');
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/applications/payroll/access'));
});

test('finds applications, roles and questions, with the best match first', async () => {
  await open(ADMIN);
  await type('wiki');
  await screen.findByRole('option', { name: /Team Wiki/ });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/applications/team-wiki'));
  await reopen();
  await type('help desk admin');
  await screen.findByRole('option', { name: /Help Desk Admin/ });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toMatch(/role-management\?role=HELPDESK_ADMIN/));
});

test.each([
  ['POST /user/invite', 'POST /user/invite', 'inviteUsers'],
  ['post /api/user/invite', 'POST /user/invite', 'inviteUsers'],
  ['scim token create', 'POST /scim/tokens', 'createScimToken'],
])('finds the endpoint %s in the API reference', async (query, label, id) => {
  await open();
  await type(query);
  const [first] = await screen.findAllByRole('option');
  expect(first?.textContent).toContain(label);
  await press('Enter');
  await waitFor(() => expect(address()).toBe(`/docs/${id}`));
});

test('finds no endpoints by a single word', async () => {
  await open(ADMIN);
  await type('post /user');
  await screen.findByRole('group', { name: 'API reference' });
  await type('user');
  expect(screen.queryByRole('group', { name: 'API reference' })).toBeNull();
});

test('runs the selected command on Enter and closes', async () => {
  await open();
  await press('ArrowDown');
  expect(field().getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[1]?.id);
  await press('Enter');
  await waitFor(() => expect(address()).toBe('/my-applications'));
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
});

test('wraps around with the arrow keys', async () => {
  await open();
  await press('ArrowUp');
  await press('Enter');
  await waitFor(() => expect(address()).toBe('/authenticator'));
});

test('opens a screen in a new tab on Ctrl Enter', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  await open();
  await press('ArrowDown');
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(opened).toHaveBeenCalledWith('/my-applications', '_blank', 'noopener');
  expect(address()).toBe('/dashboard');
});

test('lists recently used commands first, but no members', async () => {
  await open(ADMIN);
  await type('audit log');
  await press('Enter');
  await reopen();
  await type('mara lind');
  await screen.findByRole('option', { name: /Mara Lindholm/ });
  await press('Enter');
  await reopen();
  const recent = within(screen.getByRole('group', { name: 'Recent' })).getAllByRole('option');
  expect(recent.map((option) => option.textContent)).toEqual(['ActivityMonitoring']);
});

test('finds a member by first or last name and opens their profile', async () => {
  await open(ADMIN);
  await type('lindholm');
  screen.getByText('Searching members…');
  await screen.findByRole('option', { name: /Mara Lindholm/ });
  expect(found()).toEqual(['Mara Lindholmmara.lindholm@acme.test']);
  await type('mara');
  await screen.findByRole('option', { name: /Tamara Quist/ });
  await type('mara lind');
  await waitFor(() => expect(found()).toEqual(['Mara Lindholmmara.lindholm@acme.test']));
  await user.keyboard('{Enter}');
  await waitFor(() => {
    const [, list, segment] = address()?.split(/[/?]/) ?? [];
    expect(list).toBe('manage-users');
    expect(decodeMemberSegment(segment ?? '')?.fullName).toBe('Mara Lindholm');
  });
});

test('does not search for fewer than three characters', async () => {
  await open(ADMIN);
  await type('qu');
  expect(screen.queryByText('Searching members…')).toBeNull();
  expect(screen.queryByRole('group', { name: 'Members' })).toBeNull();
});

test.each([
  ['without the permission', true, 'user@acme.test'],
  ['on a phone', false, 'super.admin@acme.test'],
])('does not search for members %s', async (_, isDesktop, email) => {
  await open(email, isDesktop ? 1_440 : 390);
  await type('mara');
  screen.getByText('No results for “mara”.');
});
