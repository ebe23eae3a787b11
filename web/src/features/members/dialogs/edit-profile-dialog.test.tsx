import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getProfile } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { useModal } from '#lib/address/use-modal.ts';
import { fill, user } from '#testing.ts';
// Preload the lazy dialog and its editor so that the tests don't wait for them.
import './edit-profile-dialog.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

function Page() {
  const { open } = useModal();
  return (
    <button type="button" onClick={() => open('edit-profile')}>
      Edit profile
    </button>
  );
}

test('lets users edit their own name and email but not their role', { tags: 'whole' }, async () => {
  const { token } = await visitSignedIn(portal, 'user@acme.test', '/dashboard', <Page />);
  await user.click(screen.getByRole('button', { name: 'Edit profile' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit profile' }));
  expect(dialog.queryByRole('combobox')).toBeNull();
  const lastName = await dialog.findByRole('textbox', { name: /Last Name/ });
  expect(lastName).toMatchObject({ value: 'Ortiz' });
  await fill(lastName, 'Ortega');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Profile updated successfully');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await portal.call(getProfile, {}, { token })).body.profile.lastName).toBe('Ortega');
});

test('discards the input on cancel', { tags: 'whole' }, async () => {
  const { token } = await visitSignedIn(portal, 'user@acme.test', '/dashboard?modal=edit-profile', <Page />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit profile' }));
  await fill(await dialog.findByRole('textbox', { name: /First Name/ }), 'Dan');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await portal.call(getProfile, {}, { token })).body.profile.firstName).toBe('Daniel');
});
