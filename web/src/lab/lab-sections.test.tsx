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
import { leave, visit } from '#layout/testing.tsx';
import { currentSession } from '#lib/session/session.ts';
import { fill, pageWidth, user } from '#testing.ts';
import LabPage from './lab-page.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(async () => {
  vi.useRealTimers();
  await leave(portal);
});

const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const stateOf = async (loginId: string) => (await portal.call(loginState, { params: { loginId } })).body.state;

test('what waits for a phone appears by itself, and is approved as anybody', async () => {
  visit(portal, '/lab/requests', <LabPage />);
  await screen.findByText('Nothing waiting for a phone');
  const { loginId } = await beginQr(portal);
  await screen.findByText('Sign-in to the portal');
  await fill(screen.getByRole('textbox', { name: 'As' }), 'user@acme.test');
  await press('Approve');
  await screen.findByText('Nothing waiting for a phone');
  expect(await stateOf(loginId)).toBe('success');
});

test('it is denied, or answered by a phone that lies, and the page says what the portal made of it', {
  tags: 'whole',
}, async () => {
  const { loginId } = await beginQr(portal);
  visit(portal, '/lab/requests', <LabPage />);
  await screen.findByText('Sign-in to the portal');
  await fill(screen.getByRole('textbox', { name: 'As' }), 'user@acme.test');
  await user.selectOptions(screen.getByRole('combobox', { name: 'The answer is' }), 'signed with another key');
  await press('Approve');
  await screen.findByText(/The portal refused this answer/);
  await user.selectOptions(screen.getByRole('combobox', { name: 'The answer is' }), 'honest');
  await press('Deny');
  await screen.findByText('Nothing waiting for a phone');
  expect(await stateOf(loginId)).toBe('rejected');
  expect((await portal.call(readRequests, {})).body.requests).toEqual([]);
});

test('the journal lists what happened by itself, is filtered, and shows everything about an entry', async () => {
  visit(portal, '/lab/journal', <LabPage />);
  await screen.findByText('What happened');
  await portal.call(getProfile, {});
  const list = within(await screen.findByRole('list', { name: 'Journal' }));
  await user.click(await list.findByText('GET /api/profile UNAUTHORIZED'));
  await screen.findByRole('heading', { name: /^GET \/api\/profile answered 401 UNAUTHORIZED/ });
  expect(screen.getByText('requestId')).toBeTruthy();
  expect(screen.getByText(/"resultName": "UNAUTHORIZED"/)).toBeTruthy();
  await press('All entries');
  await fill(screen.getByRole('searchbox', { name: 'Filter the journal' }), 'nothing of the kind');
  await screen.findByText('Nothing like this has happened');
  await fill(screen.getByRole('searchbox', { name: 'Filter the journal' }), '');
  await press('Empty the journal');
  await screen.findByText('Nothing has happened yet');
});

test('people are found by any of their words, and what their phone does by itself is set and removed', {
  tags: 'whole',
}, async () => {
  visit(portal, '/lab/people', <LabPage />);
  await screen.findByRole('list', { name: 'People' });
  await fill(screen.getByRole('searchbox', { name: 'Search people' }), 'acme user@acme.test');
  await user.click(await screen.findByRole('button', { name: /user@acme\.test/ }));
  await screen.findByText('Nothing: requests wait for an answer.');
  await fill(screen.getByRole('spinbutton', { name: 'After' }), '60001');
  await press('Set the policy');
  await screen.findByText('At most 60000');
  await fill(screen.getByRole('spinbutton', { name: 'After' }), '250');
  await fill(screen.getByRole('spinbutton', { name: 'How many times' }), '2');
  await user.selectOptions(screen.getByRole('combobox', { name: 'The phone' }), 'denies');
  await press('Set the policy');
  await screen.findAllByText('Denies, after 250 ms, 2 times');
  const { policies } = (await portal.call(readPolicies, {})).body;
  expect(policies).toEqual([
    { match: { email: 'user@acme.test', org: 'acme' }, answer: 'deny', afterMs: 250, times: 2 },
  ]);
  await press('Remove the policy for user@acme.test');
  await screen.findByText('Nothing: requests wait for an answer.');
  expect((await portal.call(readPolicies, {})).body.policies).toEqual([]);
});

