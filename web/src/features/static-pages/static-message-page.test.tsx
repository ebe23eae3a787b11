import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { expect, test } from 'vitest';
import { system } from '../../theme.ts';
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

test.each([
  ['activation-sent', /an activation code has been sent to you by e-mail/i],
  ['link-invalid', /invalid or expired activation link/i],
  ['ip-blocked', /access not allowed from this IP Address/i],
  ['elsewhere', /the requested URL was not found on this server/i],
])('/static/%s says what happened', (name, sentence) => {
  visit(`/static/${name}`);
  expect(screen.getByText(sentence)).toBeTruthy();
});

test('a link clicked too early says from when it is valid', () => {
  const from = new Date(2026, 10, 21, 9, 30);
  visit(`/static/link-early?validFrom=${encodeURIComponent(from.toISOString())}`);
  expect(screen.getByText(/valid only after 21 Nov 2026, 09:30 AM/)).toBeTruthy();
});

test.each(['', '?validFrom=', '?validFrom=tomorrow'])('without a time (%j) the early link says only that', (search) => {
  visit(`/static/link-early${search}`);
  expect(screen.getByText('This link is not valid yet')).toBeTruthy();
  expect(screen.getByText('Please open it again later.')).toBeTruthy();
});

test('after the code was sent it goes on in the authenticator', () => {
  visit('/static/activation-sent');
  expect(screen.getByRole('link', { name: 'Open the authenticator' }).getAttribute('href')).toBe('/authenticator');
});
