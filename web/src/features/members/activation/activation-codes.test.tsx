import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import {
  type AuthState,
  deleteUser,
  getUser,
  LIMITS,
  type Member,
  readOutbox,
  regenerateActivationCode,
  searchUsers,
} from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeOrgLoginOptions, closePage, visitSignedIn } from '#layout/testing.tsx';
import { memberAddress } from '#lib/address/member-address.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { paths } from '#paths.ts';
import { tabTo, user, withPlainSpaces } from '#testing.ts';
import { MemberScreen } from '../profile/member-detail.tsx';

const ADMIN = 'super.admin@acme.test';
/** Mara Lindholm, who hasn't registered a device yet and has a valid mobile code. */
const NEWCOMER = 'E-11020';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const memberOf = async (primaryAttr: string, { token }: AuthState): Promise<Member> =>
  (await portal.call(getUser, { query: { primaryAttr } }, { token })).body.profile;

async function open(primaryAttr: string, email = ADMIN): Promise<AuthState> {
  const member = await memberOf(primaryAttr, await portal.signIn(ADMIN));
  const state = await visitSignedIn(
    portal,
    email,
    memberAddress(paths.member, member),
    <Routes>
      <Route path={paths.member(':id')} element={<MemberScreen />} />
    </Routes>,
  );
  await screen.findByRole('region', { name: 'Activation codes' });
  return state;
}

const codeOf = (app: 'Mobile' | 'Desktop') => within(screen.getByRole('region', { name: `${app} activation code` }));
const shownCode = (app: 'Mobile' | 'Desktop') =>
  codeOf(app).getByRole('group').getAttribute('aria-label')?.replace('activation code: ', '');

/** Returns the first unregistered demo member that meets a condition. */
async function newcomer(isWanted: (member: Member) => boolean): Promise<Member> {
  const { token } = await portal.signIn(ADMIN);
  const query = { q: 'acme', field: 'primaryEmail', status: 'unregistered', pageSize: 100 } as const;
  const found = (await portal.call(searchUsers, { query }, { token })).body.Items.find(isWanted);
  if (!found) throw new Error('The demo has no unregistered member that matches.');
  return found;
}

test('shows a valid code in groups with its expiry and copies it', async () => {
  const state = await open(NEWCOMER);
  const { activationCode, activationExpiry } = await memberOf(NEWCOMER, state);
  codeOf('Mobile').getByText('Valid');
  expect(shownCode('Mobile')).toBe(activationCode);
  codeOf('Mobile').getByText(new RegExp(`Valid until ${withPlainSpaces(formatDateTime(activationExpiry))}`));
  expect(codeOf('Mobile').getByRole('timer').textContent).toMatch(/^\d+ h \d+ min left$/);
  codeOf('Mobile').getByRole('button', { name: 'Copy activation code' });
});

async function replaceCode() {
  await user.click(codeOf('Mobile').getByRole('button', { name: 'New Code' }));
  await user.click(await screen.findByRole('button', { name: 'Replace code' }));
}

