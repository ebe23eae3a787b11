import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visit } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import ReferencePage from './reference-page.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const linksIn = (menu: HTMLElement): string[] =>
  [...menu.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');

// covers: security 2.1.1–2.1.3
test('lists every endpoint and socket in the menu, and finds operations by result', async () => {
  visit(portal, '/docs', <ReferencePage />);
  const menu = await screen.findByLabelText('Reference');
  const { endpoints, channels } = portal.deps.registered;
  expect(linksIn(menu).filter((address) => /^\/docs\/\w+$/.test(address))).toHaveLength(endpoints.length);
  expect(linksIn(menu).filter((address) => address.startsWith('/docs/sockets/'))).toHaveLength(channels.length);
  await fill(screen.getByLabelText('Search the reference'), 'at_least_one delete');
  expect(linksIn(menu)).toEqual(['/docs/areas/devices', '/docs/deleteDevice']);
  await fill(screen.getByLabelText('Search the reference'), 'nothing has this');
  expect(screen.getByText('No matches').textContent).toBe('No matches');
});

test('starts with a first call, which gets its token from the lab', async () => {
  visit(portal, '/docs', <ReferencePage />);
  const call = await screen.findByLabelText('the first call');
  await waitFor(() => expect(call.textContent).toContain('"email":"super.admin@acme.test"'));
  expect(call.textContent).toContain('/api/profile');
  expect(screen.getByRole('link', { name: 'send it from here' }).getAttribute('href')).toBe('/docs/getProfile');
});

// covers: security 8.1.1, security 8.1.2
test("shows an operation's access, request and possible results", async () => {
  visit(portal, '/docs/deleteDevice', <ReferencePage />);
  await screen.findByText('Delete a device, or report it lost', { selector: 'h1' });
  expect(screen.getByText('REMOVE_REPORTEE_DEVICE').parentElement?.textContent).toContain(
    'for a direct report, REMOVE_REPORTEE_DEVICE',
  );
  const fields = within(screen.getByLabelText('Body', { selector: 'section' })).getAllByRole('listitem');
  expect(fields.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('zidstringrequired'),
    expect.stringContaining('suidstringrequired'),
    expect.stringContaining('action"LOST_DEVICE"optional'),
  ]);
  const results = within(screen.getByLabelText('Results', { selector: 'section' })).getAllByRole('row');
  expect(results.map(({ textContent }) => textContent)).toContain(
    '20026AT_LEAST_ONE_DEVICE_MUST_EXISTAt least one mobile device should exist',
  );
  expect(screen.getByLabelText('the call in curl').textContent).toContain('-H "authorization: Bearer $TOKEN"');
  expect(screen.getByRole('link', { name: 'POST /api/lab/sessions' }).getAttribute('href')).toBe('/docs/makeSession');
});

test("shows an upload's file in its fields and in the code", { tags: 'whole' }, async () => {
  visit(portal, '/docs/bulkInvite', <ReferencePage />);
  const form = await screen.findByLabelText('Body: multipart/form-data', { selector: 'section' });
  expect(form.textContent).toMatch(/file.*required/);
  expect(screen.getByLabelText('the call in curl').textContent).toContain("-F 'file=@people.csv'");
});

test('lists every possible content type of a download', { tags: 'whole' }, async () => {
  visit(portal, '/docs/exportActivity', <ReferencePage />);
  await screen.findByText(/^Export the activity as a file/, { selector: 'h1' });
  expect(screen.getByLabelText('Response', { selector: 'section' }).textContent).toContain(
    'text/csv, application/x-ndjson',
  );
});

test('lists each refusal that the lab can force without duplicates', { tags: 'whole' }, async () => {
  visit(portal, '/docs/deleteDevice', <ReferencePage />);
  const choice = await screen.findByLabelText<HTMLSelectElement>('Response', { selector: 'select' });
  const names = Array.from(choice.options, ({ value }) => value);
  expect(names).toContain('FORBIDDEN');
  expect(names).toEqual([...new Set(names)]);
});

test('links an unknown path back to the reference', { tags: 'whole' }, async () => {
  visit(portal, '/docs/getProfil', <ReferencePage />);
  await screen.findByText('Page not found', { selector: 'h1' });
  expect(screen.getAllByRole('main')).toHaveLength(1);
  expect(screen.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe('/docs');
});

test('opens the first search result with Enter and moves to the others with the arrow keys', {
  tags: 'whole',
}, async () => {
  visit(portal, '/docs', <ReferencePage />);
  const search = await screen.findByLabelText('Search the reference');
  await user.type(search, 'webhooks/{id}');
  const found = within(screen.getByRole('navigation', { name: 'Reference' }))
    .getAllByRole('listitem')
    .map((item) => within(item).getByRole('link'));
  expect(found.length).toBeGreaterThan(2);
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(found[1]);
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(document.activeElement).toBe(search);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(found[0]?.getAttribute('aria-current')).toBe('page'));
});