test.each([
  ['people', '252'],
  ['spaces', '0'],
])('of %s no number is claimed before they have been read', { tags: 'whole' }, async (section, count) => {
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
])('%s, typed by hand, leads to the %s', async (typed, name, address) => {
  visit(portal, typed, <LabPage />);
  await screen.findByRole('heading', { level: 1, name });
  expect(window.location.pathname + window.location.search).toBe(address);
});

test('what is wrong with a fault stands at its field, also a header’s name and value', { tags: 'whole' }, async () => {
  visit(portal, '/lab/faults', <LabPage />);
  const form = within(await screen.findByRole('form', { name: 'A fault' }));
  await fill(form.getByRole('textbox', { name: 'Address' }), '/api/profile');
  await fill(form.getByRole('spinbutton', { name: 'How many times' }), '0');
  await fill(form.getByRole('spinbutton', { name: 'Let through first' }), '1.5');
  const headers = form.getByRole('textbox', { name: 'Headers (optional)' });
  for (const [typed, said] of [
    ['Retry After: 30', 'Retry After: This is not a valid header name'],
    ['Content-Length: 4', 'Content-Length: The server sets this header itself'],
    ['Retry-After: 30 €', 'Retry-After: Header values cannot contain line breaks or non-Latin-1 characters'],
  ] as const) {
    await fill(headers, typed);
    await press('Add the fault');
    await form.findByText(said);
    expect(headers.getAttribute('aria-invalid')).toBe('true');
  }
  form.getByText('At least 1');
  form.getByText('This must be a whole number');
  expect((await portal.call(readFaults, {})).body.faults).toEqual([]);
});

test('what is wrong with a person who is to be made stands at its field', { tags: 'whole' }, async () => {
  visit(portal, '/lab/people', <LabPage />);
  await press('Make a person');
  const dialog = within(await screen.findByRole('dialog'));
  await fill(dialog.getByRole('textbox', { name: 'Email' }), 'nobody');
  await fill(dialog.getByRole('textbox', { name: /^Organisation code/ }), '??');
  await user.click(dialog.getByRole('button', { name: 'Make' }));
  await dialog.findByText('Please enter a valid email address');
  dialog.getByText('Organisation codes can only contain letters, digits and hyphens');
  expect(dialog.queryByText('Some of the information is missing or not valid.')).toBeNull();
});

