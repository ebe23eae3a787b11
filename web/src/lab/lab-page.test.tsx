import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import {
  bulkInvite,
  emailActivationCode,
  emptyOutbox,
  LIMITS,
  OUTBOX_MESSAGES_MAX,
  readClock,
  readFaults,
  readOutbox,
  regenerateActivationCode,
} from '@orchestrate/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closePage, visit } from '#layout/testing.tsx';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { labToken } from '#lib/session/browser-state.ts';
import { fill, formPart, user, withPlainSpaces } from '#testing.ts';
import LabPage from './lab-page.tsx';

const ADMIN = 'super.admin@acme.test';
const PEOPLE = ['manager@acme.test', 'helpdesk.admin@acme.test'];

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn(ADMIN));
  await portal.call(emptyOutbox, {});
});
afterEach(async () => {
  vi.useRealTimers();
  await closePage(portal);
});

/** Emails a desktop activation code and returns the code. */
async function mailCode(email: string): Promise<string> {
  const { primaryAttr } = (await portal.signIn(email)).profile;
  const { body } = await portal.call(
    regenerateActivationCode,
    { body: { email, primaryAttr, type: 'desktop', sendEmail: true } },
    { token },
  );
  return body.activationCode;
}

/** Emails an activation code to each of `count` new users. */
async function inviteNewcomers(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => `new.${index}@acme.test,New,Person,N-${index}`);
  const fields = `${formPart('"type"', 'mobile')}${formPart('"sendEmail"', 'true')}`;
  const response = await fetch(`${portal.url}/api${bulkInvite.path}`, {
    method: bulkInvite.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    body: `${fields}${formPart('"file"; filename="people.csv"', rows.join('\n'))}--b--\r\n`,
  });
  expect(await response.json()).toMatchObject({ created: count });
}

const messages = () => within(screen.getByRole('list', { name: 'Messages' }));
const rows = () => messages().getAllByRole('button');
const press = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }));
const reader = () => screen.getByRole('article');

test('shows new emails automatically, newest first, with their code and text', async () => {
  visit(portal, '/lab', <LabPage />);
  await screen.findByText('No messages yet');
  const first = await mailCode(PEOPLE[0] ?? '');
  await screen.findByRole('button', { name: new RegExp(first) });
  const second = await mailCode(PEOPLE[1] ?? '');
  await waitFor(() =>
    expect(rows().map((row) => row.textContent)).toMatchObject([
      expect.stringContaining(second),
      expect.stringContaining(first),
    ]),
  );

  await press(new RegExp(first));
  expect(within(reader()).getByText(PEOPLE[0] ?? '')).toBeTruthy();
  expect(within(reader()).getByRole('group', { name: `Code: ${first}` })).toBeTruthy();
  const frame = within(reader()).getByTitle<HTMLIFrameElement>('Your activation code for Acme Corporation');
  expect(frame.srcdoc).toContain(first);
  expect(frame.getAttribute('sandbox')).not.toContain('allow-scripts');
  await user.click(within(reader()).getByRole('tab', { name: 'Text' }));
  expect(within(reader()).getByText(/This is your activation code/).textContent).toContain(first);
});

test('filters the list by address and keeps the filter in the URL', {
  tags: 'whole',
}, async () => {
  for (const email of PEOPLE) await mailCode(email);
  visit(portal, '/lab?to=MANAGER', <LabPage />);
  expect(await screen.findByText('1 of 2')).toBeTruthy();
  expect(rows()).toHaveLength(1);
  await fill(screen.getByRole('searchbox', { name: 'Filter by address' }), 'nobody');
  await screen.findByText('No messages to “nobody”');
  await press('Clear filter');
  expect(rows()).toHaveLength(2);
  expect(window.location.search).toBe('');
});

