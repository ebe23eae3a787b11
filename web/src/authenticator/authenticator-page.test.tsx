import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import {
  addDevice,
  addDeviceLive,
  configureSession,
  getSessionSettings,
  getUser,
  login,
  loginState,
  manageDevice,
  qrAddress,
  regenerateActivationCode,
  testDevice,
  virtualDevices,
} from '@orchestrate/shared';
import { deviceOfVirtual } from '@orchestrate/shared/authenticator';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { visit } from '#layout/testing.tsx';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { fill, user } from '#testing.ts';
import { addAccount, readPhone } from './phone/phone-storage.ts';

const USER = 'user@acme.test';
const loadPage = () => import('./authenticator-page.tsx');
const AuthenticatorPage = lazyPart(loadPage);

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
  // The phone is connected to the portal that served its page.
  visit(portal, '/', null);
  await loadPage();
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.lab.reset();
});

/** Adds the seeded devices of these users to the phone, and opens the phone's page at a path. */
async function open(path = '/authenticator', ...people: string[]) {
  visit(
    portal,
    '/',
    <Suspense>
      <Routes>
        <Route path="/authenticator" element={<AuthenticatorPage />} />
        <Route path="/" element={null} />
      </Routes>
    </Suspense>,
  );
  for (const email of people) addAccount(portal.device(email));
  act(() => {
    window.history.pushState(null, '', path);
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await screen.findByText('Authenticator', { selector: 'h1' });
}

async function beginSignIn(mode: 'QID' | 'DID' | 'PUSH') {
  const primaryAttr = mode === 'PUSH' ? { primaryAttr: USER } : {};
  const { body } = await portal.call(login, { body: { orgCode: 'acme', mode, ...primaryAttr } });
  const { loginId = '', qid = '', did = '', matchNumber = '' } = body;
  const state = async () => (await portal.call(loginState, { params: { loginId } })).body.state;
  return { qid, did, matchNumber, state };
}

const qrPath = (address: string) => new URL(address).pathname + new URL(address).search;
const signInPath = (qidCode: string) =>
  qrPath(qrAddress(`${portal.url}/authenticator`, { kind: 'sign-in', orgCode: 'acme', qidCode }));

const press = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }));
const type = async (name: string, value: string) => fill(await screen.findByRole('textbox', { name }), value);
const dialogShows = (text: string) => waitFor(() => expect(screen.getByRole('dialog').textContent).toContain(text));

test('finds a demo user by role and adds the account to the phone', { tags: 'whole' }, async () => {
  await open();
  await press(/Use a demo device/);
  await fill(await screen.findByRole('searchbox', { name: 'Search demo devices' }), 'call center noor');
  const list = within(screen.getByRole('list', { name: 'Demo devices' }));
  expect(list.getAllByRole('listitem')).toHaveLength(1);
  await user.click(list.getByRole('button', { name: /callcenter\.admin@acme\.test/ }));

  await dialogShows('This phone is ready');
  await press('Done');
  await screen.findByRole('button', { name: /Acme Corporation.*callcenter\.admin@acme\.test/ });
  expect(readPhone().accounts).toMatchObject([{ email: 'callcenter.admin@acme.test', orgCode: 'acme' }]);
});

