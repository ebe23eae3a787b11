import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getProfile } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { user } from '#testing.ts';
import { SignInsPanel } from './sign-ins-panel.tsx';

const USER = 'user@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const statusWith = async (token: string) => (await portal.call(getProfile, {}, { token })).status;

test('lists other sessions and ends one with a single click', async () => {
  const other = await portal.signIn(USER);
  const { token } = await visitSignedIn(portal, USER, '/dashboard', <SignInsPanel />);
  await screen.findByText('This session');
  const buttons = await screen.findAllByRole('button', { name: /^End / });
  expect(buttons).toHaveLength(1);
  for (const button of buttons) await user.click(button);
  await waitFor(() => expect(screen.queryByRole('button', { name: /^End / })).toBeNull());
  expect([await statusWith(other.token), await statusWith(token)]).toEqual([401, 200]);
});

test('asks for confirmation before signing out everywhere and explains what ends', { tags: 'whole' }, async () => {
  const other = await portal.signIn(USER);
  const { token } = await visitSignedIn(portal, USER, '/dashboard', <SignInsPanel />);
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain("You'll stay signed in here");
  await user.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect([await statusWith(other.token), await statusWith(token)]).toEqual([401, 200]);
});

test("lets an administrator end another user's sessions", { tags: 'whole' }, async () => {
  const users = await portal.signIn(USER);
  const member = { suid: users.profile.suid, fullName: 'Daniel Ortiz' };
  await visitSignedIn(portal, 'helpdesk.admin@acme.test', '/manage-users', <SignInsPanel member={member} />);
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('This immediately ends all sessions and application sign-ins of Daniel Ortiz');
  await user.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
  await screen.findByText('Not signed in anywhere');
  expect(await statusWith(users.token)).toBe(401);
});

test('lets an administrator end one of a user’s sessions and keep the other', async () => {
  const [first, second] = [await portal.signIn(USER), await portal.signIn(USER)];
  const member = { suid: first.profile.suid, fullName: 'Daniel Ortiz' };
  await visitSignedIn(portal, 'helpdesk.admin@acme.test', '/manage-users', <SignInsPanel member={member} />);
  const all = await screen.findAllByRole('button', { name: /^End / });
  await user.click(all[0] ?? document.body);
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^End / })).toHaveLength(all.length - 1));
  expect([await statusWith(first.token), await statusWith(second.token)].toSorted()).toEqual([200, 401]);
});

test("retries a list that failed to load and explains why a session couldn't be ended", {
  tags: 'whole',
}, async () => {
  await portal.signIn(USER);
  await portal.lab.fault({ method: 'GET', path: '/user/sessions', times: 1 });
  await visitSignedIn(portal, USER, '/dashboard', <SignInsPanel />);
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
  await portal.lab.fault({ method: 'POST', path: '/user/sessions/end', times: 1 });
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Sign out everywhere' }));
  await screen.findByText('Something went wrong!');
  expect(screen.getAllByRole('button', { name: /^End /, hidden: true })).toHaveLength(1);
});
