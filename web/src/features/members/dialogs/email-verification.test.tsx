import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getProfile, readOutbox } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const NEW = 'daniel.ortiz@acme.test';

test('changes the email address after the emailed code is entered', async () => {
  const { token } = await visitSignedIn(portal, 'user@acme.test', '/dashboard?modal=edit-profile', <p>Page</p>);
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit profile' }));
  await fill(await dialog.findByRole('textbox', { name: /Email/ }), NEW);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  const input = await dialog.findByRole('textbox', { name: 'Code from the email' });
  const { messages } = (await portal.call(readOutbox, { query: { to: NEW } })).body;
  await fill(input, messages[0]?.code ?? '');
  await waitFor(() => expect(dialog.queryByRole('textbox', { name: 'Code from the email' })).toBeNull());
  expect((await portal.call(getProfile, {}, { token })).body.profile.email).toBe(NEW);
});

test('rejects a wrong code, sends a new code and cancels the change', {
  tags: 'whole',
}, async () => {
  const { token, profile } = await visitSignedIn(
    portal,
    'user@acme.test',
    '/dashboard?modal=edit-profile',
    <p>Page</p>,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit profile' }));
  const email = await dialog.findByRole('textbox', { name: /Email/ });
  await fill(email, NEW);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  const input = await dialog.findByRole('textbox', { name: 'Code from the email' });
  const mailed = async () => (await portal.call(readOutbox, { query: { to: NEW } })).body.messages;
  const [{ code = '' } = {}] = await mailed();
  await fill(input, code === '000000' ? '111111' : '000000');
  await dialog.findByRole('alert');
  portal.clock.advance(60);
  await user.click(dialog.getByRole('button', { name: 'Resend code' }));
  await waitFor(async () => expect(await mailed()).toHaveLength(2));

  await user.click(dialog.getByRole('button', { name: 'Cancel change' }));
  await waitFor(() => expect(dialog.queryByRole('textbox', { name: 'Code from the email' })).toBeNull());
  expect((await portal.call(getProfile, {}, { token })).body.profile.email).toBe(profile.email);
  expect(dialog.getByRole('textbox', { name: /Email/ })).toHaveProperty('value', profile.email);
});
