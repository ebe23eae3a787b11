import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { createApp, getUser, listAppSignIns, saveAppLogo, updateApp } from '@orchestrate/shared';
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { paths } from '#paths.ts';
import { user } from '#testing.ts';
import OwnApplicationsScreen from './own-applications-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const WIKI = { orgCode: 'acme', appId: 'team-wiki' };
const open = (email = 'user@acme.test') =>
  visitSignedIn(portal, email, paths.ownApplications, <OwnApplicationsScreen />);

async function asAdmin() {
  const admin = await portal.signIn('super.admin@acme.test');
  const body = { startUrl: 'https://wiki.acme.test/login', description: 'Notes of all teams' };
  await portal.call(updateApp, { params: WIKI, body }, admin);
  return admin;
}

/** Removes the payroll application's start address. */
async function withoutStart() {
  const admin = await portal.signIn('super.admin@acme.test');
  await portal.call(updateApp, { params: { ...WIKI, appId: 'payroll' }, body: { startUrl: '' } }, admin);
}

test('opens each application at its start address in a new tab', async () => {
  await asAdmin();
  await open();
  const wiki = await screen.findByRole('link', { name: /^Team Wiki Notes of all teams/ });
  expect(wiki.getAttribute('href')).toBe('https://wiki.acme.test/login');
  expect(wiki.getAttribute('target')).toBe('_blank');
  expect(wiki.getAttribute('rel')).toBe('noopener');
  const travel = screen.getByRole('link', { name: /^Travel Desk/ });
  expect(travel.getAttribute('href')).toBe(`${portal.url}/saml/acme/travel-desk/sso`);
  within(screen.getByRole('link', { name: /^Payroll/ })).getByText('payroll.acme.test');
});

test('lists the application used last first, in different colours', async () => {
  const admin = await portal.signIn('super.admin@acme.test');
  const params = { ...WIKI, appId: 'payroll' };
  const { Items } = (await portal.call(listAppSignIns, { params, query: { status: 'Success' } }, admin)).body;
  const { profile } = (await portal.call(getUser, { query: { suid: Items[0]?.suid ?? '' } }, admin)).body;
  await portal.call(updateApp, { params, body: { name: 'Zeta pay' } }, admin);
  await open(profile.primaryEmail);
  const tiles = within(await screen.findByRole('list', { name: 'My Applications' })).getAllByRole('link');
  expect(tiles[0]?.textContent).toMatch(/^ZPZeta pay.*used /);
  const hues = tiles.map(({ firstElementChild }) =>
    getComputedStyle(firstElementChild?.firstElementChild ?? document.body).getPropertyValue('--hue'),
  );
  expect(new Set(hues).size).toBe(tiles.length);
});

test("lists an application that can't be opened from here without a link", async () => {
  await withoutStart();
  await open();
  screen.getByText('Applications you can sign in to with this account.');
  const others = within(await screen.findByRole('list', { name: 'Open on their own site' }));
  others.getByText('Payroll');
  expect(others.queryByRole('link')).toBeNull();
  screen.getByText('Sign-in to these applications starts on their own site.');
  expect(within(screen.getByRole('list', { name: 'My Applications' })).queryByText('Payroll')).toBeNull();
});

test('leads an administrator to the start address that is missing', async () => {
  await withoutStart();
  await open('super.admin@acme.test');
  const link = await screen.findByRole('link', { name: 'Add start address for Payroll' });
  expect(link.getAttribute('href')).toBe('/applications/payroll/name-&-description#start-address');
});

test("shows an application's logo, or its initials if the logo can't be loaded", async () => {
  const admin = await asAdmin();
  const body = new FormData();
  body.set('file', new File(['<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>'], 'a.svg'));
  const { logo } = (await portal.call(saveAppLogo, { params: WIKI, body }, admin)).body;
  await open();
  const wiki = await screen.findByRole('link', { name: /^Team Wiki/ });
  const picture = wiki.querySelector('img');
  expect(picture?.getAttribute('src')).toBe(logo);
  act(() => picture?.dispatchEvent(new Event('error')));
  expect(wiki.querySelector('img')).toBeNull();
  expect(wiki.textContent).toMatch(/^TWTeam Wiki/);
});

test('shows an empty state, and an error if loading fails', { tags: 'whole' }, async () => {
  const admin = await asAdmin();
  for (const appId of ['team-wiki', 'payroll', 'travel-desk']) {
    const usableBy = { roles: [], people: [], groups: [] };
    await portal.call(updateApp, { params: { ...WIKI, appId }, body: { usableBy } }, admin);
  }
  await portal.lab.fault({ method: 'GET', path: '/user/apps' });
  await open();
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByRole('heading', { name: 'No applications yet' });
});

test('finds applications by words in their names and descriptions', {
  tags: 'whole',
}, async () => {
  const admin = await asAdmin();
  for (const name of ['Canteen', 'Car pool', 'Expenses', 'Holidays', 'Parking']) {
    const { body } = await portal.call(
      createApp,
      {
        params: { orgCode: 'acme' },
        body: {
          orgCode: 'acme',
          name,
          oidcConfiguration: {
            clients: { redirect_uris: ['https://a.test/cb'], post_logout_redirect_uris: ['https://a.test/'] },
          },
        },
      },
      admin,
    );
    expect(body.resultCode).toBe(0);
  }
  await open();
  const field = await screen.findByRole('searchbox', { name: 'Search my applications' });
  await user.type(field, 'teams NOTES');
  await screen.findByText('1 of 8 applications');
  expect(screen.getByRole('list', { name: 'My Applications' }).textContent).toContain('Team Wiki');
  expect(screen.queryByText('Canteen')).toBeNull();
  await user.clear(field);
  await user.type(field, 'nothing like it');
  await screen.findByRole('heading', { name: 'No applications match' });
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  await screen.findByText('Canteen');
});
