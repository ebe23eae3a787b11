import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { deleteInvitations } from '@orchestrate/server/testing/helpers';
import { inviteUsers, readOutbox } from '@orchestrate/shared';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Breadcrumbs } from '#layout/breadcrumbs.tsx';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { decodeMemberSegment } from '#lib/address/member-address.ts';
import { user } from '#testing.ts';
import InvitationsScreen from './invitations-screen.tsx';

const ADMIN = 'super.admin@acme.test';
const NEWCOMER = 'mara.lindholm@acme.test';
const OTHER = 'amara.okafor@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
  deleteInvitations(portal);
});
afterEach(() => closePage(portal));

async function invite(...orgEmails: string[]) {
  const body = { orgEmails, type: 'mobile' as const, sendEmail: true };
  await portal.call(inviteUsers, { body }, await portal.signIn(ADMIN));
}
const open = (address = '/manage-users/invitations', email = ADMIN) =>
  visitSignedIn(portal, email, address, <InvitationsScreen />);
const rows = () =>
  within(screen.getByRole('table', { name: 'Open invitations' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
const mails = async () => (await portal.call(readOutbox, { query: { to: NEWCOMER } })).body.messages;
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));

test('lists and counts open invitations and shows who sent them', async () => {
  await invite(NEWCOMER);
  portal.clock.advance(8 * 86_400);
  await invite(OTHER);
  await open();
  await screen.findByRole('table', { name: 'Open invitations' });
  expect(rows()).toEqual([
    expect.stringMatching(/^Amara Okaforamara.*Pending.*by /),
    expect.stringMatching(/^Mara Lindholmmara.*Expired/),
  ]);
  await press('Expired 1');
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(window.location.search).toBe('?state=expired');
  await press('Valid 1');
  await waitFor(() => expect(rows()[0]).toContain('Amara'));
});

// covers: spec 1.2.17
test('links each invitation to the member', async () => {
  await invite(NEWCOMER);
  await open();
  const link = await screen.findByRole('link', { name: 'Mara Lindholm' });
  const { pathname, search } = new URL(link.getAttribute('href') ?? '', window.location.origin);
  expect(search).toBe('?status=invited');
  expect(decodeMemberSegment(pathname.split('/').at(-1) ?? '')).toMatchObject({ primaryAttr: 'E-11020' });
});

test('clears a search that matches no name', { tags: 'whole' }, async () => {
  await invite(NEWCOMER);
  await open('/manage-users/invitations?q=zzz');
  await screen.findByText('Change or clear the filters.');
  await press('Clear filters');
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(window.location.search).toBe('');
});

test('asks for confirmation and resends the email', async () => {
  await invite(NEWCOMER);
  await open();
  await press('Resend invitation to Mara Lindholm');
  const dialog = await screen.findByRole('alertdialog', { name: 'Invite Mara Lindholm again?' });
  expect(dialog.textContent).toContain('the current code stop working immediately');
  const before = await mails();
  await user.click(within(dialog).getByRole('button', { name: 'Resend' }));
  await screen.findByText('Invitation resent to Mara Lindholm');
  expect(await mails()).toHaveLength(before.length + 1);
  expect(rows()).toHaveLength(1);
});

// covers: spec 1.1.6
test('asks for confirmation, withdraws the invitation and removes the row', async () => {
  await invite(NEWCOMER, OTHER);
  await open();
  await press('Withdraw invitation for Mara Lindholm');
  const dialog = await screen.findByRole('alertdialog', { name: 'Withdraw the invitation for Mara Lindholm?' });
  await user.click(within(dialog).getByRole('button', { name: 'Withdraw' }));
  await screen.findByText('Invitation for Mara Lindholm withdrawn');
  await waitFor(() => expect(rows()).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

test('shows a link for inviting people if the list is empty', async () => {
  await open();
  await screen.findByText('No open invitations');
  await user.click(screen.getAllByRole('button', { name: 'Invite users' })[0] ?? document.body);
  expect(window.location.search).toBe('?modal=invite');
});

test('links the breadcrumb to Manage Users only for users who can search members', async () => {
  const roles = [
    { code: 'INVITER', name: 'Inviter', permissions: ['BULK_INVITE' as const] },
    { code: 'FINDER', name: 'Finder', permissions: ['BULK_INVITE' as const, 'SEARCH_USER' as const] },
  ];
  const devices = [{ type: 'mobile' as const }];
  const withRoles = roles.map(({ code }) => ({ email: `${code.toLowerCase()}@acme.test`, role: code, devices }));
  await portal.lab.reset({ seed: { organisations: [{ code: 'acme', roles, people: withRoles }] } });
  const crumbs = () =>
    within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  const visit = (email: string) => visitSignedIn(portal, email, '/manage-users/invitations', <Breadcrumbs />);
  await visit('inviter@acme.test');
  expect(crumbs()).toEqual(['Dashboard', 'Invitations']);
  cleanup();
  await visit('finder@acme.test');
  expect(crumbs()).toEqual(['Dashboard', 'Manage Users', 'Invitations']);
});
