import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { LIMITS } from '@orchestrate/shared';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { user } from '#testing.ts';
import AuthenticateCallerScreen from './authenticate-caller-screen.tsx';
import { spellingOf } from './caller-code.tsx';

const STAFF = 'callcenter.admin@acme.test';
const CALLER = 'user@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const open = (path = '/authenticate-caller') =>
  visitSignedIn(
    portal,
    STAFF,
    path,
    <Routes>
      <Route path="/authenticate-caller/*" element={<AuthenticateCallerScreen />} />
      <Route path="*" element={<h1>Elsewhere</h1>} />
    </Routes>,
  );

const press = async (name: string) => user.click(await screen.findByRole('button', { name }));

/** Returns the displayed code. */
async function shownCode(): Promise<string> {
  const code = await screen.findByRole('img', { name: /^Code for the caller/ });
  return [...(code.getAttribute('aria-label')?.split(': ')[1] ?? '')].filter((character) => character !== ' ').join('');
}

async function typeOnPhone(code: string): Promise<string> {
  const { challenge } = await portal.authenticator.resolve(portal.device(CALLER), code);
  return challenge.challengeId;
}

const answer = (challengeId: string, decision: 'approve' | 'deny') =>
  portal.authenticator.respond(portal.device(CALLER), { challengeId, decision });

/** Simulates a reload, which preserves the navigation state. */
async function reload() {
  const { pathname } = window.location;
  const { state } = window.history;
  cleanup();
  await open(pathname);
  act(() => {
    window.history.replaceState(state, '', pathname);
    window.dispatchEvent(new PopStateEvent('popstate', { state }));
  });
}

test('identifies a caller who types the code and consents', async () => {
  await open();
  await press('Generate');
  const code = await shownCode();
  expect(window.location.pathname).toBe('/authenticate-caller/generate');
  expect(screen.getByText(/^“Open your authenticator/)).toBeTruthy();
  await screen.findByText('Waiting for the caller to type the code');

  const challengeId = await typeOnPhone(code);
  await screen.findByText('Waiting for consent');
  await answer(challengeId, 'approve');
  await screen.findByRole('heading', { name: 'Daniel Ortiz' });
  expect(window.location.pathname).toBe('/authenticate-caller/success');
  expect(screen.getByText(CALLER)).toBeTruthy();
  expect(screen.getByText('Pixel 9a')).toBeTruthy();
  screen.getByText(/^Confirmed on 02 Mar 2026, \d\d:\d\d AM\. Valid until 02 Mar 2026, \d\d:\d\d AM\.$/);
  expect(screen.getByRole('link', { name: 'Open member' }).getAttribute('href')).toMatch(/^\/manage-users\/./);

  await user.click(screen.getByRole('link', { name: 'Authenticate another caller' }));
  await waitFor(async () => expect(await shownCode()).not.toBe(code));
});

test('requires verifying the caller again if the result is too old, even after a reload', {
  tags: 'whole',
}, async () => {
  await open();
  await press('Generate');
  await answer(await typeOnPhone(await shownCode()), 'approve');
  await screen.findByText('Caller confirmed');
  portal.clock.advance(LIMITS.callerTrustedSeconds);
  await reload();
  await screen.findByText('This confirmation is too old');
  screen.getByRole('link', { name: 'Authenticate the caller again' });
});

test('shows a spelling word for every character', async () => {
  await open('/authenticate-caller/generate');
  const code = await shownCode();
  const shown = screen.getByRole('img', { name: /^Code for the caller/ }).textContent;
  expect(shown).toBe([...code].map((character) => character + spellingOf(character)).join(''));
});

// covers: spec 1.2.55
test("reveals nothing about a caller who doesn't consent", async () => {
  await open('/authenticate-caller/generate');
  const code = await shownCode();
  await answer(await typeOnPhone(code), 'deny');
  await screen.findByRole('heading', { name: 'Consent Denied' });
  expect(document.body.textContent).not.toContain('Daniel');
  await press('Try another code');
  await waitFor(async () => expect(await shownCode()).not.toBe(code));
});

// covers: spec 1.2.55
test('replaces a code, and renews an expired code with one click', async () => {
  await open('/authenticate-caller/generate');
  const first = await shownCode();
  await press('Refresh');
  await waitFor(async () => expect(await shownCode()).not.toBe(first));
  const second = await shownCode();
  await screen.findByText('Waiting for the caller to type the code');
  await waitFor(() => {
    portal.clock.advance(LIMITS.verbalLifetimeSeconds + 1);
    expect(screen.getByText('This code has expired.')).toBeTruthy();
  });
  await press('Get a new code');
  await waitFor(async () => expect(await shownCode()).not.toBe(second));
});

test('keeps the code, the pending consent and the result after a reload', { tags: 'whole' }, async () => {
  await open('/authenticate-caller/generate');
  const code = await shownCode();
  await reload();
  expect(await shownCode()).toBe(code);
  const challengeId = await typeOnPhone(code);
  await screen.findByText('Waiting for consent');
  await reload();
  await screen.findByText('Waiting for consent');
  expect(await shownCode()).toBe(code);
  await answer(challengeId, 'approve');
  await screen.findByRole('heading', { name: 'Daniel Ortiz' });
  await reload();
  await screen.findByRole('heading', { name: 'Daniel Ortiz' });
});

// covers: spec 1.2.11
test('opens Generate instead of the result screen if no caller was verified', async () => {
  await open('/authenticate-caller/success');
  await screen.findByRole('button', { name: 'Generate' });
});

test("explains why a code can't be fetched, and retries", { tags: 'whole' }, async () => {
  await portal.lab.fault({ method: 'GET', path: '/verbal' });
  await open('/authenticate-caller/generate');
  await screen.findByText('Something went wrong!');
  await press('Retry');
  expect(await shownCode()).toHaveLength(LIMITS.typedCodeLength);
});
