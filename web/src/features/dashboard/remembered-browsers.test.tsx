import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { listBrowsers } from '@orchestrate/shared';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { user } from '#testing.ts';
import { RememberedBrowsers } from './dashboard-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

test('lists a remembered browser with its expiry, and forgets it', async () => {
  const { token } = await visitSignedIn(portal, 'user@acme.test', '/dashboard', <RememberedBrowsers />);
  await screen.findByRole('heading', { name: 'Remembered browsers' });
  expect(screen.getByRole('listitem').textContent).toMatch(/last used 02 Mar 2026.*until 02 Mar 2026/);
  await user.click(screen.getByRole('button', { name: /^Forget / }));
  await waitFor(() => expect(screen.queryByRole('heading')).toBeNull());
  expect((await portal.call(listBrowsers, {}, { token })).body.browsers).toEqual([]);
});

test('renders nothing if there are no remembered browsers', async () => {
  await visitSignedIn(portal, 'admin@globex.test', '/dashboard', <RememberedBrowsers />);
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Remembered browsers' })).toBeNull());
});