test('shows typed text immediately and updates the URL after a delay', async () => {
  await mailCode(PEOPLE[0] ?? '');
  visit(portal, '/lab', <LabPage />);
  const field = await screen.findByRole('searchbox', { name: 'Filter by address' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await user.type(field, 'man');
  expect(field).toMatchObject({ value: 'man' });
  expect(window.location.search).toBe('');
  act(() => vi.advanceTimersByTime(LIMITS.searchDebounceMs));
  expect(window.location.search).toBe('?to=man');
});

test('notes that older messages are not listed and finds them by their full address', {
  tags: 'whole',
}, async () => {
  const [early = ''] = PEOPLE;
  const code = await mailCode(early);
  await inviteNewcomers(OUTBOX_MESSAGES_MAX);
  visit(portal, '/lab', <LabPage />);
  await screen.findByText('Newest 200');
  screen.getByText(/^Only the newest 200 are listed/);
  expect(rows()).toHaveLength(OUTBOX_MESSAGES_MAX);
  await fill(screen.getByRole('searchbox', { name: 'Filter by address' }), early);
  await screen.findByText('1 found');
  await press(new RegExp(code));
  expect(within(reader()).getByText(early)).toBeTruthy();
});

test('clears the outbox', { tags: 'whole' }, async () => {
  await mailCode(PEOPLE[0] ?? '');
  visit(portal, '/lab', <LabPage />);
  await press('Clear the outbox');
  await screen.findByText('No messages yet');
  expect((await portal.call(readOutbox, { query: {} })).body.messages).toEqual([]);
});

test('advances, freezes and releases the clock', async () => {
  visit(portal, '/lab/clock', <LabPage />);
  await screen.findByText('Frozen.');
  const shown = (time: string) => within(screen.getByRole('main')).findByText(withPlainSpaces(time));
  const before = portal.clock.now();
  await press('+ 1 hour');
  await shown(formatDateTimeSeconds(before + 3_600_000));
  await fill(screen.getByRole('textbox', { name: 'Custom amount' }), 'a while');
  await press('Advance');
  await screen.findByText(/Enter a duration such as/);
  await fill(screen.getByRole('textbox', { name: 'Custom amount' }), '1h 30m');
  await press('Advance');
  await shown(formatDateTimeSeconds(before + 9_000_000));
  await fill(screen.getByLabelText('Date and time'), '2031-05-06T07:08:09');
  await press('Freeze at this time');
  await shown('06 May 2031, 07:08:09 AM');
  await press('Real time');
  await screen.findByText('Follows the machine’s time.');
  await press('Freeze');
  await screen.findByText('Frozen.');
  expect((await portal.call(readClock, {})).body.mode).toBe('frozen');
});

test('adds, lists and removes a fault', { tags: 'whole' }, async () => {
  visit(portal, '/lab/faults', <LabPage />);
  await press('Add fault');
  await screen.findByText('This field is required');
  await fill(screen.getByRole('textbox', { name: 'Path' }), '/api/services/email');
  await fill(screen.getByRole('spinbutton', { name: 'Times to trigger' }), '2');
  await press('Add fault');
  await screen.findByText('500, 2 times');
  expect(screen.getByRole('link', { name: 'Faults 1 waiting' })).toBeTruthy();
  const answer = await portal.call(
    emailActivationCode,
    { body: { email: 'super.admin@acme.test', primaryAttr: 'E-10001', type: 'desktop' } },
    { token },
  );
  expect(answer.status).toBe(500);
  await press('Remove all faults');
  await waitFor(async () => expect((await portal.call(readFaults, {})).body.faults).toEqual([]));
});

test('asks for confirmation before a reset, then restores everything', async () => {
  const code = await mailCode(PEOPLE[0] ?? '');
  visit(portal, '/lab', <LabPage />);
  await screen.findByRole('button', { name: new RegExp(code) });
  await press('Reset the portal');
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Reset the portal' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(rows().length).toBeGreaterThan(1));
  expect(screen.queryByRole('button', { name: new RegExp(code) })).toBeNull();
});

test('shows a not-found page if the lab is off', async () => {
  await portal.close();
  portal = await testPortal({ config: { lab: false } });
  visit(portal, '/lab', <LabPage />);
  await screen.findByRole('heading', { name: 'Page not found' });
});

test('asks for the lab token if opened from another machine', { tags: 'whole' }, async () => {
  await closePage(portal);
  portal = await testPortal({ config: { labToken: 'open-sesame' } });
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-for', '198.51.100.7');
    return send(address, { ...init, headers });
  });
  visit(portal, '/lab', <LabPage />);
  const give = async (given: string) => {
    await fill(await screen.findByLabelText('Lab token'), given);
    await press('Open the lab');
  };
  await give('open-barley');
  await screen.findByText('This token isn’t valid. Check it and try again.');
  await give('open-sesame');
  await screen.findByRole('heading', { name: 'Outbox' });
});

test('opens the lab with the token in the URL and removes the token from the URL', async () => {
  await closePage(portal);
  portal = await testPortal({ config: { labToken: 'open-sesame', host: '0.0.0.0' } });
  visit(portal, '/lab#lab-token=open-sesame', <LabPage />);
  await screen.findByRole('heading', { name: 'Outbox' });
  expect(window.location.hash).toBe('');
  expect(labToken()).toBe('open-sesame');
});

test('reports a stopped portal or ended space without showing lists as empty', {
  tags: 'whole',
}, async () => {
  const ending = await testPortal();
  visit(ending, '/lab', <LabPage />);
  await screen.findByRole('heading', { level: 1, name: 'Outbox' });
  await ending.close();
  await screen.findByText(/The portal isn't responding/);
  await user.click(screen.getByRole('link', { name: 'Journal' }));
  await screen.findByRole('heading', { level: 1, name: 'Journal' });
  expect(screen.queryByText('No entries yet')).toBeNull();
});
