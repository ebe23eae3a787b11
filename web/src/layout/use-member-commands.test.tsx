import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodeMemberSegment } from '#lib/address/member-address.ts';
import { fill, stubWindowWidth, user } from '#testing.ts';
import CommandPalette from './command-palette.tsx';
import { closePage, visitSignedIn } from './testing.tsx';

// jsdom doesn't implement scrolling.
Element.prototype.scrollIntoView = () => undefined;

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

function Address() {
  return <p data-testid="address">{useLocation().pathname}</p>;
}

const open = (email: string) =>
  visitSignedIn(
    portal,
    email,
    '/dashboard',
    <>
      <CommandPalette isOpen onClose={() => undefined} commands={[]} />
      <Address />
    </>,
  );

const type = (text: string) => fill(screen.getByRole('combobox'), text);
const found = () => screen.queryAllByRole('option').map((option) => option.querySelector('p')?.textContent);

test('finds a member by first or last name and opens their profile', async () => {
  stubWindowWidth(1_440);
  await open('super.admin@acme.test');
  await type('lindholm');
  screen.getByText('Searching members…');
  await screen.findByRole('option', { name: /Mara Lindholm/ });
  expect(found()).toEqual(['Mara Lindholmmara.lindholm@acme.test']);
  await type('mara');
  await screen.findByRole('option', { name: /Tamara Quist/ });
  await type('mara lind');
  await waitFor(() => expect(found()).toEqual(['Mara Lindholmmara.lindholm@acme.test']));
  await user.keyboard('{Enter}');
  await waitFor(() => {
    const [, list, segment] = screen.getByTestId('address').textContent?.split('/') ?? [];
    expect(list).toBe('manage-users');
    expect(decodeMemberSegment(segment ?? '')?.fullName).toBe('Mara Lindholm');
  });
});

test('does not search for fewer than three characters', async () => {
  stubWindowWidth(1_440);
  await open('super.admin@acme.test');
  await type('ma');
  screen.getByText('No results for “ma”.');
});

test.each([
  ['without the permission', true, 'user@acme.test'],
  ['on a phone', false, 'super.admin@acme.test'],
])('does not search for members %s', async (_, isDesktop, email) => {
  stubWindowWidth(isDesktop ? 1_440 : 390);
  await open(email);
  await type('mara');
  screen.getByText('No results for “mara”.');
});
