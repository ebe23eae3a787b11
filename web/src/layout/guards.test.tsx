import { ChakraProvider } from '@chakra-ui/react';
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { SingleSignOn } from '#features/sign-in/shared/sign-in-front.tsx';
import { DEMO_FRAME } from '#lib/browser/use-media.ts';
import { currentSession, endSession, setAddressBlocked, startSession } from '#lib/session/session.ts';
import { authStateOf, fill, profileOf, stubWindowWidth, user } from '#testing.ts';
import { system } from '#theme.ts';
import { DesktopOnly, RequirePermission, RequireSession } from './guards.tsx';
import { RedirectSignedIn } from './redirect-signed-in.tsx';

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
  setAddressBlocked(false);
  endSession();
  localStorage.clear();
});

// covers: spec 1.2.8
test('redirects an unknown visitor to the root', () => {
  visit('/dashboard');
  expect(screen.getByText('Access restricted')).toBeTruthy();
});

// covers: spec 1.2.8
test('redirects a returning member to their organisation’s sign-in screen', () => {
  startSession(authStateOf());
  endSession();
  visit('/dashboard');
  expect(screen.getByText('Sign in')).toBeTruthy();
});

test('follows a sign-out in another tab before anything is rendered', () => {
  startSession(authStateOf());
  localStorage.removeItem('orchestrate.session');
  window.dispatchEvent(new StorageEvent('storage', { key: 'orchestrate.session' }));
  expect(currentSession()).toBeNull();
});

test('shows a page for a blocked IP address without signing the member out', () => {
  startSession(authStateOf());
  setAddressBlocked(true);
  visit('/dashboard');
  expect(screen.getByText('Kept out')).toBeTruthy();
  act(() => setAddressBlocked(false));
  expect(currentSession()).not.toBeNull();
});

// covers: spec 1.2.2
test('redirects a signed-in member from the sign-in screen to the dashboard', () => {
  startSession(authStateOf());
  visit('/acme/sign-in');
  expect(screen.getByText('Dashboard')).toBeTruthy();
});

// covers: spec 1.2.3
test('clears the token of an earlier sign-in after single sign-on', () => {
  startSession(authStateOf());
  visit('/acme/sign-in?login=success');
  expect(screen.getByText('Sign in')).toBeTruthy();
  expect(localStorage.getItem('orchestrate.session')).toBeNull();
  act(() => startSession(authStateOf()));
  expect(screen.getByText('Dashboard')).toBeTruthy();
});

test('returns to sign-in when the session ends', () => {
  startSession(authStateOf());
  visit('/dashboard');
  act(() => endSession());
  expect(screen.getByText('Sign in')).toBeTruthy();
});

test('returns to the requested page after a sign-in', () => {
  startSession(authStateOf());
  endSession();
  stubWindowWidth(1_440);
  visit('/applications');
  act(() => startSession(authStateOf()));
  expect(screen.getByText('Applications')).toBeTruthy();
});

test('returns to the requested page after single sign-on, but only once', async () => {
  startSession(authStateOf());
  endSession();
  stubWindowWidth(1_440);
  const leaveAndReturn = async () => {
    const link = screen.getByRole('link', { name: 'Acme ID' });
    // Prevent the navigation, because jsdom can't navigate to another document.
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

test("does not open the page from which another user's session ended", () => {
  startSession(authStateOf());
  stubWindowWidth(1_440);
  visit('/applications');
  act(() => endSession());
  act(() => startSession(authStateOf({ profile: profileOf({ suid: 's-2' }) })));
  expect(screen.getByText('Dashboard')).toBeTruthy();
});

// covers: spec 1.2.9, spec 2.2.3
test('redirects users without the required permission to the dashboard', () => {
  startSession(authStateOf());
  visit('/manage-users');
  expect(screen.getByText('Dashboard')).toBeTruthy();
});

test('opens the screen for users with the required permission', () => {
  startSession(authStateOf({ profile: profileOf({ permissions: ['SEARCH_USER'] }) }));
  visit('/manage-users');
  expect(screen.getByText('Manage Users')).toBeTruthy();
});

// covers: spec 2.2.3
test('opens the screen for users with any of several permissions', () => {
  startSession(authStateOf({ profile: profileOf({ permissions: ['DELETE_CUSTOM_ROLES'] }) }));
  visit('/roles');
  expect(screen.getByText('Roles')).toBeTruthy();
  act(() => startSession(authStateOf({ profile: profileOf({ permissions: ['UPDATE_CUSTOM_ROLES'] }) })));
  expect(screen.getByText('Dashboard')).toBeTruthy();
});

// covers: spec 1.1.15
test('shows a notice instead of administration screens below 1024 px', () => {
  startSession(authStateOf());
  stubWindowWidth(1_023);
  visit('/applications');
  expect(screen.getByRole('heading', { name: 'Admin features are available only on Desktop' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Back to dashboard' }).getAttribute('href')).toBe('/dashboard');
});

test('opens administration screens at any width in the demo', () => {
  startSession(authStateOf());
  stubWindowWidth(1_023);
  window.name = DEMO_FRAME;
  visit('/applications');
  expect(screen.getByText('Applications')).toBeTruthy();
  window.name = '';
});

test('opens administration screens on a desktop at 400% zoom', () => {
  startSession(authStateOf());
  stubWindowWidth(1_280, 320);
  visit('/applications');
  expect(screen.getByText('Applications')).toBeTruthy();
});

test('keeps input while a window is too narrow', async () => {
  stubWindowWidth(1_440);
  startSession(authStateOf());
  visit('/applications');
  await fill(screen.getByRole('textbox', { name: 'Applications' }), 'half a name');
  act(() => stubWindowWidth(1_023));
  expect(screen.getByRole('heading', { name: 'Admin features are available only on Desktop' })).toBeTruthy();
  expect(screen.queryByRole('textbox', { name: 'Applications' })).toBeNull();
  act(() => stubWindowWidth(1_024));
  expect(screen.queryByRole('heading', { name: 'Admin features are available only on Desktop' })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Applications' }).value).toBe('half a name');
});
