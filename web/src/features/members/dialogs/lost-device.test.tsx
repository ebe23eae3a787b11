import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { deleteDevice, getUser, readOutbox, replaceDevice } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { memberAddress } from '#lib/address/member-address.ts';
import { paths } from '#paths.ts';
import { chooseItem, user } from '#testing.ts';
import ManageUsersScreen from '../browse/manage-users-screen.tsx';
import { MemberScreen } from '../profile/member-detail.tsx';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';

let portal: TestPortal;
let suid: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ suid } = portal.device(USER));
});
afterEach(() => closePage(portal));

/** Returns Daniel Ortiz, whose only device is a phone. */
const daniel = async () => {
  const { token } = await portal.signIn(ADMIN);
  return (await portal.call(getUser, { query: { suid } }, { token })).body;
};

/** Finds a member and selects an item from the menu on their card. */
async function chooseFor(name: string, query: string, email = ADMIN) {
  await visitSignedIn(portal, email, `/manage-users?q=${query}`, <ManageUsersScreen />);
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await chooseItem(await screen.findByRole('menuitem', { name: 'Report device lost' }));
  return within(await screen.findByRole('alertdialog'));
}

// covers: spec 1.7.16, spec 1.8.8
test("reports a colleague's only phone lost and sends a new code in one dialog", async () => {
  const dialog = await chooseFor('Daniel Ortiz', 'daniel');
  await screen.findByRole('alertdialog', { name: 'Report Pixel 9a lost?' });
  expect(dialog.getByRole('checkbox', { name: `Email ${USER} a code for the next phone` })).toHaveProperty(
    'checked',
    true,
  );
  await user.click(dialog.getByRole('button', { name: 'Report lost and send code' }));
  await screen.findByRole('alertdialog', { name: 'Pixel 9a was reported lost' });
  const shown = dialog.getByRole('group', { name: /^activation code: \d{6}$/ }).getAttribute('aria-label');
  const { messages } = (await portal.call(readOutbox, { query: { to: USER } })).body;
  expect(shown).toBe(`activation code: ${messages[0]?.code}`);
  expect(dialog.getAllByRole('listitem')).toHaveLength(3);
  expect((await daniel()).devices).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

describe('if another administrator has already reported the device lost', () => {
  const zid = () => portal.device(USER).zid;
  const codes = async () => {
    const { messages } = (await portal.call(readOutbox, { query: { to: USER } })).body;
    return messages.flatMap(({ code }) => code ?? []);
  };

  test('shows that the device is gone and sends the latest code again', { tags: 'whole' }, async () => {
    const dialog = await chooseFor('Daniel Ortiz', 'daniel');
    const other = await portal.signIn('helpdesk.admin@acme.test');
    const body = { zid: zid(), suid, type: 'mobile' as const };
    expect((await portal.call(replaceDevice, { body }, { token: other.token })).body.resultCode).toBe(0);
    await user.click(dialog.getByRole('button', { name: 'Report lost and send code' }));
    await screen.findByRole('alertdialog', { name: 'Pixel 9a has already been removed' });
    dialog.getByText('All sessions signed in with it have ended.');
    await user.click(dialog.getByRole('button', { name: 'Send code' }));
    await screen.findByRole('alertdialog', { name: 'Activation code sent' });
    const [again, first] = await codes();
    expect(again).toBe(first);
    expect(dialog.getByRole('group', { name: `activation code: ${first}` })).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });

  test('offers a code even if the administrator had declined one', { tags: 'whole' }, async () => {
    const dialog = await chooseFor('Daniel Ortiz', 'daniel');
    const other = await portal.signIn('helpdesk.admin@acme.test');
    const body = { zid: zid(), suid, action: 'LOST_DEVICE' as const };
    expect((await portal.call(deleteDevice, { body }, { token: other.token })).body.resultCode).toBe(0);
    await user.click(dialog.getByRole('checkbox'));
    await user.click(dialog.getByRole('button', { name: 'Report lost' }));
    await screen.findByRole('alertdialog', { name: 'Pixel 9a has already been removed' });
    await user.click(dialog.getByRole('button', { name: 'Send code' }));
    await screen.findByRole('alertdialog', { name: 'Activation code sent' });
  });

  test('shows that nothing is left to do if no code can be sent', { tags: 'whole' }, async () => {
    const { token } = await portal.signIn('helpdesk.admin@acme.test');
    const dialog = await chooseFor('Grace Okonkwo', 'grace');
    const choice = dialog.getByRole<HTMLSelectElement>('combobox', { name: 'Lost device' });
    await user.selectOptions(choice, 'On call');
    const grace = portal.device('manager@acme.test').suid;
    const body = { zid: choice.value, suid: grace, action: 'LOST_DEVICE' as const };
    expect((await portal.call(deleteDevice, { body }, { token })).body.resultCode).toBe(0);
    await user.click(dialog.getByRole('button', { name: 'Report lost' }));
    await screen.findByRole('alertdialog', { name: 'On call has already been removed' });
    dialog.getByText(/^They can still sign in with .+/);
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });
});

// covers: spec 1.8.8
test('explains that the owner will need a code', async () => {
  const dialog = await chooseFor('Daniel Ortiz', 'daniel');
  await user.click(dialog.getByRole('checkbox'));
  dialog.getByText("They'll have no device left to sign in with and will need an activation code.");
  await user.click(dialog.getByRole('button', { name: 'Report lost' }));
  await screen.findByText('Pixel 9a was reported lost');
  expect((await portal.call(readOutbox, { query: { to: USER } })).body.messages).toHaveLength(1);
});

test('offers no code if another phone is left and explains how to use it', {
  tags: 'whole',
}, async () => {
  const dialog = await chooseFor('Grace Okonkwo', 'grace');
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Lost device' }), 'On call');
  dialog.getByText(/^They can still sign in with .+ and use it to add the next device\.$/);
});

async function openMember() {
  const { profile } = await daniel();
  await visitSignedIn(
    portal,
    ADMIN,
    memberAddress(paths.member, profile),
    <Routes>
      <Route path={paths.member(':id')} element={<MemberScreen />} />
    </Routes>,
  );
  return profile;
}

test('explains why no code can be generated while a phone is active', {
  tags: 'whole',
}, async () => {
  await openMember();
  await user.click(await screen.findByRole('button', { name: /^Activation codes/ }));
  const codes = within(await screen.findByRole('region', { name: 'Mobile activation code' }));
  codes.getByText(
    /^Daniel signs in with Pixel 9a and can use it to add another phone\. If the device is lost, report it lost first\./,
  );
  for (const name of ['Generate', 'Generate and email'])
    expect(codes.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
});

test('offers an activation code for a member without a device', { tags: 'whole' }, async () => {
  const before = await openMember();
  const panel = within(await screen.findByRole('region', { name: 'Connected devices' }));
  await user.click(await panel.findByRole('button', { name: 'More actions for Pixel 9a' }));
  await chooseItem(await screen.findByRole('menuitem', { name: 'Report lost' }));
  await user.click(await screen.findByRole('checkbox', { name: /^Email/ }));
  await user.click(screen.getByRole('button', { name: 'Report lost' }));
  await panel.findByText("Daniel can't sign in until they register a device with an activation code.");
  const codes = within(await screen.findByRole('region', { name: 'Mobile activation code' }));
  await user.click(codes.getByRole('button', { name: 'Generate and email' }));
  await screen.findByText(new RegExp(`A new code was sent to ${before.primaryEmail}`));
});
