import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { disownLogin, getLoginHistory, getSummary } from '@orchestrate/shared';
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { paths } from '#paths.ts';
import { stubWindowWidth, user } from '#testing.ts';
import { OrganisationPart } from './organisation-part.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => {
  vi.unstubAllGlobals();
  return closePage(portal);
});

const open = () => visitSignedIn(portal, 'super.admin@acme.test', paths.dashboard, <OrganisationPart />);

test('summarises the organisation in four counts', async () => {
  const { token } = await open();
  screen.getByRole('status', { name: 'Counting' });
  const strip = within(await screen.findByRole('region', { name: 'Organisation overview' }));
  const { members, codesExpiring } = (await portal.call(getSummary, { query: {} }, { token })).body;
  expect(strip.getByText('Active members').parentElement?.textContent).toBe(
    `Active members${members.active}of ${members.total}`,
  );
  expect(strip.getByText('Codes expiring').parentElement?.textContent).toContain(String(codesExpiring));
  strip.getByText('Sign-ins today');
  strip.getByText('Failed today');
});

test('links member counts to the member lists', async () => {
  await open();
  const active = await screen.findByRole('link', { name: /^Active members/ });
  expect(active.getAttribute('href')).toBe('/manage-users?status=active');
  expect(screen.getByRole('link', { name: /^Codes expiring/ }).getAttribute('href')).toBe(
    '/manage-users?codes=expiring',
  );
});

test("links sign-in counts to today's sign-ins for users who can view them", async () => {
  await open();
  const failed = await screen.findByRole('link', { name: /^Failed today/ });
  expect(failed.getAttribute('href')).toMatch(/^\/org-settings\/sign-ins\?status=Failed&from=\d{4}-\d\d-\d\d$/);
  expect(screen.getByRole('link', { name: /^Sign-ins today/ }).getAttribute('href')).toMatch(/\?status=Success&from=/);
});

test('shows the figures and conditions without links on a phone, which has no lists to open', async () => {
  stubWindowWidth(390);
  await open();
  const strip = within(await screen.findByRole('region', { name: 'Organisation overview' }));
  strip.getByText('Active members');
  within(screen.getByRole('region', { name: 'Needs attention' })).getByText('2 unverified email addresses');
  expect(screen.queryAllByRole('link')).toEqual([]);
  expect(screen.queryByRole('region', { name: 'Latest sign-ins' })).toBeNull();
});

test('shows counts without links to users who can only search members', async () => {
  await visitSignedIn(portal, 'helpdesk.admin@acme.test', paths.dashboard, <OrganisationPart />);
  await screen.findByRole('link', { name: /^Active members/ });
  expect(screen.queryByRole('link', { name: /today/ })).toBeNull();
});

test('shows an error if the figures can’t be loaded, and retries', { tags: 'whole' }, async () => {
  await portal.lab.fault({ method: 'GET', path: '/org/summary', times: 2 });
  await open();
  await screen.findByText('Something went wrong!');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('link', { name: /^Active members/ });
});

test('shows the sign-ins of 14 days as a chart that links each day to its list', async () => {
  const { token } = await open();
  const chart = within(await screen.findByRole('list', { name: 'Sign-ins of the last 14 days' }));
  const { days } = (await portal.call(getSummary, { query: {} }, { token })).body;
  const links = chart.getAllByRole('link');
  expect(links.map((link) => link.getAttribute('aria-label')?.replace(/^.*: /, ''))).toEqual(
    days.map(({ success, failed }) => `${success} successful, ${failed} failed`),
  );
  const { day } = days[3] ?? { day: '' };
  expect(links[3]?.getAttribute('href')).toBe(`${paths.signIns}?from=${day}&to=${day}`);
});

test('lets the keyboard read the days of the chart from a single tab stop', async () => {
  await open();
  const chart = within(await screen.findByRole('list', { name: 'Sign-ins of the last 14 days' }));
  const links = chart.getAllByRole('link');
  expect(links.filter(({ tabIndex }) => tabIndex === 0)).toEqual([links.at(-1)]);
  act(() => links.at(-1)?.focus());
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(document.activeElement).toBe(links.at(-3));
  screen.getByText(links.at(-3)?.getAttribute('aria-label') ?? '-');
  await user.keyboard('{Home}');
  expect(document.activeElement).toBe(links[0]);
});

test('links what needs attention to the filtered lists', async () => {
  const auth = await portal.signIn('user@acme.test');
  const { records } = (await portal.call(getLoginHistory, { query: { count: 1 } }, auth)).body;
  await portal.call(disownLogin, { body: { id: records[0]?.id ?? '' } }, auth);
  await open();
  const attention = within(await screen.findByRole('region', { name: 'Needs attention' }));
  const items = await attention.findAllByRole('link');
  expect(items.map((item) => item.getAttribute('href'))).toEqual([
    expect.stringMatching(/^\/org-settings\/sign-ins\?status=Failed&why=not-me&from=\d{4}-\d\d-\d\d$/),
    expect.stringMatching(/^\/org-settings\/activity\?action=sign-in.disowned&from=\d{4}-\d\d-\d\d$/),
    '/manage-users?codes=expiring',
    '/manage-users?status=unverified',
  ]);
  attention.getByText('1 sign-in reported as someone else’s');
  attention.getByText('2 unverified email addresses');
  expect(items.at(-1)?.textContent).toBe('2 unverified email addressesSigned up, but can’t sign in yet');
});

test('says so if nothing needs attention', async () => {
  await visitSignedIn(portal, 'admin@globex.test', paths.dashboard, <OrganisationPart />);
  await screen.findByText('Nothing needs your attention.');
});

test('lists the latest sign-ins of the organisation, with relative times', async () => {
  await open();
  const latest = within(await screen.findByRole('region', { name: 'Latest sign-ins' }));
  const rows = await latest.findAllByRole('listitem');
  expect(rows).toHaveLength(5);
  expect(rows[0]?.textContent).toMatch(/^ALAvery Lindqvist signed in to Portal.*just now$/);
});

test('hides sign-ins and reports from users who can only search members', async () => {
  await visitSignedIn(portal, 'helpdesk.admin@acme.test', paths.dashboard, <OrganisationPart />);
  const attention = within(await screen.findByRole('region', { name: 'Needs attention' }));
  const items = await attention.findAllByRole('link');
  expect(items.map((item) => item.getAttribute('href'))).toEqual([
    '/manage-users?codes=expiring',
    '/manage-users?status=unverified',
  ]);
  expect(screen.queryByRole('region', { name: 'Latest sign-ins' })).toBeNull();
  const chart = within(screen.getByRole('list', { name: 'Sign-ins of the last 14 days' }));
  expect(chart.queryAllByRole('link')).toEqual([]);
  expect(chart.getAllByRole('img')).toHaveLength(14);
});
