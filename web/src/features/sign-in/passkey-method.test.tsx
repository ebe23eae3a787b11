import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { codeOf, configureSession, getSessionSettings, login } from '@orchestrate/shared';
import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closePage, visit } from '#layout/testing.tsx';
import { user } from '#testing.ts';
import SignInScreen from './sign-in-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'credentials');
  return closePage(portal);
});

/** Simulates a browser with passkey support. `get` returns the user's response. */
function withPasskeys(get: () => Promise<never>) {
  vi.stubGlobal('PublicKeyCredential', class {});
  const prompt = vi.fn(get);
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get: prompt } });
  return prompt;
}

async function allowPasskeys() {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { resultCode: _, ...settings } = (await portal.call(getSessionSettings, {}, { token })).body;
  await portal.call(configureSession, { body: { ...settings, webAuthnEnabled: true } }, { token });
}

const open = (path: string) =>
  visit(
    portal,
    path,
    <Routes>
      <Route path="/:orgId/sign-in" element={<SignInScreen />} />
    </Routes>,
  );

const cancel = () => Promise.reject(new DOMException('The person has cancelled.', 'NotAllowedError'));

test("offers no passkeys if the organisation doesn't allow them", async () => {
  withPasskeys(cancel);
  open('/acme/sign-in?with=passkey');
  await screen.findByRole('tab', { name: 'Scan', selected: true });
  expect(screen.queryByRole('tab', { name: 'Passkey' })).toBeNull();
});

test('offers no passkeys in a browser that does not support them', async () => {
  await allowPasskeys();
  open('/acme/sign-in?with=passkey');
  await screen.findByRole('tab', { name: 'Scan', selected: true });
  expect(screen.queryByRole('tab', { name: 'Passkey' })).toBeNull();
});

test('prompts immediately, and again when the user retries after cancelling', async () => {
  await allowPasskeys();
  const prompt = withPasskeys(cancel);
  open('/acme/sign-in?with=scan');
  await user.click(await screen.findByRole('tab', { name: 'Passkey' }));
  await screen.findByText('No passkey was confirmed.');
  const before = prompt.mock.calls.length;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(prompt.mock.calls.length).toBeGreaterThan(before));
  await screen.findByText('No passkey was confirmed.');
});

test('shows a waiting state while the browser prompts', async () => {
  await allowPasskeys();
  withPasskeys(() => new Promise(() => undefined));
  open('/acme/sign-in?with=passkey');
  await screen.findByText('Waiting for your passkey');
});

test('shows an error if passkeys were disabled in the meantime', { tags: 'whole' }, async () => {
  await allowPasskeys();
  const prompt = withPasskeys(cancel);
  open('/acme/sign-in?with=scan');
  await screen.findByRole('tab', { name: 'Passkey' });
  portal.deps.db.$client.exec("UPDATE organisations SET webAuthnEnabled = 0 WHERE orgCode = 'acme'");
  expect((await portal.call(login, { body: { orgCode: 'acme', mode: 'WEBAUTHN' } })).body.resultCode).toBe(
    codeOf('WEBAUTHN_NOT_ENABLED'),
  );
  await user.click(screen.getByRole('tab', { name: 'Passkey' }));
  await screen.findByText('Passkeys are switched off for this organisation.');
  expect(prompt).not.toHaveBeenCalled();
});
