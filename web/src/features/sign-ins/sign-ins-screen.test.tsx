import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { listSignIns, login, searchUsers } from '@orchestrate/shared';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { decodeMemberSegment } from '#lib/address/member-address.ts';
import { chooseItem, fill, user } from '#testing.ts';
import { signInsPath } from './shared/sign-ins-address.ts';
import SignInsScreen from './sign-ins-screen.tsx';

const ADMIN = 'super.admin@acme.test';
const PREFERENCES = 'orchestrate.lists';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn(ADMIN));
});
afterEach(() => closePage(portal));

const open = (address = '/org-settings/sign-ins', email = ADMIN) =>
  visitSignedIn(portal, email, address, <SignInsScreen />);

/** Returns the newest matching sign-ins from the server. */
const signIns = async (query: object) => (await portal.call(listSignIns, { query }, { token })).body;

/** Scans a code as a user and denies the sign-in. */
async function deny(email: string) {
  const { body } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const phone = portal.device(email);
  const { challenge } = await portal.authenticator.resolve(phone, body.qid ?? '');
  await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'deny', reason: 'not-me' });
}

/** Opens the list again in the same browser, whose storage `open` clears. */
async function reopen(email = ADMIN) {
  const kept = localStorage.getItem(PREFERENCES) ?? '';
  cleanup();
  await open('/org-settings/sign-ins', email);
  act(() => {
    localStorage.setItem(PREFERENCES, kept);
    window.dispatchEvent(new Event('storage'));
  });
}

const rows = () =>
  within(screen.getByRole('table', { name: 'Sign-ins' }))
    .getAllByRole('row')
    .slice(1);

test('lists all sign-ins with member, address, method and failure reason', async () => {
  await deny('user@acme.test');
  await open();
  await screen.findByRole('table', { name: 'Sign-ins' });
  const denied = rows().find((row) => row.textContent?.includes('user@acme.test'));
  if (!denied) throw new Error('The sign-in that was denied is not listed');
  expect(denied.textContent).toContain('Failed“It wasn’t me”');
  expect(denied.textContent).toContain('Scanned code');
  expect(within(denied).getByRole('link').getAttribute('href')).toMatch(/^\/manage-users\//);
});

// covers: spec 1.2.17
test('links a name to the member, with the status in the URL if the member is deleted', async () => {
  const { body } = await portal.call(searchUsers, { query: { status: 'deleted' } }, { token });
  const [deleted] = body.Items;
  await open(signInsPath({ suid: deleted?.suid }));
  const [link] = await screen.findAllByRole('link', { name: `${deleted?.firstName} ${deleted?.lastName}` });
  const { pathname, search } = new URL(link?.getAttribute('href') ?? '', window.location.origin);
  expect(search).toBe('?status=deleted');
  const { primaryAttr, suid } = deleted ?? {};
  expect(decodeMemberSegment(pathname.split('/').at(-1) ?? '')).toMatchObject({ primaryAttr, suid });
});

// covers: spec 2.2.51
test('filters by result, application and method, and stores the filters in the URL', async () => {
  await deny('user@acme.test');
  await open();
  await screen.findByRole('table', { name: 'Sign-ins' });
  const choose = (name: string, value: string) => user.selectOptions(screen.getByRole('combobox', { name }), value);
  await choose('Result', 'Failed');
  await waitFor(() => expect(rows().every((row) => row.textContent?.includes('Failed'))).toBe(true));
  expect(window.location.search).toBe('?status=Failed');
  await choose('Method', 'OIDC');
  await waitFor(() => expect(window.location.search).toBe('?status=Failed&how=OIDC'));
  const clear = await screen.findByRole('button', { name: /Clear filters|Search further back/ });
  expect(clear).toBeDefined();
  await choose('Result', '');
  await choose('Method', 'QID');
  await choose('Application', 'portal');
  await waitFor(() => expect(window.location.search).toBe('?how=QID&app=portal'));
  await waitFor(() => expect(rows().every((row) => row.textContent?.includes('Scanned code'))).toBe(true));
});

test('opens the sign-ins of a member, address or period from a link', { tags: 'whole' }, async () => {
  await deny('user@acme.test');
  const { Items } = await signIns({ status: 'Failed' });
  const [failed] = Items;
  if (!failed) throw new Error('Nothing failed');
  await open(signInsPath({ suid: failed.suid, ip: failed.ip, status: 'Failed', from: failed.timestamp.slice(0, 10) }));
  await screen.findByRole('table', { name: 'Sign-ins' });
  expect(rows().every((row) => row.textContent?.includes(failed.email))).toBe(true);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'IP address' }).value).toBe(failed.ip);
  await user.click(await screen.findByRole('button', { name: `Remove filter: ${failed.name}` }));
  await waitFor(() => expect(new URLSearchParams(window.location.search).has('who')).toBe(false));
});

