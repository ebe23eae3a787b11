import { beginQr, type TestPortal, testPortal } from '@orchestrate/server/testing';
import {
  addFault,
  emptyJournal,
  getProfile,
  health,
  listSpaces,
  login,
  loginState,
  MINUTE,
  makePerson,
  readClock,
  readFaults,
  readJournal,
  readPeople,
  readPolicies,
  readRequests,
  readSocketFaults,
  readWorld,
  setClock,
  setPolicy,
  signup,
  takeSnapshot,
  virtualDevices,
} from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closePage, visit } from '#layout/testing.tsx';
import { currentSession } from '#lib/session/session.ts';
import { fill, stubPageWidth, user } from '#testing.ts';
import LabPage from './lab-page.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(async () => {
  vi.useRealTimers();
  await closePage(portal);
});

const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const stateOf = async (loginId: string) => (await portal.call(loginState, { params: { loginId } })).body.state;

test('shows new requests automatically and approves a request as any person', async () => {
  visit(portal, '/lab/requests', <LabPage />);
  await screen.findByText('No pending requests');
  const { loginId } = await beginQr(portal);
  await screen.findByText('Sign-in to the portal');
  await fill(screen.getByRole('textbox', { name: 'Answer as' }), 'user@acme.test');
  await press('Approve');
  await screen.findByText('No pending requests');
  expect(await stateOf(loginId)).toBe('success');
});

test('denies a request or sends a tampered answer and shows the portal’s response', {
  tags: 'whole',
}, async () => {
  const { loginId } = await beginQr(portal);
  visit(portal, '/lab/requests', <LabPage />);
  await screen.findByText('Sign-in to the portal');
  await fill(screen.getByRole('textbox', { name: 'Answer as' }), 'user@acme.test');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Answer' }), 'signed with another key');
  await press('Approve');
  await screen.findByText(/The portal rejected the answer/);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Answer' }), 'valid');
  await press('Deny');
  await screen.findByText('No pending requests');
  expect(await stateOf(loginId)).toBe('rejected');
  expect((await portal.call(readRequests, {})).body.requests).toEqual([]);
});

test('lists new journal entries automatically, filters them and shows their details', async () => {
  visit(portal, '/lab/journal', <LabPage />);
  await screen.findByText('Entries');
  await portal.call(getProfile, {});
  const list = within(await screen.findByRole('list', { name: 'Journal' }));
  await user.click(await list.findByText('GET /api/profile UNAUTHORIZED'));
  await screen.findByRole('heading', { name: /^GET \/api\/profile answered 401 UNAUTHORIZED/ });
  expect(screen.getByText('requestId')).toBeTruthy();
  expect(screen.getByText(/"resultName": "UNAUTHORIZED"/)).toBeTruthy();
  await press('All entries');
  await fill(screen.getByRole('searchbox', { name: 'Filter the journal' }), 'nothing of the kind');
  await screen.findByText('No matching entries');
  await fill(screen.getByRole('searchbox', { name: 'Filter the journal' }), '');
  await press('Clear the journal');
  await screen.findByText('No entries yet');
});

test('searches people, and sets and removes a phone policy', {
  tags: 'whole',
}, async () => {
  visit(portal, '/lab/people', <LabPage />);
  await screen.findByRole('list', { name: 'People' });
  await fill(screen.getByRole('searchbox', { name: 'Search people' }), 'acme user@acme.test');
  await user.click(await screen.findByRole('button', { name: /user@acme\.test/ }));
  await screen.findByText('No policies. Requests wait for an answer.');
  await fill(screen.getByRole('spinbutton', { name: 'After' }), '60001');
  await press('Set policy');
  await screen.findByText('At most 60000');
  await fill(screen.getByRole('spinbutton', { name: 'After' }), '250');
  await fill(screen.getByRole('spinbutton', { name: 'Times to apply' }), '2');
  await user.selectOptions(screen.getByRole('combobox', { name: 'The phone' }), 'denies');
  await press('Set policy');
  await screen.findAllByText('Denies, after 250 ms, 2 times');
  const { policies } = (await portal.call(readPolicies, {})).body;
  expect(policies).toEqual([
    { match: { email: 'user@acme.test', org: 'acme' }, answer: 'deny', afterMs: 250, times: 2 },
  ]);
  await press('Remove policy for user@acme.test');
  await screen.findByText('No policies. Requests wait for an answer.');
  expect((await portal.call(readPolicies, {})).body.policies).toEqual([]);
});

