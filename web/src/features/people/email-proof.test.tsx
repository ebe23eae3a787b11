import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getProfile, readOutbox } from '@orchestrate/shared';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leave, visitSignedIn } from '../../layout/testing.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => leave(portal));

const NEW = 'daniel.ortiz@acme.test';

test('a new address is one’s own with the code from the mail', { timeout: 60_000 }, async () => {
  const { token } = await visitSignedIn(portal, 'user@acme.test', '/dashboard?modal=edit-profile', <p>Page</p>);
  const patience = { timeout: 20_000 };
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit profile' }, patience));
  fireEvent.change(await dialog.findByRole('textbox', { name: /Email/ }, patience), { target: { value: NEW } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save changes' }));
  const input = await dialog.findByRole('textbox', { name: 'Code from the e-mail' }, patience);
  const { messages } = (await portal.call(readOutbox, { query: { to: NEW } })).body;
  fireEvent.change(input, { target: { value: messages[0]?.code ?? '' } });
  await waitFor(() => expect(dialog.queryByRole('textbox', { name: 'Code from the e-mail' })).toBeNull(), patience);
  expect((await portal.call(getProfile, {}, { token })).body.profile.email).toBe(NEW);
});
