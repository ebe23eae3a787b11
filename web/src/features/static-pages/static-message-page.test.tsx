import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { expect, test } from 'vitest';
import { system } from '#theme.ts';
import StaticMessagePage from './static-message-page.tsx';

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
  ['activation-sent', /an activation code has been sent to you by email/i],
  ['link-invalid', /invalid or expired activation link/i],
  ['ip-blocked', /access not allowed from this IP Address/i],
  ['elsewhere', /the requested URL was not found on this server/i],
])('shows its message at /static/%s', (name, sentence) => {
  visit(`/static/${name}`);
  expect(screen.getByText(sentence)).toBeTruthy();
});

// covers: spec 2.8.38
test.each([
  ['not-configured', "Single sign-on isn't configured"],
  ['unknown-organisation', 'Unknown organisation'],
  ['unknown-state', "This sign-in can't be continued"],
  ['expired', 'This sign-in took too long'],
  ['unknown-email', "Your email address isn't known here"],
  ['no-email', 'Your email address is missing'],
  ['unverified-email', "Your email address isn't verified"],
  ['inactive', 'Your account is inactive'],
  ['not-registered', "You haven't registered yet"],
  ['denied', 'The sign-in was denied'],
  ['provider-setup', 'Your identity provider refuses this portal'],
  ['provider-down', "Your identity provider isn't responding"],
  ['provider-failed', "The response can't be trusted"],
])('after single sign-on ended with %s, shows “%s” and links to the sign-in page', (name, title) => {
  visit(`/static/sso-${name}?org=acme`);
  expect(screen.getByRole('heading', { name: title })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Back to sign-in' }).getAttribute('href')).toBe('/acme/sign-in');
});

// covers: spec 1.2.58
test('shows when a link that was opened too early becomes valid', () => {
  const from = new Date(2026, 10, 21, 9, 30);
  visit(`/static/link-early?validFrom=${encodeURIComponent(from.toISOString())}`);
  expect(screen.getByText(/valid only after 21 Nov 2026, 09:30 AM/)).toBeTruthy();
});

test.each(['', '?validFrom=', '?validFrom=tomorrow'])('shows no time (%j) for an early link without one', (search) => {
  visit(`/static/link-early${search}`);
  expect(screen.getByText("This link isn't valid yet")).toBeTruthy();
  expect(screen.getByText('Please open it again later.')).toBeTruthy();
});

test('links to the authenticator once the code is sent', () => {
  visit('/static/activation-sent');
  expect(screen.getByRole('link', { name: 'Open the authenticator' }).getAttribute('href')).toBe('/authenticator');
});