test("disables Send if the body isn't valid JSON", { tags: 'whole' }, async () => {
  visit(portal, '/docs/makePerson', <ReferencePage />);
  const body = await screen.findByLabelText('Body', { selector: 'textarea' });
  expect(body).toHaveProperty('value', '{\n  "org": "acme"\n}');
  await fill(body, '{');
  screen.getByText('Enter valid JSON');
  expect(screen.getByText('Send')).toHaveProperty('disabled', true);
});

test('offers enum values and can omit an optional field', {
  tags: 'whole',
}, async () => {
  visit(portal, '/docs/searchUsers', <ReferencePage />);
  const status = await screen.findByRole('combobox', { name: 'status' });
  const options = within(status)
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
  expect(options).toEqual(['Omit', 'active', 'inactive', 'unregistered', 'deleted', 'unverified', 'invited']);
  await user.selectOptions(status, 'inactive');
  expect(screen.getByLabelText('the call in curl').textContent).toContain('&status=inactive');
  await user.selectOptions(status, 'Omit');
  expect(screen.getByLabelText('the call in curl').textContent).not.toContain('status');
});

test("offers a path parameter's allowed values", { tags: 'whole' }, async () => {
  visit(portal, '/docs/previewMailText', <ReferencePage />);
  const name = await screen.findByRole('combobox', { name: /^name/ });
  expect(within(name).queryByText('Omit')).toBeNull();
  await user.selectOptions(name, 'activation-code');
  expect(screen.getByLabelText('the call in curl').textContent).toContain('/api/org/mails/activation-code/preview');
});

test("shows a socket's query and its messages in both directions", { tags: 'whole' }, async () => {
  visit(portal, '/docs/sockets/addDevice', <ReferencePage />);
  expect((await screen.findByLabelText('Messages from the portal')).textContent).toContain(
    '"start" or "notify" or "confirm"',
  );
  expect(screen.getByLabelText('Messages to the portal').textContent).toContain('confirm"yes" or "no"required');
  expect(screen.getByLabelText('the code that opens /ws/add-device').textContent).toContain('`bearer.${token}`');
});

test('starts a flow, opens and closes its socket, and shows the messages', async () => {
  visit(portal, '/docs/sockets/login', <ReferencePage />);
  await screen.findByDisplayValue(/Super Admin, acme/);
  await user.click(screen.getByText('Start a flow'));
  await waitFor(() => expect(screen.getByLabelText(/^loginId/)).not.toHaveProperty('value', ''));
  await user.click(screen.getByText('Open'));
  expect((await screen.findByLabelText('Received message 1')).textContent).toContain('"state": "init"');
  await screen.findByText('Connected. 1 message.');
  await user.click(screen.getByText('Close'));
  await screen.findByText('Closed with 1000. 1 message.');
});

test('opens a socket as one of the lab’s people and sends a message', { tags: 'whole' }, async () => {
  visit(portal, '/docs/sockets/addDevice', <ReferencePage />);
  await screen.findByDisplayValue(/Super Admin, acme/);
  await user.click(screen.getByText('Start a flow'));
  await waitFor(() => expect(screen.getByLabelText(/^aid/)).not.toHaveProperty('value', ''));
  await user.click(screen.getByText('Open'));
  expect((await screen.findByLabelText('Received message 1')).textContent).toContain('"respType": "start"');
  await fill(screen.getByLabelText('Message'), '{}');
  await user.click(screen.getByText('Send'));
  expect((await screen.findByLabelText('Sent message 2')).textContent).toBe('{}');
  await screen.findByText(/^Closed with 1008/);
});

test('reports a refused socket', { tags: 'whole' }, async () => {
  visit(portal, '/docs/sockets/login', <ReferencePage />);
  await fill(await screen.findByLabelText(/^loginId/), 'nothing');
  await user.click(screen.getByText('Open'));
  await screen.findByText(/^The portal refused the connection/);
});

test('hides the form for operations that need a session if there is no lab', { tags: 'whole' }, async () => {
  await portal.close();
  portal = await testPortal({ config: { lab: false } });
  visit(portal, '/docs/getProfile', <ReferencePage />);
  await screen.findByText("The lab isn't available on this portal.");
});