test.each([
  ['people', '252'],
  ['spaces', '0'],
])('shows no count of %s until they are loaded', { tags: 'whole' }, async (section, count) => {
  const counts: unknown[] = [];
  const watcher = new MutationObserver(() => {
    for (const status of document.querySelectorAll('section [role=status]')) counts.push(status.textContent);
  });
  watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
  visit(portal, `/lab/${section}`, <LabPage />);
  await screen.findByText(count);
  watcher.disconnect();
  expect(new Set(counts)).toEqual(new Set(['', count]));
});

test.each([
  ['/lab/outbox?to=user@acme.test', 'Outbox', '/lab?to=user@acme.test'],
  ['/lab/policies', 'Policies', '/lab/phones'],
])('redirects %s to the section %s', async (typed, name, address) => {
  visit(portal, typed, <LabPage />);
  await screen.findByRole('heading', { level: 1, name });
  expect(window.location.pathname + window.location.search).toBe(address);
});

test('shows fault errors next to their fields, including headers', { tags: 'whole' }, async () => {
  visit(portal, '/lab/faults', <LabPage />);
  const form = within(await screen.findByRole('form', { name: 'New fault' }));
  await fill(form.getByRole('textbox', { name: 'Path' }), '/api/profile');
  await fill(form.getByRole('spinbutton', { name: 'Times to trigger' }), '0');
  await fill(form.getByRole('spinbutton', { name: 'Skip the first' }), '1.5');
  await form.findByText('Enter digits only');
  const headers = form.getByRole('textbox', { name: 'Headers (optional)' });
  for (const [typed, expected] of [
    ['Retry After: 30', "Retry After: This isn't a valid header name"],
    ['Content-Length: 4', 'Content-Length: This header is set by the server'],
    ['Retry-After: 30 €', 'Retry-After: Header values cannot contain line breaks or non-Latin-1 characters'],
  ] as const) {
    await fill(headers, typed);
    await press('Add fault');
    await form.findByText(expected);
    expect(headers.getAttribute('aria-invalid')).toBe('true');
  }
  form.getByText('At least 1');
  expect((await portal.call(readFaults, {})).body.faults).toEqual([]);
});

test('shows errors for a new person next to their fields', { tags: 'whole' }, async () => {
  visit(portal, '/lab/people', <LabPage />);
  await press('Create a person');
  const dialog = within(await screen.findByRole('dialog'));
  await fill(dialog.getByRole('textbox', { name: 'Email' }), 'nobody');
  await fill(dialog.getByRole('textbox', { name: /^Organisation code/ }), '??');
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  await dialog.findByText('Please enter a valid email address');
  dialog.getByText('Organisation codes can only contain letters, digits and hyphens');
  expect(dialog.queryByText('Some of the information is missing or not valid.')).toBeNull();
});

test('keeps policy input while the remaining number of uses goes down', { tags: 'whole' }, async () => {
  const policy = { match: { email: 'user@acme.test', org: 'acme' }, answer: 'approve' } as const;
  await portal.call(setPolicy, { body: { ...policy, times: 2 } });
  visit(portal, '/lab/people?find=acme+user@acme.test', <LabPage />);
  await user.click(await screen.findByRole('button', { name: /user@acme\.test/ }));
  await screen.findAllByText('Approves, 2 times');
  await fill(screen.getByRole('spinbutton', { name: 'After' }), '777');
  await portal.call(setPolicy, { body: { ...policy, times: 1 } });
  await screen.findAllByText('Approves, once');
  expect(screen.getByRole<HTMLInputElement>('spinbutton', { name: 'After' }).value).toBe('777');
});

test('lists people without a simulated phone and explains why you can’t act as them', {
  tags: 'whole',
}, async () => {
  await portal.call(makePerson, { body: { org: 'acme', email: 'not.yet@acme.test', status: 'invited' } });
  visit(portal, '/lab/people?find=invited+not.yet', <LabPage />);
  const row = await screen.findByRole('button', { name: /not\.yet@acme\.test/ });
  expect(row.textContent).toContain('Invited');
  await user.click(row);
  await screen.findByText('No device yet. This person can register one with their activation code.');
  expect(screen.queryByRole('button', { name: 'Sign in here' })).toBeNull();
});

