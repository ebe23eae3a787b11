import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import {
  type AuthState,
  codeOf,
  getActivationCode,
  LIMITS,
  readQrAddress,
  regenerateActivationCode,
} from '@orchestrate/shared';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeOrgLoginOptions, closePage, visitSignedIn } from '#layout/testing.tsx';
import { updateProfile } from '#lib/session/session.ts';
import { fill, user } from '#testing.ts';
import OwnDevices from './own-devices.tsx';

let portal: TestPortal;
beforeEach(async () => {
  sessionStorage.clear();
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const TABLET = { name: 'Pixel Tablet', type: 'mobile', platform: 'Android 16' } as const;

/** Opens the dialog for a user with two devices. */
const open = (email = 'helpdesk.admin@acme.test'): Promise<AuthState> =>
  visitSignedIn(portal, email, '/dashboard?modal=add-device', <OwnDevices />);

const click = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }));
const chooseTab = async (name: string) => user.click(await screen.findByRole('tab', { name }));
const station = () => document.querySelector('[aria-current=step]')?.textContent;

async function scannedCode(): Promise<string> {
  const link = (await screen.findByRole('img', { name: 'QR code to add a device' })).dataset.qr ?? '';
  const payload = readQrAddress(link);
  return payload?.kind === 'add-device' ? payload.aid : '';
}

const typedCode = async () =>
  (await screen.findByRole('img', { name: /^Code to add a device/ })).textContent?.replaceAll(' ', '') ?? '';

const connect = (aid: string, name: string = TABLET.name) =>
  portal.authenticator.pair({ orgCode: 'acme', aid, device: { ...TABLET, name } });
const verification = () => screen.findByRole('textbox', { name: 'Verification code' });
const verify = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Verify' });

// covers: spec 1.2.48, spec 1.6.10
test('offers only apps that the user can use', async () => {
  const { profile } = await open();
  act(() => updateProfile({ ...profile, hasPermissionForWindowsApp: false }));
  const desktop = await screen.findByRole('button', { name: /^Desktop/ });
  expect(desktop.textContent).toBe('DesktopYou can allow this app for yourself in Manage Users, under Edit details');
  expect(desktop.getAttribute('aria-disabled')).toBe('true');
  await user.click(desktop);
  expect(screen.queryByRole('tab')).toBeNull();
  await click(/^Mobile/);
  await screen.findByRole('tab', { name: 'Scan' });
});

test('shows an app as off, with the reason, if the organisation has disabled it', { tags: 'whole' }, async () => {
  await changeOrgLoginOptions(portal, { desktopAppEnabled: false });
  await open();
  const desktop = await screen.findByRole('button', { name: /^Desktop\s?Disabled for the whole organisation\.$/ });
  expect(desktop.getAttribute('aria-disabled')).toBe('true');
  await user.click(desktop);
  expect(screen.queryByRole('tab')).toBeNull();
});

test('shows only the reason if an app is disabled after being offered', {
  tags: 'whole',
}, async () => {
  const { token } = await open();
  const desktop = await screen.findByRole('button', { name: /^Desktop/ });
  await changeOrgLoginOptions(portal, { desktopAppEnabled: false });
  await user.click(desktop);
  await screen.findByRole('heading', { name: 'Disabled for the whole organisation.' });
  expect(screen.queryByRole('tab')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(screen.queryByRole('region', { name: 'Activation code' })).toBeNull();
  expect((await portal.call(getActivationCode, {}, { token })).body.activationExpiry).toBeNull();
  await click('Choose another device type');
  await screen.findByRole('button', { name: /^Mobile/ });
});

// covers: spec 1.4.14
test('adds a scanned device after confirmation, and lists it', async () => {
  await open();
  await click(/^Mobile/);
  const pairing = await connect(await scannedCode());
  await screen.findByRole('heading', { name: 'Pixel Tablet wants to be added' });
  screen.getByText('Waiting for consent');
  expect(station()).toBe('2Confirm');

  await click('Yes, add device');
  await screen.findByRole('heading', { name: 'Pixel Tablet was added' });
  expect(station()).toContain('Done');
  expect((await portal.authenticator.pairStatus(pairing)).status).toBe('complete');
  await click('Done');
  await screen.findByRole('row', { name: /^Pixel Tablet/ });
});

test('displays a device name that contains markup literally', async () => {
  await open();
  await click(/^Mobile/);
  await connect(await scannedCode(), 'Pixel <b>9</b> <0>a</0> <1/>');
  await screen.findByRole('heading', { name: 'Pixel <b>9</b> <0>a</0> <1/> wants to be added' });
});

// covers: spec 1.4.13
test('notifies the device when it is rejected, then shows a new code', async () => {
  await open();
  await click(/^Mobile/);
  const first = await scannedCode();
  const pairing = await connect(first);
  await click('No');
  await screen.findByRole('heading', { name: 'Cancelled' });
  await waitFor(async () =>
    expect((await portal.authenticator.pairStatus(pairing)).resultCode).toBe(codeOf('ADD_DEVICE_NO_CONSENT')),
  );
  expect(await scannedCode()).not.toBe(first);
});

// covers: spec 1.4.19
test('adds a device by typed code, two verification characters and Enter', async () => {
  await open();
  await click(/^Mobile/);
  await chooseTab('Type code');
  const { verificationCode = '' } = await connect(await typedCode());
  const input = await verification();
  expect(verify().disabled).toBe(true);
  await fill(input, verificationCode.charAt(0));
  expect(verify().disabled).toBe(true);
  await fill(input, verificationCode);
  expect(verify().disabled).toBe(false);
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: 'Pixel Tablet was added' });
});

