import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { codeOf, getOrgSettings } from '@orchestrate/shared';
import { cleanup, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { closePage, visit } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import SetupScreen from './setup-screen.tsx';

let portal: TestPortal;
afterEach(async () => {
  sessionStorage.clear();
  await closePage(portal);
});

async function open(seed: 'demo' | 'none') {
  portal = await testPortal({ seed });
  show();
}

function show() {
  visit(
    portal,
    '/setup',
    <Routes>
      <Route path="/setup" element={<SetupScreen />} />
    </Routes>,
  );
}

const type = async (name: string, value: string) =>
  fill(await screen.findByRole<HTMLInputElement>('textbox', { name }), value);

async function setUpInitech() {
  await type('Setup code', portal.deps.setupCode);
  await type('Organisation code', 'initech');
  await type('First Name', 'Bill');
  await type('Last Name', 'Lumbergh');
  await type('Email', 'bill@initech.test');
  await user.click(screen.getByRole('button', { name: 'Set up' }));
}

test('creates the organisation and its first administrator with the setup code', async () => {
  await open('none');
  await type('Setup code', 'AAAA');
  await type('Organisation code', 'initech');
  await type('First Name', 'Bill');
  await type('Last Name', 'Lumbergh');
  await type('Email', 'bill@initech.test');
  await user.click(screen.getByRole('radio', { name: 'Teal' }));
  await user.click(screen.getByRole('button', { name: 'Set up' }));
  await screen.findByText(/isn't the code that the server printed/);
  const code = screen.getByRole('textbox', { name: 'Setup code' });
  expect([document.activeElement, code.getAttribute('aria-invalid')]).toEqual([code, 'true']);
  await type('Setup code', portal.deps.setupCode);
  await user.click(screen.getByRole('button', { name: 'Set up' }));
  await screen.findByRole('heading', { name: 'Set up your phone' });
  for (const label of ['Organisation code', 'Activation code']) expect(screen.getByText(label)).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Set up your phone');
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/initech/sign-in');
  const { body: settings } = await portal.call(getOrgSettings, { query: { code: 'initech' } });
  expect(settings.color).toBe('#0F766E');
});

test("shows the server's errors under their fields", { tags: 'whole' }, async () => {
  await open('none');
  const issues = [
    { path: 'orgCode', message: 'No organisation can have this code' },
    { path: 'email', message: 'Nobody can have this address' },
  ];
  const body = { resultCode: codeOf('INVALID_REQUEST'), message: 'Two fields are wrong', issues };
  await portal.lab.fault({ match: { method: 'POST', path: '/api/setup' }, answer: { status: 400, body } });
  await setUpInitech();
  for (const { message } of issues) await screen.findByText(message);
  const invalid = screen.getAllByRole('textbox').filter((field) => field.getAttribute('aria-invalid') === 'true');
  expect(invalid).toEqual(['Organisation code', 'Email'].map((name) => screen.getByRole('textbox', { name })));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Organisation code' }));
  expect(screen.queryByText('Two fields are wrong')).toBeNull();
});

test('keeps the activation code after a reload', { tags: 'whole' }, async () => {
  await open('none');
  await setUpInitech();
  const code = (await screen.findByLabelText(/^Activation code: /)).getAttribute('aria-label') ?? '';
  cleanup();
  show();
  expect((await screen.findByLabelText(/^Activation code: /)).getAttribute('aria-label')).toBe(code);
});

test('continues to sign-in automatically after the phone is registered', async () => {
  await open('none');
  await setUpInitech();
  await screen.findByRole('heading', { name: 'Set up your phone' });
  const shown = screen.getByLabelText(/^Activation code: /).getAttribute('aria-label') ?? '';
  await portal.authenticator.activate({
    orgCode: 'initech',
    email: 'bill@initech.test',
    activationCode: shown.replace('Activation code: ', ''),
    device: { name: 'Pocket', type: 'mobile', platform: 'Android 16' },
  });
  await screen.findByRole('heading', { name: 'Your phone is registered' });
  expect(document.activeElement?.textContent).toBe('Your phone is registered');
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/initech/sign-in');
  expect(screen.queryByText('Activation code')).toBeNull();
});

test('refers to a computer if the organisation has disabled the mobile app', { tags: 'whole' }, async () => {
  await open('none');
  const loginOptions = { mobileAppEnabled: false };
  await portal.lab.reset({ seed: { organisations: [{ code: 'initech', loginOptions, people: [] }] } });
  cleanup();
  show();
  await setUpInitech();
  await screen.findByRole('heading', { name: 'Set up your computer' });
  expect(document.body.textContent).not.toContain('phone');
  const shown = screen.getByLabelText(/^Activation code: /).getAttribute('aria-label') ?? '';
  await portal.authenticator.activate({
    orgCode: 'initech',
    email: 'bill@initech.test',
    activationCode: shown.replace('Activation code: ', ''),
    device: { name: 'Desk', type: 'desktop', platform: 'Windows 11' },
  });
  await screen.findByRole('heading', { name: 'Your computer is registered' });
  expect(document.body.textContent).not.toContain('phone');
});

test('reports that every organisation has an administrator', async () => {
  await open('demo');
  await screen.findByRole('heading', { name: 'Already set up' });
  expect(screen.queryByRole('button', { name: 'Set up' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Go to the portal' }).getAttribute('href')).toBe('/');
});