test('creates a person with a phone and signs them in to this browser', { tags: 'whole' }, async () => {
  visit(portal, '/lab/people?find=nobody+yet', <LabPage />);
  await press('Create a person');
  const form = within(await screen.findByRole('dialog'));
  await fill(form.getByRole('textbox', { name: /^Organisation code/ }), 'nowhere');
  await fill(form.getByRole('textbox', { name: 'Email' }), 'new.hand@acme.test');
  await user.click(form.getByRole('button', { name: 'Create' }));
  await form.findByText('There is no organisation nowhere.');
  await fill(form.getByRole('textbox', { name: /^Organisation code/ }), 'acme');
  await user.click(form.getByRole('button', { name: 'Create' }));
  await screen.findByRole('button', { name: 'Copy email address' });
  expect(new URLSearchParams(window.location.search).get('person')).toBeTruthy();
  await press('Sign in here');
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(currentSession()?.profile.email).toBe('new.hand@acme.test');
});

test('creates a person with a status and devices', { tags: 'whole' }, async () => {
  visit(portal, '/lab/people?find=nobody+yet', <LabPage />);
  await press('Create a person');
  const form = within(await screen.findByRole('dialog'));
  await fill(form.getByRole('textbox', { name: 'Email' }), 'not.yet@acme.test');
  await user.selectOptions(form.getByRole('combobox', { name: 'Status' }), 'Invited');
  await user.selectOptions(form.getByRole('combobox', { name: 'Simulated devices' }), 'Phone and computer');
  await fill(form.getByRole('textbox', { name: 'Device name' }), 'Rosa');
  await user.click(form.getByRole('button', { name: 'Create' }));
  await waitFor(async () => {
    const { people } = (await portal.call(readPeople, { query: { email: 'not.yet@acme.test' } })).body;
    expect(people).toEqual([expect.objectContaining({ orgCode: 'acme', status: 'invited', deviceCount: 2 })]);
  });
  const { devices } = (await portal.call(virtualDevices, { query: { orgCode: 'acme' } })).body;
  expect(devices.filter(({ primaryEmail }) => primaryEmail === 'not.yet@acme.test').map(({ name }) => name)).toEqual([
    'Rosa',
    'Rosa',
  ]);
});

const chooseBeginning = async (name: string) =>
  user.selectOptions(await screen.findByRole('combobox', { name: 'Start over with' }), name);
const choose = (name: string, content: string, label = 'World file') =>
  user.upload(screen.getByLabelText(label, { selector: 'input' }), new File([content], name));
const confirm = async (name: string) =>
  user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }));

test('lists world file errors with line and path and resets to a valid file', async () => {
  visit(portal, '/lab/worlds', <LabPage />);
  await chooseBeginning('Your own world file');
  await choose('world.yaml', 'organisations:\n  - code: initech\n    people:\n      - emial: bill@initech.test\n');
  await press('Start over');
  await confirm('Start over');
  const errors = within(await screen.findByRole('list', { name: 'Mistakes' })).getAllByRole('listitem');
  expect(errors.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Line 4organisations\.0\.people\.0\.emial: .*email/)]),
  );
  await user.click(screen.getByRole('button', { name: 'Remove world.yaml' }));
  await choose('world.yaml', 'randomSeed: a\norganisations: b: c\n');
  await press('Start over');
  await confirm('Start over');
  await screen.findByText('Line 2');
  await user.click(screen.getByRole('button', { name: 'Remove world.yaml' }));
  await choose('world.yaml', 'organisations:\n  - code: initech\n    people:\n      - email: bill@initech.test\n');
  await press('Start over');
  await confirm('Start over');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  const { world } = (await portal.call(readWorld, {})).body;
  expect(world.organisations?.map(({ code }) => code)).toEqual(['initech']);
});