test('receives a push sign-in and approves it with the number displayed in the browser', async () => {
  await open('/authenticator', USER);
  const { matchNumber, state } = await beginSignIn('PUSH');

  const sheet = await screen.findByRole('dialog', { name: /^Sign in to / });
  await waitFor(() => expect(sheet.contains(document.activeElement)).toBe(true));
  expect(document.activeElement?.tagName).not.toBe('BUTTON');
  const approve = within(sheet).getByRole('button', { name: 'Approve' });
  expect(approve.hasAttribute('disabled')).toBe(true);
  await user.click(within(sheet).getByRole('radio', { name: matchNumber }));
  await user.click(approve);

  await dialogShows('Approved');
  expect(await state()).toBe('success');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('rejects a sign-in with the wrong number and shows the outcome', async () => {
  await open('/authenticator', USER);
  const { matchNumber, state } = await beginSignIn('PUSH');
  const choices = await screen.findAllByRole<HTMLInputElement>('radio');
  const wrong = choices.find(({ value }) => value !== matchNumber);
  if (wrong) await user.click(wrong);
  await press('Approve');

  await dialogShows('Wrong number');
  expect(await state()).toBe('rejected');
});

test('denies a request with a reason', async () => {
  await open('/authenticator', USER);
  const { state } = await beginSignIn('PUSH');
  await press('Deny');
  await press("It wasn't me");

  await dialogShows('Denied and reported');
  expect(await state()).toBe('rejected');
});

test('keeps a dismissed request on its account, and shows when the request is no longer pending', {
  tags: 'whole',
}, async () => {
  await open('/authenticator', USER);
  const { state } = await beginSignIn('PUSH');
  const sheet = await screen.findByRole('dialog');
  await waitFor(() => expect(sheet.contains(document.activeElement)).toBe(true));
  await user.keyboard('{Escape}');
  await press(/^Sign in to Acme/);
  await screen.findByRole('dialog', { name: /^Sign in to / });
  expect(await state()).toBe('pending');

  const [waiting] = await portal.authenticator.pending(portal.device(USER));
  await portal.authenticator.respond(portal.device(USER), {
    challengeId: waiting?.challengeId ?? '',
    decision: 'deny',
  });
  await dialogShows('No longer pending');
});

test('opens the request for a typed code, and shows an error for a wrong code', async () => {
  await open('/authenticator', USER);
  await press('Type code');
  await type('Code', 'ZZZZ9999');
  await screen.findByText(/This code is wrong or has expired/);

  const { did, state } = await beginSignIn('DID');
  await type('Code', did.toLowerCase());
  await press('Approve');
  await dialogShows('Approved');
  expect(await state()).toBe('success');
});

test('focuses a field only in sheets meant for typing', { tags: 'whole' }, async () => {
  await open('/authenticator', USER);
  await press('Type code');
  const code = await screen.findByRole('textbox', { name: 'Code' });
  await waitFor(() => expect(document.activeElement).toBe(code));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  for (const [option, field] of [
    [/^Activation code/, 'Email'],
    [/^Type an add-device code/, 'Add-device code'],
  ] as const) {
    await press('Add an account');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('dialog')));
    await press(option);
    const first = await screen.findByRole('textbox', { name: field });
    await waitFor(() => expect(document.activeElement).toBe(first));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

test('opens a QR link once with the only account, and not again after a reload', {
  tags: 'whole',
}, async () => {
  const { qid, state } = await beginSignIn('QID');
  await open(signInPath(qid), USER);
  await screen.findByRole('dialog', { name: /^Sign in to / });
  expect(window.location.search).toBe('');
  await press('Approve');
  await dialogShows('Approved');
  expect(await state()).toBe('success');
});

test('asks which account to use if the organisation has several on the phone', { tags: 'whole' }, async () => {
  const { qid } = await beginSignIn('QID');
  await open(signInPath(qid), USER, 'manager@acme.test', 'admin@globex.test');
  const sheet = within(await screen.findByRole('dialog', { name: 'Which account do you want to use?' }));
  expect(sheet.queryByText('admin@globex.test')).toBeNull();
  await user.click(sheet.getByRole('button', { name: /manager@acme\.test/ }));
  await screen.findByRole('dialog', { name: /^Sign in to / });
});

test('answers a scanned code with an account added for it', { tags: 'whole' }, async () => {
  const { qid } = await beginSignIn('QID');
  await open(signInPath(qid), 'admin@globex.test');
  await screen.findByRole('dialog', { name: 'No account for Acme Corporation on this phone' });
  await press(/Use a demo device/);
  const list = within(await screen.findByRole('list', { name: 'Demo devices' }));
  expect(list.queryByText('Globex')).toBeNull();
  await user.click((await list.findAllByRole('button', { name: /user@acme\.test/ }))[0] ?? document.body);
  await screen.findByRole('dialog', { name: /^Sign in to / });
});

test('shows Expired for a used link', async () => {
  await open(signInPath('a-qid-of-long-ago'), USER);
  await dialogShows('Expired');
});

test('registers the phone with an activation code, and shows an error for a wrong code', async () => {
  const { token, profile } = await portal.signIn(USER);
  const { body } = await portal.call(
    regenerateActivationCode,
    { body: { email: USER, primaryAttr: profile.primaryAttr, sendEmail: false, type: 'desktop' } },
    { token },
  );
  await open();
  await press(/^Activation code/);
  await type('Organisation code', 'acme');
  await type('Email', USER);
  await type('Device name', 'Laptop of mine');
  await user.click(screen.getByRole('radio', { name: 'Desktop' }));
  await type('Activation code', body.activationCode === '000000' ? '000001' : '000000');
  await press('Activate');
  await screen.findByText('The activation code is not correct.');

  await type('Activation code', body.activationCode);
  await press('Activate');
  await dialogShows('This phone is ready');
  const { devices } = (await portal.call(getUser, { query: {} }, { token })).body;
  expect(devices.map(({ name }) => name)).toContain('Laptop of mine');
});

test('pairs with a typed add-device code, and displays two characters to enter in the portal', async () => {
  const { token, profile } = await portal.signIn(USER);
  const { suid } = profile;
  const { aid } = (await portal.call(addDevice, { body: { suid, type: 'DID', mode: 'mobile' } }, { token })).body;
  const channel = await portal.open(addDeviceLive, { suid, aid }, { token });
  await open();
  await press(/Type an add-device code/);
  await type('Organisation code', 'acme');
  await type('Add-device code', aid);
  await press('Connect');
  const shown = (await screen.findByLabelText(/^Verification code/)).textContent ?? '';
  expect(shown).toHaveLength(2);
  expect(readPhone().pairing?.verificationCode).toBe(shown);

  channel.send({
    action: 'add-device',
    type: 'confirm',
    aid,
    confirm: 'yes',
    timestamp: portal.clock.iso(),
    validationCode: shown,
  });
  await dialogShows('This phone is ready');
  expect(readPhone()).toMatchObject({ accounts: [{ email: USER, orgCode: 'acme' }], pairing: null });
  await channel.close();
});

test('adds no account if a scanned add-device code is cancelled in the portal', {
  tags: 'whole',
}, async () => {
  const { token, profile } = await portal.signIn(USER);
  const { suid } = profile;
  const { aid } = (await portal.call(addDevice, { body: { suid, type: 'QID', mode: 'mobile' } }, { token })).body;
  const channel = await portal.open(addDeviceLive, { suid, aid }, { token });
  await open(qrPath(qrAddress(`${portal.url}/authenticator`, { kind: 'add-device', orgCode: 'acme', aid })));
  await press('Connect');
  await screen.findByText('Waiting for the portal');

  channel.send({ action: 'add-device', type: 'confirm', aid, confirm: 'no', timestamp: portal.clock.iso() });
  await dialogShows('Cancelled');
  expect(readPhone()).toEqual({ accounts: [], pairing: null, pin: null });
  await channel.close();
});

test('completes a device test with its code', async () => {
  const { token } = await portal.signIn(USER);
  const { qid } = (await portal.call(testDevice, { params: { orgCode: 'acme' } }, { token })).body;
  await open(
    qrPath(qrAddress(`${portal.url}/authenticator`, { kind: 'test-device', orgCode: 'acme', qidCode: qid })),
    USER,
  );
  await dialogShows('This device works');
});

test('shows that a device is paused, and removes its account', { tags: 'whole' }, async () => {
  const { token, profile } = await portal.signIn('manager@acme.test');
  const { devices } = (await portal.call(virtualDevices, { query: {} })).body;
  const spare = devices.find(
    ({ suid, zid, type }) => suid === profile.suid && zid !== profile.zid && type === 'mobile',
  );
  const account = spare && deviceOfVirtual(spare);
  if (!account) throw new Error('The seeded manager has no second phone');
  await open();
  addAccount(account);
  const { zid, suid } = account;
  await portal.call(manageDevice, { body: { zid, suid, action: 'pause' } }, { token });
  await screen.findByText('This device is paused');

  await press(/^Acme Corporation/);
  await dialogShows('Enable it in the portal, then try again.');
  await press('Remove from this phone');
  await press('Remove account');
  await waitFor(() => expect(readPhone().accounts).toEqual([]));
});

test('opens the activation form for a new member', async () => {
  await open('/authenticator?activate=globex');
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Organisation code' });
  expect(field.value).toBe('globex');
  expect(window.location.search).toBe('');
});

test('requires the app PIN to approve under app lock, and sets it up on first use', {
  tags: 'whole',
}, async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { body: settings } = await portal.call(getSessionSettings, {}, { token });
  await portal.call(configureSession, { body: { ...settings, appLockEnabled: true } }, { token });
  const first = await beginSignIn('QID');
  await open(signInPath(first.qid), USER);
  await press('Approve');
  await type('New PIN', '482913');
  await type('Confirm new PIN', '482914');
  await dialogShows("The PINs didn't match. Choose a PIN again.");
  await type('New PIN', '482913');
  await type('Confirm new PIN', '482913');
  await waitFor(async () => expect(await first.state()).toBe('success'));
  expect(JSON.stringify(readPhone())).not.toContain('482913');

  const second = await beginSignIn('QID');
  act(() => {
    window.history.pushState(null, '', signInPath(second.qid));
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await press('Approve');
  await type('App PIN', '111111');
  await dialogShows('Wrong PIN. 4 attempts left.');
  expect(await second.state()).toBe('pending');
  await type('App PIN', '482913');
  await waitFor(async () => expect(await second.state()).toBe('success'));
});

test('lists the requests that were answered on this phone, and forgets them with the account', async () => {
  await open('/authenticator', USER);
  await screen.findByText('Requests that you approve or deny on this phone appear here.');
  const { matchNumber } = await beginSignIn('PUSH');
  const sheet = await screen.findByRole('dialog', { name: /^Sign in to / });
  await user.click(within(sheet).getByRole('radio', { name: matchNumber }));
  await user.click(within(sheet).getByRole('button', { name: 'Approve' }));
  await dialogShows('Approved');
  await press('Done');
  const history = within(await screen.findByRole('region', { name: 'Recent requests', hidden: true }));
  const [row] = await history.findAllByRole('listitem', { hidden: true });
  expect(row?.textContent).toMatch(/^Sign-in to Acme CorporationApproved.*just now$/);
  expect(localStorage.getItem('orchestrate.authenticator-history')).not.toContain(`"${matchNumber}"`);

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press(/Acme Corporation.*user@acme\.test/);
  await press('Remove from this phone');
  await press('Remove account');
  await waitFor(() => expect(localStorage.getItem('orchestrate.authenticator-history')).toBeNull());
});
