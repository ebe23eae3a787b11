import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { user } from '#testing.ts';
import OwnDevices from './own-devices.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'credentials');
  return closePage(portal);
});

const setAcme = (assignment: string) =>
  portal.deps.db.$client.exec(`UPDATE organisations SET ${assignment} WHERE orgCode = 'acme'`);

/** Simulates a browser that supports passkeys. `create` is the user's response. */
function withPasskeys(create: () => Promise<never>) {
  vi.stubGlobal('PublicKeyCredential', class {});
  const createCredential = vi.fn(create);
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create: createCredential } });
  return createCredential;
}

const reject = (name: string) => () => Promise.reject(new DOMException('No.', name));
const open = () => visitSignedIn(portal, 'user@acme.test', '/dashboard?modal=add-device', <OwnDevices />);
const choose = async () => user.click(await screen.findByRole('button', { name: /^Passkey/ }));

test('offers a passkey only if the organisation allows passkeys', async () => {
  withPasskeys(reject('NotAllowedError'));
  await open();
  await screen.findByRole('button', { name: /^Mobile/ });
  expect(screen.queryByRole('button', { name: /^Passkey/ })).toBeNull();
});

test('offers another attempt or another device type after cancelling', async () => {
  setAcme('webAuthnEnabled = 1');
  const create = withPasskeys(reject('NotAllowedError'));
  await open();
  await choose();
  await screen.findByRole('heading', { name: "Couldn't add the passkey" });
  screen.getByText('No passkey was confirmed.');
  const before = create.mock.calls.length;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(create.mock.calls.length).toBeGreaterThan(before));
  await user.click(await screen.findByRole('button', { name: 'Choose another device type' }));
  await screen.findByRole('button', { name: /^Mobile/ });
});

test('reports that the authenticator already has a passkey for this member', { tags: 'whole' }, async () => {
  setAcme('webAuthnEnabled = 1');
  withPasskeys(reject('InvalidStateError'));
  await open();
  await choose();
  await screen.findByText('This authenticator already has one of your passkeys.');
});

test('requests no passkey at the device limit', { tags: 'whole' }, async () => {
  setAcme('webAuthnEnabled = 1, deviceLimit = 1');
  const create = withPasskeys(reject('NotAllowedError'));
  await open();
  await choose();
  await screen.findByRole('heading', { name: 'Device limit reached' });
  expect(create).not.toHaveBeenCalled();
});