test('takes, restores and deletes a snapshot', { tags: 'whole' }, async () => {
  visit(portal, '/lab/worlds', <LabPage />);
  await fill(await screen.findByRole('textbox', { name: 'Snapshot name' }), 'Before');
  await press('Take snapshot');
  await screen.findByRole('button', { name: 'Restore Before' });
  await portal.call(setPolicy, { body: { match: {}, answer: 'deny' } });
  await press('Restore Before');
  await confirm('Restore');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect((await portal.call(readPolicies, {})).body.policies).toEqual([]);
  await press('Delete Before');
  await screen.findByText(/^Save the portal’s current state/);
});

test('starts, links and ends a space', async () => {
  visit(portal, '/lab/spaces', <LabPage />);
  await fill(await screen.findByRole('textbox', { name: 'Space name' }), 'Beside');
  await fill(screen.getByLabelText(/^Freeze clock at/), '2031-05-06T07:08:09');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Start with' }), 'Empty portal');
  await press('Start');
  await screen.findByText('Beside');
  const [space] = (await portal.call(listSpaces, {})).body.spaces;
  const { now } = await createPortalCall({ baseUrl: space?.url ?? '' })(readClock, {});
  expect(new Date(now)).toEqual(new Date('2031-05-06T07:08:09'));
  expect(screen.getByRole('link', { name: /in a new tab/ }).getAttribute('href')).toBe(space?.url);
  await press('End Beside');
  await screen.findByText('No spaces running');
});

test('starts a space with a snapshot or world file and lists the file’s errors', {
  tags: 'whole',
}, async () => {
  const worldOf = async (name: string) => {
    const { spaces } = (await portal.call(listSpaces, {})).body;
    const { url } = spaces.find((space) => space.name === name) ?? expect.fail(`There is no space ${name}`);
    const { world } = await createPortalCall({ baseUrl: url })(readWorld, {});
    return world.organisations?.map(({ code }) => code);
  };
  const taken = (await portal.call(takeSnapshot, { body: { name: 'With hands' } })).body;
  visit(portal, '/lab/spaces', <LabPage />);
  await fill(await screen.findByRole('textbox', { name: 'Space name' }), 'Initech');
  const begins = screen.getByRole('combobox', { name: 'Start with' });
  await user.selectOptions(begins, 'Your own world file');
  await choose('world.yaml', 'organisations:\n  - cod: initech\n', 'World file for the space');
  await press('Start');
  const errors = within(await screen.findByRole('list', { name: 'Mistakes' })).getAllByRole('listitem');
  expect(errors.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Line 2organisations\.0\.cod: .*code/)]),
  );
  expect((await portal.call(listSpaces, {})).body.spaces).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Remove world.yaml' }));
  await choose('world.yaml', 'organisations:\n  - code: initech\n', 'World file for the space');
  await press('Start');
  await screen.findByText('Initech');
  expect(await worldOf('Initech')).toEqual(['initech']);

  await fill(screen.getByRole('textbox', { name: 'Space name' }), 'Again');
  await user.selectOptions(begins, taken.snapshotId);
  await press('Start');
  await screen.findByText('Again');
  expect(await worldOf('Again')).toContain('acme');
});

test('uses the machine’s time or the lab clock in tokens', { tags: 'whole' }, async () => {
  visit(portal, '/lab/clock', <LabPage />);
  const choice = await screen.findByRole('combobox', { name: 'Time in tokens and messages' });
  await waitFor(() => expect(choice).toHaveProperty('disabled', false));
  await user.selectOptions(choice, 'Portal time');
  await waitFor(async () => expect((await portal.call(readClock, {})).body.tokens).toBe('lab'));
});

test('decodes and verifies a token and shows an error for any other input', async () => {
  const { token } = await portal.signIn('user@acme.test');
  visit(portal, '/lab/tokens', <LabPage />);
  const field = await screen.findByRole('textbox', { name: 'Token or SAML response' });
  await fill(field, token);
  await press('Inspect');
  await screen.findByText('This portal access token is valid.');
  expect(screen.getAllByRole('img', { name: 'Passed' })).toHaveLength(4);
  expect(screen.getByRole('group', { name: 'Header and claims' }).textContent).toContain('"org": "acme"');
  await fill(field, token.slice(0, -9));
  await press('Inspect');
  await screen.findByText('This portal access token must not be accepted: Signature.');
  await fill(field, 'nonsense!');
  await press('Inspect');
  await screen.findByText(/neither a JSON Web Token nor a SAML response/);
});