test('resumes after a reload with the same code and the connected device', async () => {
  await open();
  await click(/^Mobile/);
  const code = await scannedCode();
  cleanup();
  await open();
  expect(await scannedCode()).toBe(code);
  await connect(code);
  await screen.findByRole('heading', { name: 'Pixel Tablet wants to be added' });
  cleanup();
  await open();
  await screen.findByRole('heading', { name: 'Pixel Tablet wants to be added' });
  await click('Yes, add device');
  await screen.findByRole('heading', { name: 'Pixel Tablet was added' });
  cleanup();
  await open();
  await screen.findByRole('button', { name: /^Mobile/ });
});

// covers: spec 1.8.5
test('fails on a wrong verification code, and retries with a new code', async () => {
  await open();
  await click(/^Mobile/);
  await chooseTab('Type code');
  const first = await typedCode();
  const { verificationCode } = await connect(first);
  await fill(await verification(), verificationCode === 'ZZ' ? 'YY' : 'ZZ');
  await user.click(verify());
  await screen.findByRole('heading', { name: 'Failed to add device' });
  expect((await screen.findByRole('alert')).textContent).toBe('Invalid validation code');
  await click('Retry');
  expect(await typedCode()).not.toBe(first);
});

// covers: spec 1.2.48, spec 1.4.21
test('fetches a code for each tab, and starts over when the tab changes', async () => {
  await open();
  await click(/^Mobile/);
  const scanned = await scannedCode();
  const pairing = await connect(scanned);
  await screen.findByRole('heading', { name: 'Pixel Tablet wants to be added' });
  await chooseTab('Type code');
  // The pending device is rejected rather than left waiting.
  await waitFor(async () =>
    expect((await portal.authenticator.pairStatus(pairing)).resultCode).toBe(codeOf('ADD_DEVICE_NO_CONSENT')),
  );
  expect(await typedCode()).toMatch(/^[2-9A-Z]{8}$/);
  expect(station()).toBe('1Connect');
  await chooseTab('Scan');
  expect(await scannedCode()).not.toBe(scanned);
});

// covers: spec 1.4.16
test('dims an expired code and renews it with one click', async () => {
  await open();
  await click(/^Mobile/);
  const first = await scannedCode();
  // The server reports the expiry only once the channel is open, so keep checking until it has arrived.
  await waitFor(() => {
    portal.clock.advance(LIMITS.addDeviceConfirmSeconds + 1);
    expect(screen.getByText('This code has expired.')).toBeTruthy();
  });
  await click('Get a new code');
  expect(await scannedCode()).not.toBe(first);
});

