import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getLoginHistory, LIMITS } from '@orchestrate/shared';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { paths } from '#paths.ts';
import { user } from '#testing.ts';
import LoginHistoryScreen from './login-history-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const open = () => visitSignedIn(portal, 'super.admin@acme.test', paths.loginHistory, <LoginHistoryScreen />);
const shown = () => screen.queryAllByRole('listitem').length;
const loadMore = () => user.click(screen.getByRole('button', { name: 'Load more' }));

test('loads the whole history page by page, without duplicates', { tags: 'whole' }, async () => {
  const { token } = await open();
  const { records } = (await portal.call(getLoginHistory, { query: { count: 100 } }, { token })).body;
  await waitFor(() => expect(shown()).toBe(LIMITS.searchPageSize));
  for (let page = 2; screen.queryByRole('button', { name: 'Load more' }); page += 1) {
    await loadMore();
    const expected = Math.min(records.length, page * LIMITS.searchPageSize);
    await waitFor(() => expect(shown()).toBe(expected));
  }
  screen.getByText(`End of list: ${records.length} sign-ins`);
  const failures = records.filter(({ loginStatus }) => loginStatus === 'Failed').length;
  expect(screen.getAllByText('Failed')).toHaveLength(failures);
});

test("keeps the loaded entries if the next page can't be loaded, and retries", { tags: 'whole' }, async () => {
  await open();
  await waitFor(() => expect(shown()).toBe(LIMITS.searchPageSize));
  await portal.lab.fault({ method: 'GET', path: '/user/loginhistory', times: 2 });
  await loadMore();
  await screen.findByRole('alert');
  expect(shown()).toBe(LIMITS.searchPageSize);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(shown()).toBe(2 * LIMITS.searchPageSize));
});