test('adds any kind of fault, shows when it triggered, and rejects a misspelt path', {
  tags: 'whole',
}, async () => {
  visit(portal, '/lab/faults', <LabPage />);
  const form = within(await screen.findByRole('form', { name: 'New fault' }));
  await fill(form.getByRole('textbox', { name: 'Path' }), '/api/proflie');
  await user.click(form.getByRole('button', { name: 'Add fault' }));
  await form.findByText(/profile/);
  await fill(form.getByRole('textbox', { name: 'Path' }), '/api/health');
  await user.selectOptions(form.getByRole('combobox', { name: 'Effect' }), 'Portal result');
  await user.selectOptions(form.getByRole('combobox', { name: 'Result' }), 'EXPIRED');
  await user.click(form.getByRole('button', { name: 'Add fault' }));
  const waiting = await screen.findByRole('list', { name: 'Pending faults' });
  expect(waiting.textContent).toContain('/api/health');
  expect((await portal.call(health, {})).body.resultName).toBe('EXPIRED');
  const fired = await screen.findByRole('list', { name: 'Triggered faults' });
  expect(fired.textContent).toContain('GET /api/health');
  await screen.findByText('No pending faults');
});

test('removes only one of two faults', { tags: 'whole' }, async () => {
  await portal.call(addFault, { body: { method: 'GET', path: '/health' } });
  await portal.call(addFault, { body: { match: { path: '/oidc/acme/token' }, answer: { status: 500 } } });
  visit(portal, '/lab/faults', <LabPage />);
  await press('Remove fault for GET /api/health');
  await waitFor(async () => expect((await portal.call(readFaults, {})).body.faults).toHaveLength(1));
  const waiting = await screen.findByRole('list', { name: 'Pending faults' });
  await waitFor(() => expect(waiting.textContent).not.toContain('/api/health'));
  expect(waiting.textContent).toContain('/oidc/acme/token');
});

test('adds a socket fault with the fields for its effect and removes all socket faults', {
  tags: 'whole',
}, async () => {
  visit(portal, '/lab/sockets', <LabPage />);
  const form = within(await screen.findByRole('form', { name: 'New socket fault' }));
  await user.selectOptions(form.getByRole('combobox', { name: 'Effect' }), 'Close the connection');
  await user.click(form.getByRole('button', { name: 'Add socket fault' }));
  await form.findByText('close requires a code');
  await fill(form.getByRole('spinbutton', { name: 'Close code' }), '1011');
  await user.click(form.getByRole('button', { name: 'Add socket fault' }));
  const waiting = await screen.findByRole('list', { name: 'Pending socket faults' });
  expect(waiting.textContent).toContain('1011');
  await press('Remove all socket faults');
  await screen.findByText('No pending socket faults');
  expect((await portal.call(readSocketFaults, {})).body.faults).toEqual([]);
});

test('sets policies by request kind and lists the automatic answers', {
  tags: 'whole',
}, async () => {
  visit(portal, '/lab/phones', <LabPage />);
  await screen.findByText('No policies yet');
  const form = within(screen.getByRole('form', { name: 'Policy' }));
  await fill(form.getByRole('textbox', { name: 'Organisation code' }), 'acmee');
  await user.selectOptions(form.getByRole('combobox', { name: 'The phone' }), 'denies');
  await user.selectOptions(form.getByRole('combobox', { name: 'Reason' }), 'it wasn’t me');
  await user.selectOptions(form.getByRole('combobox', { name: 'Request kind' }), 'Sign-in to the portal');
  await press('Set policy');
  await form.findByText('There is no organisation acmee. Did you mean acme?');
  await fill(form.getByRole('textbox', { name: 'Organisation code' }), 'acme');
  await press('Set policy');
  const shown = 'For everyone in acme, only “Sign-in to the portal”';
  await screen.findByText(`${shown} · Not used yet`);
  expect((await portal.call(readPolicies, {})).body.policies).toEqual([
    { match: { org: 'acme', kind: 'login' }, answer: 'deny', reason: 'not-me', afterMs: 0 },
  ]);
  await portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: 'user@acme.test' } });
  await screen.findByRole('list', { name: 'Automatic answers' });
  await screen.findByText(shown);
  await portal.call(setPolicy, { body: { match: {}, answer: 'approve' } });
  await user.click(await screen.findByRole('button', { name: 'Remove policy for everyone' }));
  await waitFor(() => expect(screen.queryByText('Included for everyone')).toBeNull());
  expect((await portal.call(readPolicies, {})).body.policies).toMatchObject([{ match: { org: 'acme' } }]);
  await press('Remove all policies');
  await screen.findByText('No policies yet');
});