test('loads a long list one page at a time', { tags: 'whole' }, async () => {
  const { LastEvaluatedKey } = await signIns({ pageSize: 50 });
  expect(LastEvaluatedKey).not.toBeNull();
  await open();
  await screen.findByRole('table', { name: 'Sign-ins' });
  await waitFor(() => expect(rows()).toHaveLength(50));
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(rows().length).toBeGreaterThan(50));
});

test('reloads the list on Retry after a failed load', {
  tags: 'whole',
}, async () => {
  await portal.lab.fault({ method: 'GET', path: '/org/sign-ins', times: 2 });
  await open();
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByRole('table', { name: 'Sign-ins' });
});

test('shows an error if the administrator lacks permission', async () => {
  await open('/org-settings/sign-ins', 'user@acme.test');
  await screen.findByRole('heading', { name: "You can't view sign-ins" });
});

test('filters by a reason of failure, from a link or by choice', async () => {
  await deny('user@acme.test');
  await open(signInsPath({ status: 'Failed', reason: 'not-me' }));
  await screen.findByRole('table', { name: 'Sign-ins' });
  expect(rows().every((row) => row.textContent?.includes('Failed“It wasn’t me”'))).toBe(true);
  const result = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Result' });
  expect(result.value).toBe('not-me');
  await user.selectOptions(result, 'Failed');
  await waitFor(() => expect(window.location.search).toBe('?status=Failed'));
});

test('limits the list to a day of the chart, and shows every day again on the next click', async () => {
  await open(signInsPath({ status: 'Failed' }));
  const chart = within(await screen.findByRole('list', { name: 'Sign-ins of the last 14 days' }));
  const days = chart.getAllByRole('link');
  const busy = days.find((day) => !/ 0 failed$/.test(day.getAttribute('aria-label') ?? ''));
  if (!busy) throw new Error('No sign-in has failed');
  await user.click(busy);
  const { searchParams } = new URL(window.location.href);
  expect(searchParams.get('from')).toBe(searchParams.get('to'));
  expect(searchParams.get('status')).toBe('Failed');
  await waitFor(() => expect(busy.getAttribute('aria-current')).toBe('page'));
  const count = Number(/(\d+) failed$/.exec(busy.getAttribute('aria-label') ?? '')?.[1]);
  await screen.findByText(`End of list: ${count === 1 ? '1 sign-in' : `${count} sign-ins`}`);
  await user.click(busy);
  await waitFor(() => expect(window.location.search).toBe('?status=Failed'));
});

test('saves filters under a name without the period, applies them again and deletes them', async () => {
  await open(signInsPath({ status: 'Failed', mode: 'QID', from: '2026-02-20' }));
  await user.click(await screen.findByRole('button', { name: 'Save filters' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save filters' }));
  await fill(dialog.getByRole('textbox', { name: 'Name' }), 'Failed scans');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const saved = screen.getByRole('button', { name: 'Failed scans', pressed: true });
  expect(screen.queryByRole('button', { name: 'Save filters' })).toBeNull();

  await user.click(saved);
  await waitFor(() => expect(window.location.search).toBe('?from=2026-02-20'));
  await user.click(screen.getByRole('button', { name: 'Failed scans', pressed: false }));
  await waitFor(() => expect(new URLSearchParams(window.location.search).get('how')).toBe('QID'));
  await reopen();
  await user.click(await screen.findByRole('button', { name: 'Delete saved filter Failed scans' }));
  expect(screen.queryByRole('button', { name: 'Failed scans' })).toBeNull();
});

test('keeps saved filters and columns from other users of the browser', async () => {
  await open(signInsPath({ status: 'Failed' }));
  await user.click(await screen.findByRole('button', { name: 'Save filters' }));
  await fill(await screen.findByRole('textbox', { name: 'Name' }), 'Mine');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: 'Mine' });
  await reopen('security.admin@acme.test');
  await screen.findByRole('table', { name: 'Sign-ins' });
  expect(localStorage.getItem(PREFERENCES)).toContain('Mine');
  expect(screen.queryByRole('button', { name: 'Mine' })).toBeNull();
});

test('hides a column, and remembers it in this browser', async () => {
  await open();
  await screen.findByRole('columnheader', { name: 'Application' });
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await chooseItem(await screen.findByRole('menuitemcheckbox', { name: 'Application', checked: true }));
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Application' })).toBeNull());
  screen.getByRole('menuitemcheckbox', { name: 'Application', checked: false });
  await reopen();
  await screen.findByRole('columnheader', { name: 'Member' });
  expect(screen.queryByRole('columnheader', { name: 'Application' })).toBeNull();
});
