import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { setUpProvider } from '@orchestrate/server/testing/approving';
import { configureSession, getSessionSettings, readQrAddress } from '@orchestrate/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Fragment, StrictMode } from 'react';
import { Link, Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RedirectSignedIn } from '#layout/redirect-signed-in.tsx';
import { closePage, visit } from '#layout/testing.tsx';
import { mayBeRemembered, setRemembered } from '#lib/session/browser-state.ts';
import { currentSession, rememberedOrganisation } from '#lib/session/session.ts';
import { fill, user } from '#testing.ts';
import SignInScreen from './sign-in-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const open = (path: string, Drawing: typeof StrictMode | typeof Fragment = Fragment) =>
  visit(
    portal,
    path,
    <Drawing>
      <Routes>
        <Route element={<RedirectSignedIn />}>
          <Route path="/:orgId/sign-in" element={<SignInScreen />} />
        </Route>
        <Route path="/dashboard" element={<h1>Dashboard</h1>} />
      </Routes>
    </Drawing>,
  );

const shownCode = async () => (await screen.findByRole('img', { name: 'QR code to sign in' })).dataset.qr ?? '';

/** Scans the code on the screen with the user's phone. */
async function scan(email: string) {
  const payload = readQrAddress(await shownCode());
  if (payload?.kind !== 'sign-in') throw new Error('The screen shows no code to sign in with');
  const phone = portal.device(email);
  const { challenge } = await portal.authenticator.resolve(phone, payload.qidCode);
  const answer = (decision: 'approve' | 'deny') =>
    portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision });
  return { phone, answer };
}

/** Enters the user's name on the screen to send a request to their phone. */
async function askDeviceOf(name: string) {
  await fill(await screen.findByRole('textbox', { name: 'Email or employee ID' }), name);
  await user.click(screen.getByRole('button', { name: 'Send request' }));
}

test('explains the open method in steps until a device has the request', async () => {
  open('/acme/sign-in');
  await user.click(await screen.findByRole('button', { name: /Sign in/ }));
  const steps = await screen.findByRole('list', { name: 'Steps' });
  expect(
    within(steps)
      .getAllByRole('listitem')
      .map((step) => step.textContent),
  ).toEqual(['1Open your authenticator', '2Scan the code', '3Approve on your device']);
  screen.getByText('No password: your phone is all you need.');
  screen.getByRole('link', { name: 'Join' });
  const { phone } = await scan('user@acme.test');
  await screen.findByText(`Approve on ${phone.name}`);
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Steps' })).toBeNull());
  expect(screen.queryByRole('link', { name: 'Join' })).toBeNull();
});

// covers: spec 1.1.14
test('shows the organisation’s title in the heading and document title', async () => {
  open('/acme/sign-in');
  const { textContent: title } = await screen.findByRole('heading', { level: 1, name: /Acme/ });
  expect(document.title).toBe(`${title} · Orchestrate`);
});