test('adds a SCIM error and a response with headers as faults', { tags: 'whole' }, async () => {
  visit(portal, '/lab/faults', <LabPage />);
  const form = within(await screen.findByRole('form', { name: 'New fault' }));
  const kind = form.getByRole('combobox', { name: 'Effect' });
  await fill(form.getByRole('textbox', { name: 'Path' }), '/scim/v2/acme/Users');
  await user.selectOptions(kind, 'SCIM error');
  await fill(form.getByRole('spinbutton', { name: 'HTTP status' }), '409');
  await user.selectOptions(form.getByRole('combobox', { name: 'scimType' }), 'uniqueness');
  await press('Add fault');
  await screen.findByText('SCIM error 409 uniqueness, once');
  await fill(form.getByRole('textbox', { name: 'Path' }), '/api/health');
  await user.selectOptions(kind, 'HTTP status');
  await fill(form.getByRole('spinbutton', { name: 'HTTP status' }), '429');
  await fill(form.getByRole('textbox', { name: /^Body/ }), '{"slow":"down"}');
  await fill(form.getByRole('textbox', { name: /^Headers/ }), 'Retry-After: 30');
  await press('Add fault');
  await screen.findByText('429, once');
  expect((await portal.call(readFaults, {})).body.faults.map((fault) => 'answer' in fault && fault.answer)).toEqual([
    { scim: { status: 409, scimType: 'uniqueness' } },
    { status: 429, body: { slow: 'down' }, headers: { 'Retry-After': '30' } },
  ]);
});

test('rejects a year with too many digits for the clock and a new space', {
  tags: 'whole',
}, async () => {
  visit(portal, '/lab/clock', <LabPage />);
  await fill(await screen.findByLabelText(/^Date and time/), '20310-05-06T07:08:09');
  await press('Freeze at this time');
  await screen.findByText('This must be a time such as 2026-11-20T08:00:00Z');
  await user.click(screen.getByRole('link', { name: 'Spaces' }));
  await fill(await screen.findByLabelText(/^Freeze clock at/), '20310-05-06T07:08:09');
  await press('Start');
  await screen.findByText('This must be a time such as 2026-11-20T08:00:00Z');
});

test('keeps an entry open while new entries arrive and shows how many were searched', {
  tags: 'whole',
}, async () => {
  stubPageWidth(true);
  await portal.call(getProfile, {});
  visit(portal, '/lab/journal', <LabPage />);
  await user.click(await screen.findByRole('button', { name: /GET \/api\/profile/ }));
  const details = () => screen.getByRole('heading', { level: 2, name: /GET \/api\/profile/ });
  await waitFor(details);
  await Promise.all(Array.from({ length: 520 }, () => portal.call(health, {})));
  await screen.findByText('Newest 200');
  await waitFor(() => expect(screen.queryByRole('button', { name: /GET \/api\/profile/ })).toBeNull());
  expect(details()).toBeTruthy();
  await fill(screen.getByRole('searchbox', { name: 'Filter the journal' }), 'nobody has asked this');
  await screen.findByText('0 of the newest 500');
});