// covers: spec 1.4.28
test('replaces a valid code after confirmation', async () => {
  const state = await open(NEWCOMER);
  const before = shownCode('Mobile');
  await user.click(codeOf('Mobile').getByRole('button', { name: 'New Code' }));
  const confirmation = within(await screen.findByRole('alertdialog', { name: 'Replace the valid code?' }));
  await user.click(confirmation.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(shownCode('Mobile')).toBe(before);
  await replaceCode();
  await waitFor(() => expect(shownCode('Mobile')).not.toBe(before));
  expect(shownCode('Mobile')).toBe((await memberOf(NEWCOMER, state)).activationCode);
  expect(shownCode('Mobile')).toMatch(new RegExp(`^\\d{${LIMITS.activationCodeLength}}$`));
});

// covers: spec 1.3.11
test('generates a code if none exists', async () => {
  await open(NEWCOMER);
  codeOf('Desktop').getByText('No code has been generated yet.');
  const zeros = LIMITS.activationCodePlaceholder.slice(0, 3);
  expect(codeOf('Desktop').getAllByText(zeros)).toHaveLength(2);
  await user.click(codeOf('Desktop').getByRole('button', { name: 'Generate' }));
  await codeOf('Desktop').findByText('Valid');
  codeOf('Desktop').getByRole('button', { name: 'New Code' });
});

test('shows a hidden code as dots, and the placeholder if no code exists', async () => {
  await open(NEWCOMER, 'security.admin@acme.test');
  codeOf('Mobile').getByText('Valid');
  expect(codeOf('Mobile').getAllByText('•••')).toHaveLength(2);
  const zeros = LIMITS.activationCodePlaceholder.slice(0, 3);
  expect(codeOf('Mobile').queryByText(zeros)).toBeNull();
  codeOf('Desktop').getByText('No code has been generated yet.');
  expect(codeOf('Desktop').getAllByText(zeros)).toHaveLength(2);
});

test('hides the activation codes if the member was deleted after the page was opened', async () => {
  const { token } = await open(NEWCOMER);
  const { suid } = await memberOf(NEWCOMER, await portal.signIn(ADMIN));
  await portal.call(deleteUser, { body: { suid, org: 'acme' } }, { token });
  await replaceCode();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Activation codes' })).toBeNull());
  expect(document.body.textContent).toMatch(/Deleted|Member not found/);
});

// covers: spec 1.4.28
test('replaces an expired code', async () => {
  const { primaryAttr } = await newcomer(
    ({ activationExpired, activationExpiry }) => activationExpired && activationExpiry !== null,
  );
  await open(primaryAttr);
  codeOf('Mobile').getByText('Expired');
  expect(codeOf('Mobile').getAllByText('•••')).toHaveLength(2);
  await user.click(codeOf('Mobile').getByRole('button', { name: 'Generate' }));
  await codeOf('Mobile').findByText('Valid');
});

test('refetches a code that expires while displayed', { tags: 'whole' }, async () => {
  const state = await open(NEWCOMER);
  const { activationExpiry } = await memberOf(NEWCOMER, state);
  const left = Date.parse(activationExpiry ?? '') - portal.clock.now();
  portal.clock.advance(left / 1_000 - 3);
  await user.click(screen.getByRole('button', { name: 'Refresh devices' }));
  await codeOf('Mobile').findByText(/^\d s left$/);
  portal.clock.advance(3);
  await codeOf('Mobile').findByText('Expired');
});

test('explains a locked account and generates a new code', { tags: 'whole' }, async () => {
  const { primaryAttr } = await newcomer(({ activationLocked }) => activationLocked);
  await open(primaryAttr);
  const badge = codeOf('Mobile').getByText('Account Locked');
  await tabTo(badge.parentElement ?? badge);
  expect((await screen.findByRole('tooltip')).textContent).toBe(
    'Account possibly locked due to repeated wrong code attempts.',
  );
  await user.click(codeOf('Mobile').getByRole('button', { name: 'New Code' }));
  await codeOf('Mobile').findByText('Valid');
});

test('points users who can edit the member to Edit details for a forbidden app', async () => {
  const { primaryAttr } = await newcomer(({ hasPermissionForWindowsApp }) => !hasPermissionForWindowsApp);
  await open(primaryAttr);
  codeOf('Desktop').getByText('You can allow this app under Edit details');
  await user.click(screen.getByRole('button', { name: 'Edit details' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('switch', { name: 'Can use the desktop app' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await codeOf('Desktop').findByRole('button', { name: 'Generate' });
});

// covers: spec 1.6.10
test('refers other users to an administrator for a forbidden app', async () => {
  const { primaryAttr } = await newcomer(({ hasPermissionForWindowsApp }) => !hasPermissionForWindowsApp);
  await open(primaryAttr, 'callcenter.admin@acme.test');
  codeOf('Desktop').getByText('To enable this you can contact your Admin');
  expect(codeOf('Desktop').queryByRole('button')).toBeNull();
});

test('offers no code for an app that the organisation has disabled', { tags: 'whole' }, async () => {
  await changeOrgLoginOptions(portal, { desktopAppEnabled: false });
  await open(NEWCOMER);
  await codeOf('Desktop').findByText('Disabled for the whole organisation.');
  expect(codeOf('Desktop').queryByRole('button')).toBeNull();
  codeOf('Mobile').getByRole('button', { name: 'New Code' });
});

test('reports that emailing replaced a code that was about to expire', async () => {
  const { suid } = await memberOf(NEWCOMER, await open(NEWCOMER));
  const half = LIMITS.activationCodeLifetimeSeconds * 500;
  portal.deps.db.$client
    .prepare('UPDATE activation_codes SET issuedAt = @now - @half - 1, expiresAt = @now + @half - 1 WHERE suid = @suid')
    .run({ suid, half, now: portal.clock.now() });
  await user.click(codeOf('Mobile').getByRole('button', { name: 'Email code' }));
  await screen.findByText(
    'A new code was sent to mara.lindholm@acme.test. The previous one was about to expire and no longer works.',
  );
});

test('emails a valid code again and generates a missing code', async () => {
  await open(NEWCOMER);
  await replaceCode();
  await user.click(codeOf('Mobile').getByRole('button', { name: 'Email code' }));
  await screen.findByText('The valid code was sent to mara.lindholm@acme.test again');
  await user.click(codeOf('Desktop').getByRole('button', { name: 'Generate and email' }));
  await screen.findByText(/A new code was sent to mara.lindholm@acme.test/);
  await codeOf('Desktop').findByText('Valid');
  const { messages } = (await portal.call(readOutbox, { query: { to: 'mara.lindholm@acme.test' } })).body;
  expect(messages[0]?.code).toBe(shownCode('Desktop'));
});

// covers: spec 1.8.12
test('reports as information, not as an error, that the phone is already active', async () => {
  await open(NEWCOMER);
  const { activationCode } = await memberOf(NEWCOMER, await portal.signIn(ADMIN));
  const device = { name: 'Pixel 10', type: 'mobile', platform: 'Android 16' } as const;
  const email = 'mara.lindholm@acme.test';
  await portal.authenticator.activate({ orgCode: 'acme', email, activationCode, device });
  await replaceCode();
  await screen.findByText('User is already active');
});

// covers: spec 1.8.12
test("shows an error if the code can't be generated", async () => {
  await open(NEWCOMER);
  await portal.lab.fault({ method: 'POST', path: regenerateActivationCode.path });
  await replaceCode();
  await screen.findByText('Failed to generate activation code. Please try again');
});

test('offers no code for a disabled user', { tags: 'whole' }, async () => {
  await open('E-11207');
  await user.click(screen.getByRole('button', { name: 'Activation codes Enable this member first' }));
  const button = codeOf('Mobile').getByRole('button', { name: 'Generate' });
  await tabTo(button);
  expect((await screen.findByRole('tooltip')).textContent).toBe(
    'Enable this member before generating a code for them.',
  );
});

test("shows only the status of codes to users who can't generate them", async () => {
  await open(NEWCOMER, 'security.admin@acme.test');
  codeOf('Mobile').getByText('Valid');
  expect(codeOf('Mobile').queryByRole('group')).toBeNull();
  for (const app of ['Mobile', 'Desktop'] as const) {
    expect(
      codeOf(app)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['New Code']);
    expect(codeOf(app).getByRole('button').getAttribute('aria-disabled')).toBe('true');
  }
  await tabTo(codeOf('Mobile').getByRole('button'));
  expect((await screen.findByRole('tooltip')).textContent).toBe(
    "You can't generate this code. Contact your administrator.",
  );
});

test('offers only mobile codes to users with permission for mobile codes', { tags: 'whole' }, async () => {
  await open(NEWCOMER, 'callcenter.admin@acme.test');
  codeOf('Mobile').getByRole('button', { name: 'Email code' });
  expect(codeOf('Desktop').getByRole('button', { name: 'New Code' }).getAttribute('aria-disabled')).toBe('true');
});

test('offers only emailing a code if the member has more permissions than the user', { tags: 'whole' }, async () => {
  const { body } = await portal.call(
    searchUsers,
    { query: { q: 'marek.dvorak', field: 'primaryEmail' } },
    { token: (await portal.signIn(ADMIN)).token },
  );
  await open(body.Items[0]?.primaryAttr ?? '', 'helpdesk.admin@acme.test');
  await user.click(screen.getByRole('button', { name: /^Activation codes Not needed: signs in with/ }));
  const generate = codeOf('Desktop').getByRole('button', { name: 'New Code' });
  await tabTo(generate);
  expect((await screen.findByRole('tooltip')).textContent).toBe(
    "You can only email this code, because this person has permissions you don't.",
  );
  await user.click(codeOf('Desktop').getByRole('button', { name: 'Generate and email' }));
  await screen.findByText('A new code was sent to marek.dvorak@acme.test');
  await codeOf('Desktop').findByText('Valid');
  expect(codeOf('Desktop').queryByRole('group')).toBeNull();
});