test('mentions a computer if the organisation has disabled the mobile app', {
  tags: 'whole',
}, async () => {
  await portal.lab.reset({
    seed: { organisations: [{ code: 'initech', loginOptions: { mobileAppEnabled: false }, people: [] }] },
  });
  open('/initech/sign-in');
  await screen.findByText('No password: your computer is all you need.');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByRole('button', { name: 'Copy link' });
  expect(document.body.textContent).not.toMatch(/phone/i);
  await user.click(await screen.findByRole('tab', { name: 'My device' }));
  await screen.findByRole('textbox', { name: /^Email or/ });
  expect(document.body.textContent).not.toMatch(/phone/i);
  for (const topic of ['Need help?', 'See how it works', 'Lost your computer?']) {
    await user.click(screen.getByRole('button', { name: topic }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).not.toMatch(/phone/i);
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

test("shows an error for an organisation that doesn't exist", async () => {
  open('/nowhere/sign-in');
  await screen.findByRole('heading', { name: 'There is no organisation “nowhere”' });
  expect(rememberedOrganisation()).toBeNull();
});

/** Sets up single sign-on with the organisation's own identity provider, as an administrator. */
async function setUpSingleSignOn(buttonLabel: string) {
  const configurationUrl = 'https://id.acme.example';
  const provider = { configurationUrl, clientId: 'portal', clientSecret: 'a-secret', buttonLabel, enabled: true };
  expect((await setUpProvider(portal, provider, 'security.admin@acme.test')).resultCode).toBe(0);
}

test("doesn't redirect a user who leaves while the remembered browser is being checked", {
  tags: 'whole',
}, async () => {
  visit(
    portal,
    '/acme/sign-in',
    <>
      <Link to="/acme/faq">Questions</Link>
      <Routes>
        <Route path="/:orgId/sign-in" element={<SignInScreen />} />
        <Route path="/:orgId/faq" element={<h1>FAQ</h1>} />
      </Routes>
    </>,
  );
  setRemembered('acme', true);
  await user.click(await screen.findByRole('button', { name: 'Sign in' }));
  await user.click(screen.getByRole('link', { name: 'Questions' }));
  await waitFor(() => expect(mayBeRemembered('acme')).toBe(false));
  await act(async () => undefined);
  expect(window.location.pathname + window.location.search).toBe('/acme/faq');
});

// covers: spec 1.2.30, spec 2.2.54
test('shows single sign-on only if the organisation has set it up', async () => {
  open('/globex/sign-in');
  await screen.findByRole('button', { name: 'Sign in' });
  expect(screen.queryByText('or')).toBeNull();
});

// covers: spec 1.2.30
test('labels single sign-on as configured and links to oidc/login with the orgCode', async () => {
  await setUpSingleSignOn('Sign in with Acme ID');
  open('/acme/sign-in');
  const link = await screen.findByRole('link', { name: 'Sign in with Acme ID' });
  expect(link.getAttribute('href')).toBe('/api/oidc/login?orgCode=acme');
});

test('shows an error for an invalid single sign-on code and offers a way back', async () => {
  await setUpSingleSignOn('Sign in with Acme ID');
  const again = () => screen.queryByRole('link', { name: 'Sign in with Acme ID' });
  open('/acme/sign-in?login=success#code=nothing');
  await screen.findByText('This sign-in has expired or has already been used. Start again.');
  expect(again()).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Back to sign-in' }));
  await screen.findByRole('button', { name: 'Sign in' });
  expect(again()).not.toBeNull();
  expect(currentSession()).toBeNull();
});

// covers: spec 1.2.28
test('opens the methods in place and opens the dashboard after a scan', async () => {
  open('/acme/sign-in');
  await user.click(await screen.findByRole('button', { name: 'Sign in' }));
  const { phone, answer } = await scan('user@acme.test');
  await screen.findByText(`Approve on ${phone.name}`);

  await answer('approve');
  await screen.findByText('Signed in');
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(currentSession()?.profile.email).toBe('user@acme.test');
  expect(rememberedOrganisation()).toBe('acme');
});

test('starts one sign-in per visit, however often React renders the screen', async () => {
  open('/acme/sign-in?with=scan', StrictMode);
  const sent = vi.spyOn(globalThis, 'fetch');
  await shownCode();
  await screen.findByText('Waiting for your device');
  expect(sent.mock.calls.filter(([address]) => String(address).endsWith('/user/login'))).toHaveLength(1);
});

test('reports a rejected sign-in and starts a new one on Retry', async () => {
  open('/acme/sign-in?with=scan');
  const first = await shownCode();
  const { answer } = await scan('user@acme.test');
  await answer('deny');

  await screen.findByText('The sign-in was rejected.');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('Waiting for your device');
  expect(await shownCode()).not.toBe(first);
  expect(currentSession()).toBeNull();
});

test('renews an expired code with one click', async () => {
  open('/acme/sign-in?with=scan');
  const first = await shownCode();
  await screen.findByText('Waiting for your device');
  portal.clock.advance(121);

  await user.click(await screen.findByRole('button', { name: 'Get a new code' }));
  await screen.findByText('Waiting for your device');
  expect(await shownCode()).not.toBe(first);
});

test('signs in with eight typed characters after switching to that sign-in method', async () => {
  open('/acme/sign-in?with=scan');
  await shownCode();
  await user.click(screen.getByRole('tab', { name: 'Type code' }));
  const name = (await screen.findByRole('img', { name: /^Sign-in code: / })).getAttribute('aria-label') ?? '';
  const typed = name.replace('Sign-in code: ', '').replaceAll(' ', '');
  expect(typed).toHaveLength(8);
  expect(window.location.search).toBe('?with=code');

  const phone = portal.device('manager@acme.test');
  const { challenge } = await portal.authenticator.resolve(phone, typed);
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve' });
  await screen.findByRole('heading', { name: 'Dashboard' });
  expect(currentSession()?.profile.email).toBe('manager@acme.test');
});

test('signs in a named user with a push and the number shown in the browser', async () => {
  open('/acme/sign-in?with=device');
  await askDeviceOf('user@acme.test');
  const number = (await screen.findByText(/^Choose \d\d on your device$/)).textContent?.slice(7, 9) ?? '';

  const phone = portal.device('user@acme.test');
  const [challenge] = await portal.authenticator.pending(phone);
  expect(challenge?.numberChoices).toContain(number);
  await portal.authenticator.respond(phone, { challengeId: challenge?.challengeId ?? '', decision: 'approve', number });
  await screen.findByRole('heading', { name: 'Dashboard' });
});

// covers: spec 1.7.23, spec 2.8.10
test('shows an error at the name field if the user has no registered device', async () => {
  open('/acme/sign-in?with=device');
  await askDeviceOf('nobody@acme.test');
  await screen.findByText('No device is registered for this person.');
  const field = screen.getByRole('textbox', { name: 'Email or employee ID' });
  expect(field.getAttribute('aria-invalid')).toBe('true');

  await fill(field, 'somebody@acme.test');
  await waitFor(() => expect(screen.queryByText(/No device is registered/)).toBeNull());
});

test('sends no push without a name', async () => {
  open('/acme/sign-in?with=device');
  await askDeviceOf('  ');
  await screen.findByText('This field is required');
});

test('requires the number on the screen to approve a scan with step-up', { tags: 'whole' }, async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { body: settings } = await portal.call(getSessionSettings, {}, { token });
  await portal.call(configureSession, { body: { ...settings, stepUpAuthEnabled: true } }, { token });
  open('/acme/sign-in?with=scan');
  const payload = readQrAddress(await shownCode());
  const phone = portal.device('user@acme.test');
  const code = payload?.kind === 'sign-in' ? payload.qidCode : '';
  const { challenge } = await portal.authenticator.resolve(phone, code);
  const status = await screen.findByText(new RegExp(`^Choose \\d\\d on ${phone.name}$`));
  const number = /\d\d/.exec(status.textContent ?? '')?.[0];
  const { challengeId } = challenge;
  await portal.authenticator.respond(phone, { challengeId, decision: 'approve', ...(number && { number }) });
  await screen.findByRole('heading', { name: 'Dashboard' });
});

test('shows only the status and Cancel while a device approves', async () => {
  await setUpSingleSignOn('Acme ID');
  open('/acme/sign-in?with=scan');
  await shownCode();
  expect(screen.getByRole('link', { name: 'Acme ID' })).toBeTruthy();
  expect(screen.getAllByRole('tab').length).toBeGreaterThan(1);
  const { phone, answer } = await scan('user@acme.test');
  await screen.findByText(`Approve on ${phone.name}`);
  const main = within(screen.getByRole('main'));
  await waitFor(() => expect(main.queryByRole('tab')).toBeNull());
  expect(main.queryByRole('link')).toBeNull();
  expect(main.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Cancel']);
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Sign-in' }));

  await answer('deny');
  await screen.findByText('The sign-in was rejected.');
  expect((await main.findAllByRole('tab')).length).toBeGreaterThan(1);
});

test('offers passkeys next to single sign-on only if both are enabled', async () => {
  await setUpSingleSignOn('Acme ID');
  vi.stubGlobal('PublicKeyCredential', class {});
  const { token } = await portal.signIn('super.admin@acme.test');
  const { body } = await portal.call(getSessionSettings, {}, { token });
  await portal.call(configureSession, { body: { ...body, webAuthnEnabled: true } }, { token });
  open('/acme/sign-in');
  const passkey = await screen.findByRole('button', { name: 'Passkey' });
  expect(passkey.parentElement).toBe(screen.getByRole('link', { name: 'Acme ID' }).parentElement);
  await user.click(passkey);
  await waitFor(() => expect(window.location.search).toBe('?with=passkey'));
  vi.unstubAllGlobals();
});

describe('a browser that expects to be remembered', () => {
  const remembered = (answer: (address: string) => Promise<Response> | undefined) => {
    setRemembered('acme', true);
    open('/acme/sign-in');
    const send = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, options) => answer(String(input)) ?? send(input, options));
  };
  const isAbout = (address: string) => address.includes('/user/remembered');

  test('signs in as usual if the server remembers no one', async () => {
    setRemembered('acme', true);
    open('/acme/sign-in');
    const button = await screen.findByRole('button', { name: 'Sign in' });
    await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull());
    expect(screen.queryByRole('button', { name: 'Not you?' })).toBeNull();
    await user.click(button);
    await shownCode();
    expect(mayBeRemembered('acme')).toBe(false);
  });

  test.each([
    ['fails', () => Promise.reject(new TypeError('offline'))],
    ['never answers', () => new Promise<Response>(() => undefined)],
  ])('signs in as usual if the request for the member %s', async (_, answer) => {
    remembered((address) => (isAbout(address) ? answer() : undefined));
    await user.click(await screen.findByRole('button', { name: 'Sign in' }));
    await shownCode();
    expect(screen.queryByRole('button', { name: 'Not you?' })).toBeNull();
  });
});

describe('an abandoned request', () => {
  const onPhone = () => portal.authenticator.pending(portal.device('user@acme.test'));
  const askAndWait = async () => {
    open('/acme/sign-in?with=device');
    await askDeviceOf('user@acme.test');
    await screen.findByText(/^Choose \d\d on your device$/);
    expect(await onPhone()).toHaveLength(1);
  };
  const isWithdrawn = () => vi.waitUntil(async () => (await onPhone()).length === 0);

  test('withdraws the request from the phone on Cancel and returns to the name', async () => {
    await askAndWait();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await isWithdrawn();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Email or/ }).value).toBe('user@acme.test');
    expect(sessionStorage.getItem('orchestrate.pendingSignIn')).toBeNull();
  });

  test('withdraws the request from the phone when the address opens another sign-in method', async () => {
    await askAndWait();
    act(() => {
      window.history.pushState(null, '', '/acme/sign-in?with=scan');
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
    await shownCode();
    await isWithdrawn();
  });

  test('withdraws the request from the phone when the user returns to the first screen', async () => {
    open('/acme/sign-in');
    await user.click(await screen.findByRole('button', { name: 'Sign in' }));
    await user.click(await screen.findByRole('tab', { name: 'My device' }));
    await askDeviceOf('user@acme.test');
    await screen.findByText(/^Choose \d\d on your device$/);
    act(() => window.history.back());
    await screen.findByRole('button', { name: 'Sign in' });
    await isWithdrawn();
  });

  test('blocks approval of an abandoned code that was already scanned', async () => {
    open('/acme/sign-in?with=scan');
    const { phone, answer } = await scan('user@acme.test');
    await screen.findByText(`Approve on ${phone.name}`);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByRole('button', { name: 'Sign in' });
    await expect(answer('approve')).rejects.toMatchObject({ resultName: 'EXPIRED' });
  });
});