test('verifies the journal and shows how the closest match differs', async () => {
  visit(portal, '/lab/journal', <LabPage />);
  await portal.call(getProfile, {});
  await press('Verify the journal');
  const dialog = within(await screen.findByRole('dialog'));
  await fill(dialog.getByRole('textbox', { name: 'Path' }), '/api/profile');
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText('As expected');
  await fill(dialog.getByRole('spinbutton', { name: 'HTTP status' }), '200');
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText('Not as expected');
  expect(dialog.getByRole('list', { name: 'Closest matches' }).textContent).toContain('status: expected 200, got 401');
  await fill(dialog.getByRole('textbox', { name: 'Path' }), '/api/proflie');
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText(/profile/);

  await fill(dialog.getByRole('textbox', { name: 'Path' }), '/api/user/login');
  await user.clear(dialog.getByRole('spinbutton', { name: 'HTTP status' }));
  await user.click(dialog.getByRole('textbox', { name: /^Body contains/ }));
  await user.paste('{ "moed": "PUSH" }');
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText(/Did you mean mode\?/);
  await user.clear(dialog.getByRole('textbox', { name: /^Body contains/ }));

  const { last } = (await portal.call(readJournal, { query: {} })).body;
  await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  await fill(dialog.getByRole('textbox', { name: 'Organisation' }), 'acme');
  await fill(dialog.getByRole('spinbutton', { name: 'After entry' }), String(last));
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText('The event happened once.');
  await fill(dialog.getByRole('spinbutton', { name: 'After entry' }), '1000000');
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText(/The newest entry is number/);
});

test('empties the displayed list when the journal is cleared elsewhere', { tags: 'whole' }, async () => {
  visit(portal, '/lab/journal', <LabPage />);
  await portal.call(getProfile, {});
  await screen.findByText('GET /api/profile UNAUTHORIZED');
  await portal.call(emptyJournal, {});
  await screen.findByText('No entries yet');
});

test('adds new entries at the top and removes entries that are no longer stored', {
  tags: 'whole',
}, async () => {
  await portal.call(getProfile, {});
  await portal.call(signup, { body: { orgCode: 'acme', firstName: 'A', lastName: 'B', email: 'a.b@acme.test' } });
  visit(portal, '/lab/journal', <LabPage />);
  const rows = async () =>
    within(await screen.findByRole('list', { name: 'Journal' }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent?.match(/^(GET|POST) \S+/)?.[0] ?? 'no request');
  await waitFor(async () => expect(await rows()).toContain('GET /api/profile'));
  const before = await rows();
  await portal.call(health, {});
  await waitFor(async () => expect(await rows()).toEqual(['GET /api/health', ...before]));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Messages');
  await waitFor(async () => expect(await rows()).toEqual(['no request']));
  await portal.call(signup, { body: { orgCode: 'acme', firstName: 'C', lastName: 'D', email: 'c.d@acme.test' } });
  await waitFor(async () => expect(await rows()).toEqual(['no request', 'no request']));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Requests');
  await waitFor(async () =>
    expect(await rows()).toEqual(expect.arrayContaining(['POST /api/user/signup', 'GET /api/health'])),
  );
  await portal.call(emptyJournal, {});
  await portal.call(health, {});
  await waitFor(async () =>
    expect((await rows()).filter((row) => !row.includes('/api/lab/'))).toEqual(['GET /api/health']),
  );
});

test('finds a magic address by its result', { tags: 'whole' }, async () => {
  visit(portal, '/lab/magic', <LabPage />);
  await screen.findByText('expired@magic.test');
  await fill(screen.getByRole('searchbox', { name: 'Search magic addresses' }), 'ip-not-valid');
  await waitFor(() => expect(screen.queryByText('expired@magic.test')).toBeNull());
  expect(screen.getByRole('button', { name: /^Copy code-/ })).toBeTruthy();
});

test('sends directory requests and shows the response to each request', { tags: 'whole' }, async () => {
  visit(portal, '/lab/provisioning', <LabPage />);
  await fill(await screen.findByRole('textbox', { name: 'URL' }), `${portal.url}/nothing-here`);
  await press('Send');
  const steps = within(await screen.findByRole('list', { name: 'Responses' }));
  expect(steps.getAllByRole('listitem').length).toBeGreaterThan(1);
  expect(screen.getByText('Not as expected')).toBeTruthy();
});

test('removes a request from the list when it expires, without waiting for an event', { tags: 'whole' }, async () => {
  await portal.call(setClock, { body: { mode: 'real' } });
  await beginQr(portal);
  visit(portal, '/lab/requests', <LabPage />);
  await screen.findByText('Sign-in to the portal');
  // Advances the browser's clock repeatedly, because the page restarts from the portal's time whenever it reads it.
  await waitFor(() => {
    vi.setSystemTime(Date.now() + 10 * MINUTE);
    screen.getByText('No pending requests');
  });
});