test('what is typed for a policy stays while its times count down', { tags: 'whole' }, async () => {
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

test('people without a simulated phone are listed with their status, and it says why nothing can be done as them', {
  tags: 'whole',
}, async () => {
  await portal.call(makePerson, { body: { org: 'acme', email: 'not.yet@acme.test', status: 'invited' } });
  visit(portal, '/lab/people?find=invited+not.yet', <LabPage />);
  const row = await screen.findByRole('button', { name: /not\.yet@acme\.test/ });
  expect(row.textContent).toContain('Invited');
  await user.click(row);
  await screen.findByText('No device yet: their activation code registers the first one.');
  expect(screen.queryByRole('button', { name: 'Sign in here' })).toBeNull();
});

test('a person is made with a phone, and is signed in in this browser', { tags: 'whole' }, async () => {
  visit(portal, '/lab/people?find=nobody+yet', <LabPage />);
  await press('Make a person');
  const form = within(await screen.findByRole('dialog'));
  await fill(form.getByRole('textbox', { name: /^Organisation code/ }), 'nowhere');
  await fill(form.getByRole('textbox', { name: 'Email' }), 'new.hand@acme.test');
  await user.click(form.getByRole('button', { name: 'Make' }));
  await form.findByRole('alert');
  await fill(form.getByRole('textbox', { name: /^Organisation code/ }), 'acme');
  await user.click(form.getByRole('button', { name: 'Make' }));
  await screen.findByRole('button', { name: 'Copy email address' });
  expect(new URLSearchParams(window.location.search).get('person')).toBeTruthy();
  await press('Sign in here');
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(currentSession()?.profile.email).toBe('new.hand@acme.test');
});

test('a person is made with a status and with devices of one’s choice', { tags: 'whole' }, async () => {
  visit(portal, '/lab/people?find=nobody+yet', <LabPage />);
  await press('Make a person');
  const form = within(await screen.findByRole('dialog'));
  await fill(form.getByRole('textbox', { name: 'Email' }), 'not.yet@acme.test');
  await user.selectOptions(form.getByRole('combobox', { name: 'Status' }), 'Invited');
  await user.selectOptions(form.getByRole('combobox', { name: 'Simulated devices' }), 'A phone and a computer');
  await fill(form.getByRole('textbox', { name: 'Name of the devices' }), 'Rosa');
  await user.click(form.getByRole('button', { name: 'Make' }));
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

test('a world file with mistakes lists each with its line and path, and a right one begins the portal again', async () => {
  visit(portal, '/lab/worlds', <LabPage />);
  await chooseBeginning('A world of your own');
  await choose('world.yaml', 'organisations:\n  - code: initech\n    people:\n      - emial: bill@initech.test\n');
  await press('Start over');
  await confirm('Start over');
  const mistakes = within(await screen.findByRole('list', { name: 'Mistakes' })).getAllByRole('listitem');
  expect(mistakes.map(({ textContent }) => textContent)).toEqual(
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

test('a snapshot is taken, restored and dropped', { tags: 'whole' }, async () => {
  visit(portal, '/lab/worlds', <LabPage />);
  await fill(await screen.findByRole('textbox', { name: 'Name of the snapshot' }), 'Before');
  await press('Take');
  await screen.findByRole('button', { name: 'Restore Before' });
  await portal.call(setPolicy, { body: { match: {}, answer: 'deny' } });
  await press('Restore Before');
  await confirm('Restore');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect((await portal.call(readPolicies, {})).body.policies).toEqual([]);
  await press('Drop Before');
  await screen.findByText(/^Keep everything as it is now/);
});

test('a space is started with a name, linked and ended', async () => {
  visit(portal, '/lab/spaces', <LabPage />);
  await fill(await screen.findByRole('textbox', { name: 'Name of the space' }), 'Beside');
  await fill(screen.getByLabelText(/^Clock frozen at/), '2031-05-06T07:08:09');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Begins with' }), 'Nothing');
  await press('Start');
  await screen.findByText('Beside');
  const [space] = (await portal.call(listSpaces, {})).body.spaces;
  const { now } = await createPortalCall({ baseUrl: space?.url ?? '' })(readClock, {});
  expect(new Date(now)).toEqual(new Date('2031-05-06T07:08:09'));
  expect(screen.getByRole('link', { name: /in a new tab/ }).getAttribute('href')).toBe(space?.url);
  await press('End Beside');
  await screen.findByText('No spaces running');
});

test('a space begins with a world of one’s own, whose mistakes are listed, or with a snapshot', {
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
  await fill(await screen.findByRole('textbox', { name: 'Name of the space' }), 'Initech');
  const begins = screen.getByRole('combobox', { name: 'Begins with' });
  await user.selectOptions(begins, 'A world of your own');
  await choose('world.yaml', 'organisations:\n  - cod: initech\n', 'World file of the space');
  await press('Start');
  const mistakes = within(await screen.findByRole('list', { name: 'Mistakes' })).getAllByRole('listitem');
  expect(mistakes.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Line 2organisations\.0\.cod: .*code/)]),
  );
  expect((await portal.call(listSpaces, {})).body.spaces).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Remove world.yaml' }));
  await choose('world.yaml', 'organisations:\n  - code: initech\n', 'World file of the space');
  await press('Start');
  await screen.findByText('Initech');
  expect(await worldOf('Initech')).toEqual(['initech']);

  await fill(screen.getByRole('textbox', { name: 'Name of the space' }), 'Again');
  await user.selectOptions(begins, taken.snapshotId);
  await press('Start');
  await screen.findByText('Again');
  expect(await worldOf('Again')).toContain('acme');
});

test('other programs are told the machine’s time, or this clock’s', { tags: 'whole' }, async () => {
  visit(portal, '/lab/clock', <LabPage />);
  const choice = await screen.findByRole('combobox', { name: 'Time that other programs are told' });
  await waitFor(() => expect(choice).toHaveProperty('disabled', false));
  await user.selectOptions(choice, 'This clock’s');
  await waitFor(async () => expect((await portal.call(readClock, {})).body.tokens).toBe('lab'));
});

test('a token is decoded, verified and explained; what is none is refused at its field', async () => {
  const { token } = await portal.signIn('user@acme.test');
  visit(portal, '/lab/tokens', <LabPage />);
  const field = await screen.findByRole('textbox', { name: 'Token or SAML response' });
  await fill(field, token);
  await press('Inspect');
  await screen.findByText('This access token of the portal is valid.');
  expect(screen.getAllByRole('img', { name: 'Met' })).toHaveLength(4);
  expect(screen.getByRole('group', { name: 'Header and claims' }).textContent).toContain('"org": "acme"');
  await fill(field, token.slice(0, -9));
  await press('Inspect');
  await screen.findByText('This access token of the portal must not be accepted: Signature.');
  await fill(field, 'nonsense!');
  await press('Inspect');
  await screen.findByText(/neither a JSON Web Token nor a SAML response/);
});

test('a fault of any kind is set at any address, and its firing is seen; a misspelt path is refused at its field', {
  tags: 'whole',
}, async () => {
  visit(portal, '/lab/faults', <LabPage />);
  const form = within(await screen.findByRole('form', { name: 'A fault' }));
  await fill(form.getByRole('textbox', { name: 'Address' }), '/api/proflie');
  await user.click(form.getByRole('button', { name: 'Add the fault' }));
  await form.findByText(/profile/);
  await fill(form.getByRole('textbox', { name: 'Address' }), '/api/health');
  await user.selectOptions(form.getByRole('combobox', { name: 'What happens' }), 'a result of the portal');
  await user.selectOptions(form.getByRole('combobox', { name: 'Result' }), 'EXPIRED');
  await user.click(form.getByRole('button', { name: 'Add the fault' }));
  const waiting = await screen.findByRole('list', { name: 'Waiting faults' });
  expect(waiting.textContent).toContain('/api/health');
  expect((await portal.call(health, {})).body.resultName).toBe('EXPIRED');
  const fired = await screen.findByRole('list', { name: 'Fired faults' });
  expect(fired.textContent).toContain('GET /api/health');
  await screen.findByText('No faults waiting');
});

test('one of two faults is removed, and the other one stays', { tags: 'whole' }, async () => {
  await portal.call(addFault, { body: { method: 'GET', path: '/health' } });
  await portal.call(addFault, { body: { match: { path: '/oidc/acme/token' }, answer: { status: 500 } } });
  visit(portal, '/lab/faults', <LabPage />);
  await press('Remove the fault at GET /api/health');
  await waitFor(async () => expect((await portal.call(readFaults, {})).body.faults).toHaveLength(1));
  const waiting = await screen.findByRole('list', { name: 'Waiting faults' });
  await waitFor(() => expect(waiting.textContent).not.toContain('/api/health'));
  expect(waiting.textContent).toContain('/oidc/acme/token');
});

test('a socket fault is set with what its kind needs, and all are removed', { tags: 'whole' }, async () => {
  visit(portal, '/lab/sockets', <LabPage />);
  const form = within(await screen.findByRole('form', { name: 'A socket fault' }));
  await user.selectOptions(form.getByRole('combobox', { name: 'What happens' }), 'the connection is closed');
  await user.click(form.getByRole('button', { name: 'Add the socket fault' }));
  await form.findByText('close requires a code');
  await fill(form.getByRole('spinbutton', { name: 'Close code' }), '1011');
  await user.click(form.getByRole('button', { name: 'Add the socket fault' }));
  const waiting = await screen.findByRole('list', { name: 'Waiting socket faults' });
  expect(waiting.textContent).toContain('1011');
  await press('Remove all socket faults');
  await screen.findByText('No socket faults waiting');
  expect((await portal.call(readSocketFaults, {})).body.faults).toEqual([]);
});

test('what everybody’s phones do is set by what the request is, and what they have done is listed', {
  tags: 'whole',
}, async () => {
  visit(portal, '/lab/phones', <LabPage />);
  await screen.findByText('No phone answers on its own');
  const form = within(screen.getByRole('form', { name: 'What the phone does automatically' }));
  await fill(form.getByRole('textbox', { name: 'Organisation code' }), 'acmee');
  await user.selectOptions(form.getByRole('combobox', { name: 'The phone' }), 'denies');
  await user.selectOptions(form.getByRole('combobox', { name: 'Reason' }), 'it was not me');
  await user.selectOptions(form.getByRole('combobox', { name: 'Kind of request' }), 'Sign-in to the portal');
  await press('Set the policy');
  await form.findByRole('alert');
  await fill(form.getByRole('textbox', { name: 'Organisation code' }), 'acme');
  await press('Set the policy');
  await screen.findByText('For everyone in acme, only “Sign-in to the portal”');
  expect((await portal.call(readPolicies, {})).body.policies).toEqual([
    { match: { org: 'acme', kind: 'login' }, answer: 'deny', reason: 'not-me', afterMs: 0 },
  ]);
  await portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: 'user@acme.test' } });
  await screen.findByRole('list', { name: 'What phones have done' });
  await portal.call(setPolicy, { body: { match: {}, answer: 'approve' } });
  await user.click(await screen.findByRole('button', { name: 'Remove the policy for everybody' }));
  await waitFor(() => expect(screen.queryByText('For everyone')).toBeNull());
  expect((await portal.call(readPolicies, {})).body.policies).toMatchObject([{ match: { org: 'acme' } }]);
  await press('Remove all policies');
  await screen.findByText('No phone answers on its own');
});

test('a SCIM error and an answer with headers are set as faults', { tags: 'whole' }, async () => {
  visit(portal, '/lab/faults', <LabPage />);
  const form = within(await screen.findByRole('form', { name: 'A fault' }));
  const kind = form.getByRole('combobox', { name: 'What happens' });
  await fill(form.getByRole('textbox', { name: 'Address' }), '/scim/v2/acme/Users');
  await user.selectOptions(kind, 'a SCIM error');
  await fill(form.getByRole('spinbutton', { name: 'HTTP status' }), '409');
  await user.selectOptions(form.getByRole('combobox', { name: 'scimType' }), 'uniqueness');
  await press('Add the fault');
  await screen.findByText('SCIM error 409 uniqueness, once');
  await fill(form.getByRole('textbox', { name: 'Address' }), '/api/health');
  await user.selectOptions(kind, 'an HTTP status');
  await fill(form.getByRole('spinbutton', { name: 'HTTP status' }), '429');
  await fill(form.getByRole('textbox', { name: /^Body/ }), '{"slow":"down"}');
  await fill(form.getByRole('textbox', { name: /^Headers/ }), 'Retry-After: 30');
  await press('Add the fault');
  await screen.findByText('429, once');
  expect((await portal.call(readFaults, {})).body.faults.map((fault) => 'answer' in fault && fault.answer)).toEqual([
    { scim: { status: 409, scimType: 'uniqueness' } },
    { status: 429, body: { slow: 'down' }, headers: { 'Retry-After': '30' } },
  ]);
});

test('a year with too many digits is refused at its field, by the clock and by a new space', {
  tags: 'whole',
}, async () => {
  visit(portal, '/lab/clock', <LabPage />);
  await fill(await screen.findByLabelText(/^Date and time/), '20310-05-06T07:08:09');
  await press('Freeze there');
  await screen.findByText('This must be a time such as 2026-11-20T08:00:00Z');
  await user.click(screen.getByRole('link', { name: 'Spaces' }));
  await fill(await screen.findByLabelText(/^Clock frozen at/), '20310-05-06T07:08:09');
  await press('Start');
  await screen.findByText('This must be a time such as 2026-11-20T08:00:00Z');
});

test('an open entry stays open when many others come, and a filter says how many it has looked through', {
  tags: 'whole',
}, async () => {
  pageWidth(true);
  await portal.call(getProfile, {});
  visit(portal, '/lab/journal', <LabPage />);
  await user.click(await screen.findByRole('button', { name: /GET \/api\/profile/ }));
  const details = () => screen.getByRole('heading', { level: 2, name: /GET \/api\/profile/ });
  await waitFor(details);
  await Promise.all(Array.from({ length: 520 }, () => portal.call(health, {})));
  await screen.findByText('The newest 200');
  await waitFor(() => expect(screen.queryByRole('button', { name: /GET \/api\/profile/ })).toBeNull());
  expect(details()).toBeTruthy();
  await fill(screen.getByRole('searchbox', { name: 'Filter the journal' }), 'nobody has asked this');
  await screen.findByText('0 of the newest 500');
});

test('what happened is checked, and what came nearest is shown with its difference', async () => {
  visit(portal, '/lab/journal', <LabPage />);
  await portal.call(getProfile, {});
  await press('Check what happened');
  const dialog = within(await screen.findByRole('dialog'));
  await fill(dialog.getByRole('textbox', { name: 'Address' }), '/api/profile');
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText('As expected');
  await fill(dialog.getByRole('spinbutton', { name: 'HTTP status' }), '200');
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText('Not as expected');
  expect(dialog.getByRole('list', { name: 'Nearest' }).textContent).toContain('status should be 200, is 401');
  await fill(dialog.getByRole('textbox', { name: 'Address' }), '/api/proflie');
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText(/profile/);

  await fill(dialog.getByRole('textbox', { name: 'Address' }), '/api/user/login');
  await user.clear(dialog.getByRole('spinbutton', { name: 'HTTP status' }));
  await user.click(dialog.getByRole('textbox', { name: /^What its body contains/ }));
  await user.paste('{ "moed": "PUSH" }');
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText(/Did you mean mode\?/);
  await user.clear(dialog.getByRole('textbox', { name: /^What its body contains/ }));

  const { last } = (await portal.call(readJournal, { query: {} })).body;
  await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  await fill(dialog.getByRole('textbox', { name: 'Organisation' }), 'acme');
  await fill(dialog.getByRole('spinbutton', { name: 'After entry' }), String(last));
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText('It happened once.');
  await fill(dialog.getByRole('spinbutton', { name: 'After entry' }), '1000000');
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByText(/The newest entry has the number/);
});

test('an emptied journal is empty on every page that shows it', { tags: 'whole' }, async () => {
  visit(portal, '/lab/journal', <LabPage />);
  await portal.call(getProfile, {});
  await screen.findByText('GET /api/profile UNAUTHORIZED');
  await portal.call(emptyJournal, {});
  await screen.findByText('Nothing has happened yet');
});

test('what happens is added above what is listed, and what was forgotten meanwhile goes', {
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

test('a magic address is found by what it does', { tags: 'whole' }, async () => {
  visit(portal, '/lab/magic', <LabPage />);
  await screen.findByText('expired@magic.test');
  await fill(screen.getByRole('searchbox', { name: 'Search magic addresses' }), 'ip-not-valid');
  await waitFor(() => expect(screen.queryByText('expired@magic.test')).toBeNull());
  expect(screen.getByRole('button', { name: /^Copy code-/ })).toBeTruthy();
});

test('a directory is played, and each step says what came back', { tags: 'whole' }, async () => {
  visit(portal, '/lab/provisioning', <LabPage />);
  await fill(await screen.findByRole('textbox', { name: 'Address' }), `${portal.url}/nothing-here`);
  await press('Send');
  const steps = within(await screen.findByRole('list', { name: 'What came back' }));
  expect(steps.getAllByRole('listitem').length).toBeGreaterThan(1);
  expect(screen.getByText('Not as expected')).toBeTruthy();
});

test('a request whose time is over disappears, though nothing happens then', { tags: 'whole' }, async () => {
  await portal.call(setClock, { body: { mode: 'real' } });
  await beginQr(portal);
  visit(portal, '/lab/requests', <LabPage />);
  await screen.findByText('Sign-in to the portal');
  vi.setSystemTime(Date.now() + 10 * MINUTE);
  await screen.findByText('Nothing waiting for a phone');
});