// covers: spec 1.4.10, spec 1.8.4
test('shows a message and a Close button at the device limit', async () => {
  await open('security.admin@acme.test');
  await click(/^Mobile/);
  await screen.findByRole('heading', { name: 'Device limit reached' });
  // The dialog's × button has the same name but comes later in the document, so click the first.
  await user.click(within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' })[0] ?? document.body);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test("explains why a code can't be fetched, and retries", { tags: 'whole' }, async () => {
  await open();
  await portal.lab.fault({ method: 'POST', path: '/device/add' });
  await click(/^Mobile/);
  await screen.findByText('Something went wrong!');
  await click('Retry');
  expect(await scannedCode()).toBeTruthy();
});

// covers: spec 1.4.29
test('also shows a desktop activation code, and generates one if there is none', async () => {
  const { token } = await open();
  await click(/^Desktop/);
  const shown = await screen.findByLabelText(/^activation code: \d{6}$/);
  const { body } = await portal.call(getActivationCode, {}, { token });
  expect(shown.getAttribute('aria-label')).toBe(`activation code: ${body.activationCode}`);
  screen.getByRole('button', { name: 'Copy activation code' });
});

test('keeps displaying an activation code that is still valid', { tags: 'whole' }, async () => {
  const state = await portal.signIn('helpdesk.admin@acme.test');
  const { body } = await portal.call(
    regenerateActivationCode,
    { body: { email: state.profile.email, primaryAttr: state.profile.primaryAttr, sendEmail: false, type: 'desktop' } },
    { token: state.token },
  );
  await open();
  await click(/^Desktop/);
  await screen.findByLabelText(`activation code: ${body.activationCode}`);
});

test('rejects a waiting device when the dialog is closed', { tags: 'whole' }, async () => {
  await open();
  await click(/^Mobile/);
  const pairing = await connect(await scannedCode());
  await screen.findByRole('heading', { name: 'Pixel Tablet wants to be added' });
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(async () =>
    expect((await portal.authenticator.pairStatus(pairing)).resultCode).toBe(codeOf('ADD_DEVICE_NO_CONSENT')),
  );
});

// covers: spec 1.4.27
test('shows a locked account until a new code is requested', async () => {
  const { profile, token } = await portal.signIn('helpdesk.admin@acme.test');
  const body = { email: profile.email, primaryAttr: profile.primaryAttr, sendEmail: false, type: 'desktop' } as const;
  const { activationCode } = (await portal.call(regenerateActivationCode, { body }, { token })).body;
  const wrong = activationCode === '111111' ? '222222' : '111111';
  for (let tries = 0; tries < LIMITS.activationCodeTries; tries += 1) {
    const device = { name: 'ThinkPad', type: 'desktop', platform: 'Linux' } as const;
    const request = { orgCode: 'acme', email: profile.email, activationCode: wrong, device };
    await expect(portal.authenticator.activate(request)).rejects.toThrow();
  }
  await open();
  await click(/^Desktop/);
  const badge = await screen.findByText('Account Locked');
  await user.hover(badge);
  await screen.findByText('Account possibly locked due to repeated wrong code attempts.');
  await click('New Code');
  await screen.findByLabelText(/^activation code: \d{6}$/);
});

test('adds a computer from a remembered browser with one approval on a device', async () => {
  const { profile } = await open();
  portal.deps.db.$client.prepare("UPDATE sessions SET mode = 'COOKIE' WHERE suid = ?").run(profile.suid);
  await click(/^Desktop/);
  const dialog = await screen.findByRole('dialog', { name: 'Approve on your phone' });
  const number = /choose (\d\d)/.exec(dialog.textContent ?? '')?.[1] ?? '';
  const phone = portal.device(profile.email, 'mobile');
  const waiting = await portal.authenticator.pending(phone);
  expect(waiting.map(({ statement }) => statement)).toEqual(['Add a device to your account']);
  const challengeId = waiting[0]?.challengeId ?? '';
  await portal.authenticator.respond(phone, { challengeId, decision: 'approve', number });
  await screen.findByRole('img', { name: 'QR code to add a device' });
  await screen.findByRole('button', { name: 'Copy activation code' });
  await chooseTab('Type code');
  await typedCode();
  expect(await portal.authenticator.pending(phone)).toEqual([]);
});

test('reports a missing approval, and requests it again on retry', async () => {
  const { profile } = await open();
  portal.deps.db.$client.prepare("UPDATE sessions SET mode = 'OIDC' WHERE suid = ?").run(profile.suid);
  await click(/^Mobile/);
  await screen.findByRole('dialog', { name: 'Approve on your phone' });
  await click('Cancel');
  await screen.findByText("This wasn't approved. Nothing was changed.");
  await click('Retry');
  await screen.findByRole('dialog', { name: 'Approve on your phone' });
});

test('explains how a new device can approve changes, with the request number', async () => {
  const { profile } = await open();
  await click(/^Mobile/);
  await connect(await scannedCode());
  await click('Yes, add device');
  await screen.findByRole('heading', { name: 'Pixel Tablet was added' });
  const [waiting] = await portal.authenticator.pending(portal.device(profile.email, 'mobile'));
  const note = await screen.findByText(/^To approve changes with this device now, choose \d\d on your other device/);
  expect(waiting?.numberChoices).toContain(/choose (\d\d)/.exec(note.textContent ?? '')?.[1]);
});
