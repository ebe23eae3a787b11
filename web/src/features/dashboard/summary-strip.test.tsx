import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getSummary } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { paths } from '#paths.ts';
import { SummaryStrip } from './dashboard-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const open = () => visitSignedIn(portal, 'super.admin@acme.test', paths.dashboard, <SummaryStrip />);

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

test('shows counts without links to users who can only search members', async () => {
  await visitSignedIn(portal, 'helpdesk.admin@acme.test', paths.dashboard, <SummaryStrip />);
  await screen.findByRole('link', { name: /^Active members/ });
  expect(screen.queryByRole('link', { name: /today/ })).toBeNull();
});

test('omits counts that fail to load', { tags: 'whole' }, async () => {
  await portal.lab.fault({ method: 'GET', path: '/org/summary', times: 2 });
  await open();
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Counting' })).toBeNull());
  expect(screen.queryByRole('region')).toBeNull();
});
