import { ChakraProvider } from '@chakra-ui/react';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { reloadSession, rememberOrganisation } from '#lib/session/session.ts';
import { system } from '#theme.ts';
import StaticMessagePage from './static-message-page.tsx';

beforeEach(() => {
  localStorage.clear();
  reloadSession();
});

function visit(address: string) {
  render(
    <ChakraProvider value={system}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path="/static/*" element={<StaticMessagePage />} />
        </Routes>
      </MemoryRouter>
    </ChakraProvider>,
  );
}

// covers: spec 1.2.4, spec 1.2.57, spec 1.8.16
test.each([
  ['activation-sent', /We've sent you an activation code by email/],
  ['link-invalid', /invalid or expired activation link/i],
  ['ip-blocked', /access not allowed from this IP Address/i],
  ['elsewhere', /the requested URL was not found on this server/i],
])('shows the expected message at /static/%s', (name, sentence) => {
  visit(`/static/${name}`);
  expect(screen.getByText(sentence)).toBeTruthy();
});

// covers: spec 2.8.38
test.each([
  ['not-configured', "Single sign-on isn't configured"],
  ['unknown-organisation', 'Unknown organisation'],
  ['unknown-state', "This sign-in can't be continued"],
  ['expired', 'This sign-in took too long'],
  ['unknown-email', 'No account has your email address'],
  ['no-email', 'Your email address is missing'],
  ['unverified-email', "Your email address isn't verified"],
  ['inactive', 'Your account is inactive'],
  ['not-registered', "You haven't registered yet"],
  ['denied', 'The sign-in was denied'],
  ['provider-setup', 'Your identity provider rejected this portal'],
  ['provider-down', "Your identity provider isn't responding"],
  ['provider-failed', "Couldn't verify the response"],
])('explains %s with “%s” and links to sign-in', (name, title) => {
  visit(`/static/sso-${name}?org=acme`);
  expect(screen.getByRole('heading', { name: title })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Back to sign-in' }).getAttribute('href')).toBe('/acme/sign-in');
});

// covers: spec 1.2.58
test('shows when a link that was opened too early will become valid', () => {
  const from = new Date(2026, 10, 21, 9, 30);
  visit(`/static/link-early?validFrom=${encodeURIComponent(from.toISOString())}`);
  expect(screen.getByText(/valid only after 21 Nov 2026, 09:30 AM/)).toBeTruthy();
});

test.each(['', '?validFrom=', '?validFrom=tomorrow'])(
  'omits the start time of an early link if it is missing or invalid: %j',
  (search) => {
    visit(`/static/link-early${search}`);
    expect(screen.getByText("This link isn't valid yet")).toBeTruthy();
    expect(screen.getByText('Please open it again later.')).toBeTruthy();
  },
);

test.each(['link-invalid', 'link-early', 'ip-blocked', 'elsewhere'])('links from /static/%s to sign-in', (name) => {
  visit(`/static/${name}`);
  const link = () => screen.getByRole('link', { name: 'Back to sign-in' }).getAttribute('href');
  expect(link()).toBe('/');
  cleanup();
  rememberOrganisation('globex');
  visit(`/static/${name}`);
  expect(link()).toBe('/globex/sign-in');
});

test('links to the authenticator after sending the code', () => {
  visit('/static/activation-sent');
  expect(screen.getByRole('link', { name: 'Open the authenticator' }).getAttribute('href')).toBe('/authenticator');
});
