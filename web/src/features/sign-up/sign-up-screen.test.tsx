import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { LIMITS, readOutbox } from '@orchestrate/shared';
import { act, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visit } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import SignUpScreen from './sign-up-screen.tsx';

const EMAIL = 'ines.castellanos@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const screens = (
  <Routes>
    <Route path="/:orgId/sign-up" element={<SignUpScreen />} />
    <Route path="/:orgId/sign-in" element={<h1>Sign in</h1>} />
  </Routes>
);
const open = (path = '/acme/sign-up') => visit(portal, path, screens);

const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });
const type = async (name: string, value: string) => fill(await field(name), value);
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));

async function signUp({ email = EMAIL, mobile = '' } = {}) {
  await type('First Name', 'Ines');
  await type('Last Name', 'Castellanos');
  await type('Email', email);
  await type('Mobile number', mobile);
  await press('Join');
}

const codeTo = async (to: string) => (await portal.call(readOutbox, { query: { to } })).body.messages[0]?.code ?? '';
const wrongFor = (code: string) => (code === '111111' ? '222222' : '111111');
const typeCode = (code: string) => type('One-time code', code);

test('asks for personal details and a one-time code, then explains the next step', async () => {
  open();
  await screen.findByRole('heading', { name: 'Join Acme Corporation' });
  await signUp();
  await screen.findByText(`We sent a one-time code to ${EMAIL}.`);
  await typeCode(await codeTo(EMAIL));
  await screen.findByRole('heading', { name: 'Check your email' });
  expect(screen.getByRole('group', { name: 'Organisation code: acme' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open the authenticator' }).getAttribute('href')).toBe(
    '/authenticator?activate=acme',
  );
  const outbox = await screen.findByRole('link', { name: 'Read it in the simulated outbox' });
  expect(outbox.getAttribute('href')).toBe(`/lab?${new URLSearchParams({ to: EMAIL })}`);
  await user.click(screen.getByRole('link', { name: 'Go to sign-in' }));
  await screen.findByRole('heading', { name: 'Sign in' });
});

test('sends the code as a text message if a mobile number is entered', { tags: 'whole' }, async () => {
  open();
  await signUp({ mobile: '+46 70-123 45 67' });
  await screen.findByText('We sent a one-time code to +46 70-123 45 67.');
  const outbox = await screen.findByRole('link', { name: 'Read it in the simulated outbox' });
  expect(outbox.getAttribute('href')).toBe('/lab?to=%2B46701234567');
  await typeCode(await codeTo('+46701234567'));
  await screen.findByRole('heading', { name: 'Check your email' });
});

// covers: spec 1.7.24
test('reports missing values below their fields before sending', async () => {
  open();
  await press('Join');
  expect(await screen.findAllByText('This field is required')).toHaveLength(3);
  await type('Email', 'ines@');
  await screen.findByText('Please enter a valid email address');
});

test.each([
  ['an existing member', { email: 'user@acme.test' }, 'Email', /already exists/],
  ['a provisioned member', { email: 'mara.lindholm@acme.test' }, 'Email', /Email already exists/],
  ['a foreign domain', { email: 'ines@elsewhere.test' }, 'Email', /domain/],
  ['an invalid mobile number', { mobile: '0701234567' }, 'Mobile number', /mobile number is not valid/],
])('refuses %s with an error below its field', { tags: 'whole' }, async (_, person, name, sentence) => {
  open();
  await signUp(person);
  await screen.findByText(sentence);
  const invalid = screen.getAllByRole('textbox').filter((input) => input.getAttribute('aria-invalid') === 'true');
  expect(invalid).toEqual([await field(name)]);
});

// covers: spec 2.8.11
test('shows an error if an address or number has requested too many codes', async () => {
  open();
  for (let time = 0; time < LIMITS.oneTimeCodesPerHour; time++) {
    await portal.app.inject({
      method: 'POST',
      url: '/api/user/signup',
      payload: { orgCode: 'acme', firstName: 'Ines', lastName: 'C', email: EMAIL },
    });
  }
  await signUp();
  await screen.findByText('Too many codes were sent. Try again in an hour.');
});

test('shows an error for a wrong code and lets the user request a new code', async () => {
  open();
  await signUp();
  await screen.findByText(/We sent a one-time code/);
  const first = await codeTo(EMAIL);
  await typeCode(wrongFor(first));
  await screen.findByText('The one-time code is not correct.');
  expect((await field('One-time code')).value).toBe('');
  await press('Send a new code');
  await screen.findByText("We've sent a new code. The previous code no longer works.");
  await typeCode(await codeTo(EMAIL));
  await screen.findByRole('heading', { name: 'Check your email' });
});

test('shows an error for an expired code and lets the user request a new code', { tags: 'whole' }, async () => {
  open();
  await signUp();
  await screen.findByText(/We sent a one-time code/);
  const code = await codeTo(EMAIL);
  portal.clock.advance(LIMITS.oneTimeCodeLifetimeSeconds + 1);
  await typeCode(code);
  await screen.findByText('The one-time code has expired.');
  await press('Send a new code');
  await screen.findByText(/We've sent a new code/);
});

test('stays on the code step after a reload and returns to the form with Back', async () => {
  open();
  await signUp();
  await screen.findByText(/We sent a one-time code/);
  act(() => void window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state })));
  await screen.findByText(/We sent a one-time code/);
  await press('Use another email address');
  await screen.findByRole('heading', { name: 'Join Acme Corporation' });
});

test('shows a server error above the button', async () => {
  await portal.lab.fault({ method: 'POST', path: '/user/signup' });
  open();
  await signUp();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Something went wrong!'));
});

test("shows an error if the organisation doesn't exist", async () => {
  open('/nowhere/sign-up');
  await screen.findByRole('heading', { name: 'There is no organisation “nowhere”' });
});
