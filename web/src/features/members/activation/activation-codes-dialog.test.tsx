import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getUser, type Member } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { paths } from '#paths.ts';
import { user } from '#testing.ts';
import ActivationCodesDialog from './activation-codes-dialog.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

/** Returns Mara Lindholm, who hasn't registered a device yet. */
async function newcomer(): Promise<Member> {
  const { token } = await portal.signIn('super.admin@acme.test');
  return (await portal.call(getUser, { query: { primaryAttr: 'E-11020' } }, { token })).body.profile;
}

const nothing = () => undefined;
const open = (member: Member, email = 'super.admin@acme.test') =>
  visitSignedIn(
    portal,
    email,
    paths.manageUsers,
    <ActivationCodesDialog member={member} isOpen onClose={nothing} onExitComplete={nothing} />,
  );

const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent);

// covers: spec 1.2.52
test('shows one tab per app with its code', async () => {
  await open(await newcomer());
  await screen.findByRole('dialog', { name: 'Generate activation codes' });
  expect(tabs()).toEqual(['Mobile', 'Desktop']);
  const mobile = within(await screen.findByRole('region', { name: 'Mobile activation code' }));
  mobile.getByText('Valid');
  await user.click(screen.getByRole('tab', { name: 'Desktop' }));
  const desktop = within(screen.getByRole('region', { name: 'Desktop activation code' }));
  await user.click(desktop.getByRole('button', { name: 'Generate' }));
  await waitFor(() => desktop.getByText('Valid'));
});

test('hides the desktop tab without permission for desktop codes', async () => {
  await open(await newcomer(), 'callcenter.admin@acme.test');
  await screen.findByRole('region', { name: 'Mobile activation code' });
  expect(tabs()).toEqual(['Mobile']);
});

test("lets the user retry if the code can't be loaded", { tags: 'whole' }, async () => {
  const member = await newcomer();
  await portal.lab.fault({ method: 'GET', path: '/user', times: 2 });
  await open(member);
  await screen.findByText('Something went wrong!');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('region', { name: 'Mobile activation code' });
});
