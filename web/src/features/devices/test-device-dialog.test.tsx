import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { LIMITS, nameDevice, readQrAddress } from '@orchestrate/shared';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { formatDateTime } from '#lib/format/dates.ts';
import { user } from '#testing.ts';

const PERSON = 'super.admin@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
  await visitSignedIn(portal, PERSON, '/dashboard?modal=test-device', <h1>Dashboard</h1>);
});
afterEach(() => closePage(portal));

const click = async (name: string) => user.click(await screen.findByRole('button', { name }));
const chooseTab = async (name: string) => user.click(await screen.findByRole('tab', { name }));

async function scannedCode(): Promise<string> {
  const link = (await screen.findByRole('img', { name: 'QR code to test a device' })).dataset.qr ?? '';
  const payload = readQrAddress(link);
  return payload?.kind === 'test-device' ? payload.qidCode : '';
}

const typedCode = async () => (await screen.findByRole('img', { name: /^Code to test a device/ })).textContent ?? '';

const answerWith = (code: string, type?: 'mobile' | 'desktop') =>
  portal.authenticator.resolve(portal.device(PERSON, type), code);

/** Advances the clock until the server has reported that the code has expired. */
const letExpire = () =>
  waitFor(() => {
    portal.clock.advance(LIMITS.testDeviceLifetimeSeconds + 1);
    expect(screen.getByText('This code has expired.')).toBeTruthy();
  });

const facts = () => {
  const terms = screen.getAllByRole('term');
  return Object.fromEntries(terms.map((term) => [term.textContent, term.nextSibling?.textContent]));
};

// covers: spec 1.1.13, spec 1.2.56
test('shows the details of the device that scanned the code', async () => {
  await click('Generate code');
  await answerWith(await scannedCode());
  await screen.findByRole('heading', { name: 'The device works' });
  expect(facts()).toEqual({
    'Device name': 'Pixel 9 Pro',
    Nickname: 'Pocket',
    Type: 'Mobile',
    Registered: formatDateTime('2025-06-22T06:00:03.843Z'),
  });
  await click('Done');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

// covers: spec 1.4.23
test('shows N/A for a missing detail', async () => {
  const { token, profile } = await portal.signIn(PERSON);
  await portal.call(nameDevice, { body: { zid: profile.zid, suid: profile.suid, nickname: '' } }, { token });
  await click('Generate code');
  await answerWith(await scannedCode());
  await screen.findByRole('heading', { name: 'The device works' });
  expect(facts().Nickname).toBe('N/A');
});

// covers: spec 1.1.13, spec 1.2.49
test('shows the details of the device that typed the code', async () => {
  await click('Generate code');
  await chooseTab('Type code');
  await answerWith(await typedCode());
  await screen.findByRole('heading', { name: 'The device works' });
});

test('keeps both codes valid when the user changes tabs', async () => {
  await click('Generate code');
  const scanned = await scannedCode();
  await chooseTab('Type code');
  await chooseTab('Scan');
  expect(await scannedCode()).toBe(scanned);
});

test('renews the expired codes of both tabs with one click', { tags: 'whole' }, async () => {
  await click('Generate code');
  const scanned = await scannedCode();
  await chooseTab('Type code');
  const typed = await typedCode();
  await letExpire();
  await click('Get a new code');
  await waitFor(async () => expect(await typedCode()).not.toBe(typed));
  await chooseTab('Scan');
  await waitFor(async () => expect(await scannedCode()).not.toBe(scanned));
  await answerWith(await scannedCode());
  await screen.findByRole('heading', { name: 'The device works' });
});

/** Returns the screen's connections, oldest first. While the network is gone, new connections fail. */
function connections() {
  const opened: WebSocket[] = [];
  const network = { isGone: false };
  const Socket = globalThis.WebSocket;
  vi.stubGlobal(
    'WebSocket',
    class extends Socket {
      constructor(address: string, protocols?: string[]) {
        // No server listens on port 1.
        super(network.isGone ? 'ws://localhost:1' : address, protocols);
        opened.push(this);
      }
    },
  );
  const lose = () =>
    act(async () => {
      network.isGone = true;
      const last = opened.at(-1);
      await new Promise((resolve) => {
        last?.addEventListener('close', resolve);
        last?.close();
      });
    });
  return { lose };
}

// covers: spec 1.4.25
test('refetches a code that expires while the client is disconnected', async () => {
  const { lose } = connections();
  await click('Generate code');
  const scanned = await scannedCode();
  await letExpire();
  await lose();
  await click('Get a new code');
  // A different code proves that the client fetched the codes again.
  await waitFor(async () => expect(await scannedCode()).not.toBe(scanned));
  await screen.findByText('Reconnecting…');
});

test('can run a test again', async () => {
  await click('Generate code');
  await answerWith(await scannedCode());
  await click('Test again');
  await answerWith(await scannedCode(), 'mobile');
  await screen.findByRole('heading', { name: 'The device works' });
});

test("explains why codes can't be fetched, and retries", { tags: 'whole' }, async () => {
  await portal.lab.fault({ method: 'GET', path: '/device/test/acme' });
  await click('Generate code');
  await screen.findByText('Something went wrong!');
  await click('Retry');
  expect(await scannedCode()).toBeTruthy();
});
