import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getLoginHistory, getProfile, getUser, type LoginRecord } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { user } from '#testing.ts';
import { DisownButton, DisownDialogs } from './login-history-screen.tsx';

/** Renders a history entry together with its dialogs, which are outside the list. */
function Disowning({ record }: { record: LoginRecord }) {
  const [disowned, setDisowned] = useState<LoginRecord>();
  return (
    <>
      <DisownButton record={record} onAsk={setDisowned} />
      <DisownDialogs record={disowned} onClose={() => setDisowned(undefined)} />
    </>
  );
}

const MANAGER = 'manager@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

test('ends the sessions of a reported sign-in and offers to report the device lost', async () => {
  const intruder = await portal.signIn(MANAGER);
  const { body } = await portal.call(getLoginHistory, { query: { count: 1 } }, { token: intruder.token });
  const [record] = body.records;
  if (!record) throw new Error('There is no sign-in.');
  const { token, profile } = await visitSignedIn(portal, MANAGER, '/dashboard', <Disowning record={record} />);
  await user.click(await screen.findByRole('button', { name: "It wasn't me" }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('Your administrators are notified.');
  await user.click(within(dialog).getByRole('button', { name: "It wasn't me" }));
  const next = await screen.findByRole('dialog', { name: 'The sign-in has ended' });
  expect((await portal.call(getProfile, {}, { token: intruder.token })).status).toBe(401);
  expect((await portal.call(getProfile, {}, { token })).status).toBe(200);
  // The reported sign-in used this session's device, which can't be paused. Reporting the device lost signs the user
  // out.
  expect(within(next).queryByRole('button', { name: 'Pause it' })).toBeNull();
  await user.click(within(next).getByRole('button', { name: 'Report it lost' }));
  await waitFor(async () => expect((await portal.call(getProfile, {}, { token })).status).toBe(401));
  const admin = await portal.signIn('super.admin@acme.test');
  const { devices } = (await portal.call(getUser, { query: { suid: profile.suid } }, { token: admin.token })).body;
  expect(devices.map(({ zid }) => zid)).not.toContain(profile.zid);
});

test('pauses the device of a reported sign-in, and keeps the report in the history', { tags: 'whole' }, async () => {
  const ADMIN = 'super.admin@acme.test';
  const { token } = await portal.signIn(ADMIN);
  const history = async () => (await portal.call(getLoginHistory, { query: { count: 20 } }, { token })).body.records;
  const record = (await history()).find(({ deviceType }) => deviceType === 'desktop');
  if (!record) throw new Error('There is no sign-in with the computer.');
  const { profile } = await visitSignedIn(portal, ADMIN, '/dashboard', <Disowning record={record} />);
  await user.click(await screen.findByRole('button', { name: "It wasn't me" }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: "It wasn't me" }));
  const next = await screen.findByRole('dialog', { name: 'The sign-in has ended' });
  await user.click(within(next).getByRole('button', { name: 'Pause it' }));
  await screen.findByText(/ was paused$/);
  const { devices } = (await portal.call(getUser, { query: { suid: profile.suid } }, { token })).body;
  expect(devices.find(({ type }) => type === 'desktop')?.status).toBe('paused');
  expect((await history()).find(({ id }) => id === record.id)?.isDisowned).toBe(true);
});
