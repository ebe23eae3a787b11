import { ChakraProvider } from '@chakra-ui/react';
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { SingleSignOn } from '#features/sign-in/shared/sign-in-front.tsx';
import { STAGE_FRAME } from '#lib/browser/use-media.ts';
import { currentSession, endSession, setKeptOut, startSession } from '#lib/session/session.ts';
import { authStateOf, fill, profileOf, user, windowWidth } from '#testing.ts';
import { system } from '#theme.ts';
import { DesktopOnly } from './desktop-only.tsx';
import { RedirectSignedIn } from './redirect-signed-in.tsx';
import { RequirePermission } from './require-permission.tsx';
import { RequireSession } from './require-session.tsx';

function visit(address: string) {
  render(
    <ChakraProvider value={system}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route index element="Access restricted" />
          <Route path="/static/ip-blocked" element="Kept out" />
          <Route element={<RedirectSignedIn />}>
            <Route
              path="/:orgId/sign-in"
              element={
                <>
                  Sign in
                  <SingleSignOn orgCode="acme" label="Acme ID" />
                </>
              }
            />
          </Route>
          <Route element={<RequireSession />}>
            <Route path="/dashboard" element="Dashboard" />
            <Route element={<RequirePermission permission="SEARCH_USER" />}>
              <Route path="/manage-users" element="Manage Users" />
            </Route>
            <Route element={<RequirePermission permission={['CREATE_CUSTOM_ROLES', 'DELETE_CUSTOM_ROLES']} />}>
              <Route path="/roles" element="Roles" />
            </Route>
            <Route element={<DesktopOnly />}>
              <Route
                path="/applications"
                element={
                  <label>
                    Applications <input />
                  </label>
                }
              />
            </Route>
          </Route>
        </Routes>
      </MemoryRouter>
    </ChakraProvider>,
  );
}

beforeEach(() => {
  setKeptOut(false);
  endSession();
  localStorage.clear();
});

// covers: spec 1.2.8
test('a stranger is sent to the root', () => {
  visit('/dashboard');
  expect(screen.getByText('Access restricted')).toBeTruthy();
});

// covers: spec 1.2.8
test('a returning member is sent to the sign-in page of their organisation', () => {
  startSession(authStateOf());
  endSession();
  visit('/dashboard');
  expect(screen.getByText('Sign in')).toBeTruthy();
});

test('an address that the organisation keeps out leads to the page that says so, and signs nobody out', () => {
  startSession(authStateOf());
  setKeptOut(true);
  visit('/dashboard');
  expect(screen.getByText('Kept out')).toBeTruthy();
  act(() => setKeptOut(false));
  expect(currentSession()).not.toBeNull();
});

// covers: spec 1.2.2
test('a signed-in member goes from the sign-in page to the dashboard', () => {
  startSession(authStateOf());
  visit('/acme/sign-in');
  expect(screen.getByText('Dashboard')).toBeTruthy();
});

// covers: spec 1.2.3
test('after single sign-on the token of an earlier sign-in is cleared', () => {
  startSession(authStateOf());
  visit('/acme/sign-in?login=success');
  expect(screen.getByText('Sign in')).toBeTruthy();
  expect(localStorage.getItem('orchestrate.session')).toBeNull();
  act(() => startSession(authStateOf()));
  expect(screen.getByText('Dashboard')).toBeTruthy();
});

test('a session that ends takes the person back to sign-in', () => {
  startSession(authStateOf());
  visit('/dashboard');
  act(() => endSession());
  expect(screen.getByText('Sign in')).toBeTruthy();
});

test('after being sent to sign in, you come back to the page you asked for', () => {
  startSession(authStateOf());
  endSession();
  windowWidth(1_440);
  visit('/applications');
  act(() => startSession(authStateOf()));
  expect(screen.getByText('Applications')).toBeTruthy();
});

test('single sign-on leads back to the page you asked for, and the next time no longer', async () => {
  startSession(authStateOf());
  endSession();
  windowWidth(1_440);
  const leaveAndReturn = async () => {
    const link = screen.getByRole('link', { name: 'Acme ID' });
    // The test's browser cannot leave the page.
    link.addEventListener('click', (event) => event.preventDefault());
    await user.click(link);
    cleanup();
    visit('/acme/sign-in?login=success');
    act(() => startSession(authStateOf()));
  };
  visit('/applications');
  await leaveAndReturn();
  expect(screen.getByText('Applications')).toBeTruthy();
  cleanup();
  endSession();
  visit('/acme/sign-in');
  await leaveAndReturn();
  expect(screen.getByText('Dashboard')).toBeTruthy();
});

test('a page that one person left is not opened for the next', () => {
  startSession(authStateOf());
  windowWidth(1_440);
  visit('/applications');
  act(() => endSession());
  act(() => startSession(authStateOf({ profile: profileOf({ suid: 's-2' }) })));
  expect(screen.getByText('Dashboard')).toBeTruthy();
});

// covers: spec 1.2.9, spec 2.2.3
test('a missing permission leads to the dashboard', () => {
  startSession(authStateOf());
  visit('/manage-users');
  expect(screen.getByText('Dashboard')).toBeTruthy();
});

test('the permission opens the screen', () => {
  startSession(authStateOf({ profile: profileOf({ permissions: ['SEARCH_USER'] }) }));
  visit('/manage-users');
  expect(screen.getByText('Manage Users')).toBeTruthy();
});

// covers: spec 2.2.3
test('one of several permissions opens the screen, none of them does not', () => {
  startSession(authStateOf({ profile: profileOf({ permissions: ['DELETE_CUSTOM_ROLES'] }) }));
  visit('/roles');
  expect(screen.getByText('Roles')).toBeTruthy();
  act(() => startSession(authStateOf({ profile: profileOf({ permissions: ['UPDATE_CUSTOM_ROLES'] }) })));
  expect(screen.getByText('Dashboard')).toBeTruthy();
});

// covers: spec 1.1.15
test('administrator screens show a notice in a window narrower than 1024 px', () => {
  startSession(authStateOf());
  windowWidth(1_023);
  visit('/applications');
  expect(screen.getByRole('heading', { name: 'Admin features are available only on Desktop' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Back to dashboard' }).getAttribute('href')).toBe('/dashboard');
});

test('administrator screens open at any width where the stage shows them', () => {
  startSession(authStateOf());
  windowWidth(1_023);
  window.name = STAGE_FRAME;
  visit('/applications');
  expect(screen.getByText('Applications')).toBeTruthy();
  window.name = '';
});

test('administrator screens open on a desktop, also with a zoom of 400 %', () => {
  startSession(authStateOf());
  windowWidth(1_280, 320);
  visit('/applications');
  expect(screen.getByText('Applications')).toBeTruthy();
});

test('a window that becomes narrow keeps what was typed, and shows it again once there is room', async () => {
  windowWidth(1_440);
  startSession(authStateOf());
  visit('/applications');
  await fill(screen.getByRole('textbox', { name: 'Applications' }), 'half a name');
  act(() => windowWidth(1_023));
  expect(screen.getByRole('heading', { name: 'Admin features are available only on Desktop' })).toBeTruthy();
  expect(screen.queryByRole('textbox', { name: 'Applications' })).toBeNull();
  act(() => windowWidth(1_024));
  expect(screen.queryByRole('heading', { name: 'Admin features are available only on Desktop' })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Applications' }).value).toBe('half a name');
});
