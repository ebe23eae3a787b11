import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { readOutbox } from '@orchestrate/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeOrgLoginOptions, closePage, visitSignedIn } from '#layout/testing.tsx';
import { decodeMemberSegment } from '#lib/address/member-address.ts';
import { endSession, startSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { fill, stubWindowWidth, user } from '#testing.ts';
// Preload the lazy dialog so that the tests don't wait for it.
import './add-user-dialog.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

async function open(email = 'super.admin@acme.test') {
  stubWindowWidth(1_440);
  await visitSignedIn(portal, email, '/manage-users?modal=add-user', <h1>Manage Users</h1>);
  const dialog = await screen.findByRole('dialog', { name: 'Add user' });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  return within(dialog);
}
type Dialog = Awaited<ReturnType<typeof open>>;

async function fillIn(dialog: Dialog, email: string) {
  await fill(dialog.getByRole('textbox', { name: /First Name/ }), 'Nia');
  await fill(dialog.getByRole('textbox', { name: /Last Name/ }), 'Okafor');
  await fill(dialog.getByRole('textbox', { name: /Email/ }), email);
  await fill(await dialog.findByRole('textbox', { name: /Employee id/i }), 'E-90001');
}

test('adds and invites a person, then opens their page', async () => {
  const dialog = await open();
  await fillIn(dialog, 'nia.okafor@acme.test');
  await user.click(dialog.getByRole('button', { name: 'Add user' }));
  await screen.findByText('Invitation sent to nia.okafor@acme.test');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const { messages } = (await portal.call(readOutbox, { query: { to: 'nia.okafor@acme.test' } })).body;
  expect(messages).toHaveLength(1);
  expect(decodeMemberSegment(location.pathname.replace(paths.member(''), ''))).toMatchObject({
    primaryAttr: 'E-90001',
    fullName: 'Nia Okafor',
  });
  expect(location.search).toBe('?status=invited');
});

test('keeps users who can invite but not search on the current page', { tags: 'whole' }, async () => {
  await portal.lab.reset({
    seed: {
      organisations: [
        {
          code: 'acme',
          roles: [{ code: 'INVITER', name: 'Inviter', permissions: ['BULK_INVITE'] }],
          people: [{ email: 'inviter@acme.test', role: 'INVITER', devices: [{ type: 'mobile' as const }] }],
        },
      ],
    },
  });
  const dialog = await open('inviter@acme.test');
  await fillIn(dialog, 'nia.okafor@acme.test');
  await user.click(dialog.getByRole('button', { name: 'Add user' }));
  await screen.findByText('Invitation sent to nia.okafor@acme.test');
  await waitFor(() => expect(location.pathname + location.search).toBe('/manage-users'));
});

test('explains that members can’t be invited to an app that the organisation has disabled', {
  tags: 'whole',
}, async () => {
  await changeOrgLoginOptions(portal, { desktopAppEnabled: false });
  const dialog = await open();
  const off = await dialog.findByRole('option', { name: 'Desktop: Disabled for the whole organisation.' });
  expect(off).toHaveProperty('disabled', true);
  expect(dialog.getByRole('option', { name: 'Invite to the mobile app' })).toHaveProperty('disabled', false);
});

/** Returns a world in which Acme has disabled the mobile app and an administrator signs in with a computer. */
const withoutMobile = (desktopAppEnabled: boolean) => ({
  organisations: [
    {
      code: 'acme',
      loginOptions: { mobileAppEnabled: false, desktopAppEnabled },
      people: [{ email: 'super.admin@acme.test', role: 'SUPER_ADMIN', devices: [{ type: 'desktop' as const }] }],
    },
  ],
});

test('invites to the desktop app and explains the mobile switch if the mobile app is disabled', {
  tags: 'whole',
}, async () => {
  await portal.lab.reset({ seed: withoutMobile(true) });
  const dialog = await open();
  const choice = dialog.getByRole('combobox', { name: 'Invitation' });
  await waitFor(() => expect(choice).toHaveProperty('value', 'desktop'));
  const mobile = dialog.getByRole('switch', { name: 'Can use the mobile app' });
  expect([mobile.ariaChecked, mobile.ariaDisabled]).toEqual(['false', 'true']);
  expect(dialog.getByText('Disabled for the whole organisation.')).toBeTruthy();
  await fillIn(dialog, 'nia.okafor@acme.test');
  await user.click(dialog.getByRole('button', { name: 'Add user' }));
  await screen.findByText('Invitation sent to nia.okafor@acme.test');
});

test('keeps “Don’t invite yet” selected after the session has ended and resumed', { tags: 'whole' }, async () => {
  const dialog = await open();
  await fillIn(dialog, 'nia.okafor@acme.test');
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Invitation' }), "Don't invite yet");
  act(endSession);
  await screen.findByText('Signed out');
  const again = await portal.signIn('super.admin@acme.test');
  act(() => startSession(again));
  const restored = within(await screen.findByRole('dialog', { name: 'Add user' }));
  await waitFor(() => expect(restored.getByRole('textbox', { name: /First Name/ })).toHaveProperty('value', 'Nia'));
  expect(restored.getByRole('combobox', { name: 'Invitation' })).toHaveProperty('value', '');
});

test('shows an error under its field and keeps the input', { tags: 'whole' }, async () => {
  const dialog = await open();
  await fillIn(dialog, 'user@acme.test');
  await user.click(dialog.getByRole('button', { name: 'Add user' }));
  const email = dialog.getByRole('textbox', { name: /Email/ });
  await waitFor(() => expect(email.getAttribute('aria-invalid')).toBe('true'));
  expect(dialog.getByRole('textbox', { name: /First Name/ })).toMatchObject({ value: 'Nia' });
});

test('reports a missing permission to invite', async () => {
  const dialog = await open('user@acme.test');
  dialog.getByText("You don't have permission for this");
});
