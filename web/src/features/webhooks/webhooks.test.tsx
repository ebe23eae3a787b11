import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import {
  createWebhook,
  listWebhooks,
  manageUser,
  maskAddress,
  readWebhook,
  readWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@orchestrate/shared';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import WebhookScreen from './webhook-screen.tsx';
import WebhooksScreen from './webhooks-screen.tsx';

const ADMIN = 'super.admin@acme.test';
const LIST = '/org-settings/webhooks';

/** Starts a webhook receiver that records requests and responds with `answer`. */
async function receiver() {
  const received: { id: string; type: string }[] = [];
  const answer = { status: 204, body: '' };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    received.push({ id: String(request.headers['webhook-id']), type: JSON.parse(text).type });
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

let portal: TestPortal;
let hook: Awaited<ReturnType<typeof receiver>>;
let token: string;
beforeEach(async () => {
  sessionStorage.clear();
  portal = await testPortal();
  hook = await receiver();
  ({ token } = await portal.signIn('security.admin@acme.test'));
});
afterEach(async () => {
  await closePage(portal);
  await hook.close();
});

const screens = (
  <Routes>
    <Route path={LIST} element={<WebhooksScreen />} />
    <Route path={`${LIST}/:webhookId`} element={<WebhookScreen />} />
    <Route path="*" element={<h1>Elsewhere</h1>} />
  </Routes>
);
const open = (address = LIST, email = ADMIN) => visitSignedIn(portal, email, address, screens);

async function add(body: object = {}) {
  const form = { url: hook.url, description: '', enabled: true, events: ['member.paused' as const], ...body };
  return (await portal.call(createWebhook, { body: form }, { token })).body;
}
const webhooks = async () => (await portal.call(listWebhooks, {}, { token })).body.webhooks;
const switchAccess = (action: 'pause' | 'unpause') =>
  portal.call(manageUser, { body: { suid: portal.device('user@acme.test').suid, action } }, { token });

const press = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));
const type = (name: RegExp, value: string) => fill(screen.getByRole('textbox', { name }), value);
/** Returns the text of each row in the delivery log. */
const lines = () =>
  within(screen.getByRole('table', { name: 'Deliveries' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent)
        .filter((_, column) => [0, 2, 3].includes(column))
        .join(' | '),
    );

test('names three events and offers the next step if there are no webhooks', async () => {
  await open();
  await screen.findByText(/“Member created”, “Device registered” and “Role updated”/);
  expect(screen.getAllByRole('button', { name: 'Add webhook' })).toHaveLength(1);
  expect(screen.queryByRole('heading', { level: 2, name: 'Webhooks' })).toBeNull();
});

test('adds a webhook for selected events and shows its signing secret', async () => {
  await open();
  await screen.findByRole('heading', { name: 'No webhooks yet' });
  await user.click(screen.getByRole('button', { name: 'Add webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add webhook' }));
  expect(dialog.getByRole('button', { name: 'Add webhook' })).toHaveProperty('disabled', true);
  await type(/^Address/, hook.url);
  await type(/^Description/, 'Access log');
  await user.click(dialog.getByRole('switch', { name: 'All events' }));
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  await dialog.findByText('Choose at least one event');
  await user.click(dialog.getByRole('button', { name: 'Show events in People' }));
  const members = within(dialog.getByRole('group', { name: 'People' }));
  await user.click(members.getByRole('checkbox', { name: 'Member deactivated' }));
  await user.click(members.getByRole('checkbox', { name: 'Member reactivated' }));
  dialog.getByText('2 events selected');
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));

  await screen.findByRole('heading', { level: 1, name: new URL(hook.url).host });
  const [webhook] = await webhooks();
  expect(webhook).toMatchObject({
    url: maskAddress(hook.url),
    description: 'Access log',
    enabled: true,
    events: ['member.paused', 'member.unpaused'],
  });
  const params = { webhookId: webhook?.id ?? '' };
  expect((await portal.call(readWebhook, { params }, { token })).body.webhook.url).toBe(hook.url);
  const { secret } = (await portal.call(readWebhookSecret, { params }, { token })).body;
  await press('Show secret');
  await user.click(await screen.findByRole('button', { name: 'Reveal Secret' }));
  screen.getByText(secret);
});

test('shows a URL error below its field', { tags: 'whole' }, async () => {
  await open(`${LIST}?modal=add-webhook`);
  const dialog = within(await screen.findByRole('dialog', { name: 'Add webhook' }));
  await type(/^Address/, 'example');
  await user.tab();
  await dialog.findByText('The scheme is missing. Start with https://');
  await type(/^Address/, 'https://169.254.169.254/hook');
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  await waitFor(() =>
    expect(dialog.getByRole('textbox', { name: /^Address/ }).getAttribute('aria-invalid')).toBe('true'),
  );
  expect(await webhooks()).toEqual([]);
});

test('shows a rotated secret and how long the previous secret remains valid', { tags: 'whole' }, async () => {
  const { webhook, secret } = await add();
  await open(`${LIST}/${webhook.id}`);
  await user.click(await screen.findByRole('button', { name: 'Rotate' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Rotate secret' }));
  await user.click(await screen.findByRole('button', { name: 'Reveal Secret' }));
  const shown = screen.getByText(/^whsec_/).textContent;
  expect(shown).not.toBe(secret);
  expect((await portal.call(readWebhookSecret, { params: { webhookId: webhook.id } }, { token })).body.secret).toBe(
    shown,
  );
  await screen.findByText(/^Deliveries are also signed with the previous secret until 03 Mar 2026/);
});

test('reports whether a test was delivered and, if not, why', async () => {
  const { webhook } = await add();
  await open(`${LIST}/${webhook.id}`);
  await screen.findByRole('heading', { name: 'No deliveries yet' });
  await press('Send test');
  await screen.findByText('Test delivered');
  expect(hook.received.map(({ type: sent }) => sent)).toEqual(['webhook.test']);
  await waitFor(() => expect(lines()).toEqual([expect.stringMatching(/^Test \| Delivered \| HTTP 204 in \d+ ms$/)]));

  Object.assign(hook.answer, { status: 500, body: 'The disk is full.' });
  await press('Send test');
  await screen.findByText('Test not delivered');
  await waitFor(() => expect(lines()).toHaveLength(2));
  expect(lines()[0]).toMatch(/^Test \| Failed \| HTTP 500/);
  await user.click(screen.getAllByRole('button', { name: 'Show sent data' })[0] ?? document.body);
  expect((await screen.findByRole('group', { name: 'Request body' })).textContent).toContain('"webhook.test"');
  expect(screen.getByRole('group', { name: 'Response' }).textContent).toBe('The disk is full.');

  await hook.close();
  await press('Hide sent data');
  await press('Send test');
  await waitFor(() => expect(lines()).toHaveLength(3));
  expect(lines()[0]).toMatch(/^Test \| Failed \| (?!HTTP).+/);
});

test('lists and filters deliveries and resends a failed delivery', {
  tags: 'whole',
}, async () => {
  const { webhook } = await add({ events: ['member.paused', 'member.unpaused'] });
  await switchAccess('pause');
  await waitFor(() => expect(hook.received).toHaveLength(1));
  Object.assign(hook.answer, { status: 503 });
  await portal.call(testWebhook, { params: { webhookId: webhook.id }, body: {} }, { token });
  await open(`${LIST}/${webhook.id}`);
  await screen.findByRole('table', { name: 'Deliveries' });
  await waitFor(() => expect(lines()[1]).toMatch(/^Member deactivated \| Delivered/));

  const shown = screen.getByRole('combobox', { name: 'Filter deliveries' });
  await user.selectOptions(shown, 'waiting');
  await screen.findByRole('heading', { name: 'No matching deliveries' });
  await press('Show all deliveries');
  await waitFor(() => expect(lines()).toHaveLength(2));
  await user.selectOptions(shown, 'failed');
  await waitFor(() => expect(lines()).toEqual([expect.stringMatching(/^Test \| Failed \| HTTP 503/)]));

  Object.assign(hook.answer, { status: 204 });
  await press('Show sent data');
  await user.click(await screen.findByRole('button', { name: 'Resend' }));
  await waitFor(() => expect(hook.received).toHaveLength(3));
  // The retry has the same ID and body, so receivers can ignore the repeated event.
  expect(hook.received[2]).toEqual(hook.received[1]);
  await screen.findByRole('heading', { name: 'No matching deliveries' });
  await user.selectOptions(shown, 'delivered');
  await waitFor(() => expect(lines()).toHaveLength(2));
});

test('loads a long delivery log to the end and shows an error if a page fails to load', { tags: 'whole' }, async () => {
  const { webhook } = await add();
  for (let at = 0; at < 21; at += 1)
    await portal.call(testWebhook, { params: { webhookId: webhook.id }, body: {} }, { token });
  await open(`${LIST}/${webhook.id}`);
  await screen.findByRole('table', { name: 'Deliveries' });
  expect(lines()).toHaveLength(20);
  await press('Load more');
  await screen.findByText('End of list: 21 deliveries');
  expect(lines()).toHaveLength(21);
  const path = `/org/webhooks/${webhook.id}/deliveries`;
  await portal.lab.fault({ method: 'GET', path, times: 2 });
  await press('Refresh');
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByText('End of list: 21 deliveries');
});

test('does not send events that occurred while a webhook was disabled', { tags: 'whole' }, async () => {
  const { webhook } = await add();
  await open(`${LIST}/${webhook.id}`);
  await user.click(await screen.findByRole('switch', { name: 'Enabled' }));
  await type(/^Description/, 'Out of use');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', false));
  await press('Save');
  await screen.findByText('Webhook saved');
  expect(await webhooks()).toMatchObject([{ enabled: false, description: 'Out of use' }]);
  await switchAccess('pause');
  await portal.call(testWebhook, { params: { webhookId: webhook.id }, body: {} }, { token });
  expect(hook.received.map(({ type: sent }) => sent)).toEqual(['webhook.test']);
});

test('merges the changes of two people editing the same webhook', { tags: 'whole' }, async () => {
  const { webhook } = await add({ description: 'Ours', events: [] });
  await open(`${LIST}/${webhook.id}`);
  await screen.findByRole('textbox', { name: /^Description/ });
  await type(/^Description/, 'Mine');
  const params = { webhookId: webhook.id };
  const body = { url: webhook.url, description: 'Theirs', enabled: true, events: ['member.paused' as const] };
  await portal.call(updateWebhook, { params, body }, { token, ifMatch: webhook.version });
  await press('Save');
  const dialog = within(await screen.findByRole('dialog', { name: /changed this while you were editing$/ }));
  dialog.getByRole('radio', { name: /Keep mine.*Mine/ });
  const events = within(dialog.getByRole('group', { name: /^Events/ }));
  expect(events.getByRole('radio', { name: /Keep theirs.*Member deactivated/ })).toHaveProperty('checked', true);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Webhook saved');
  expect(await webhooks()).toMatchObject([{ description: 'Mine', events: ['member.paused'] }]);
});

test('removes a deleted webhook from the list and reports on its screen that it no longer exists', {
  tags: 'whole',
}, async () => {
  const { webhook } = await add();
  await open();
  await user.click(await screen.findByRole('link', { name: maskAddress(hook.url) }));
  await user.click(await screen.findByRole('button', { name: 'Delete webhook' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Delete webhook' }));
  await screen.findByRole('heading', { name: 'No webhooks yet' });
  expect(window.location.pathname).toBe(LIST);
  expect(await webhooks()).toEqual([]);
  cleanup();
  await open(`${LIST}/${webhook.id}`);
  await screen.findByRole('heading', { name: "This webhook doesn't exist" });
});

test('shows a webhook’s full URL only in its editor', async () => {
  const { webhook } = await add({ url: 'https://hooks.slack.com/services/xoxo-token' });
  await open();
  const link = await screen.findByRole('link', { name: 'https://hooks.slack.com/…' });
  expect(document.body.innerHTML).not.toContain('xoxo-token');
  await user.click(link);
  expect(await screen.findByRole('textbox', { name: /^Address/ })).toHaveProperty('value', webhook.url);
});

test('lists ten webhooks with their status and prevents adding an eleventh', { tags: 'whole' }, async () => {
  for (let at = 0; at < 9; at += 1) await add({ url: `https://${at}.hooks.example/`, enabled: at > 0, events: [] });
  const { webhook } = await add({ events: ['member.paused'] });
  await portal.call(testWebhook, { params: { webhookId: webhook.id }, body: {} }, { token });
  await open();
  const table = within(await screen.findByRole('table', { name: 'Webhooks' }));
  const cells = (name: string) =>
    within(table.getByRole('link', { name }).closest('tr') ?? document.body)
      .getAllByRole('cell')
      .slice(1)
      .map(({ textContent }) => textContent);
  expect(cells('https://0.hooks.example/')).toEqual(['All events', 'Disabled', 'None yet']);
  expect(cells(maskAddress(hook.url))).toEqual([
    'Member deactivated',
    'Enabled',
    expect.stringMatching(/^Deliveredjust now/),
  ]);
  const button = screen.getByRole('button', { name: /Add webhook/ });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('shows an error if the user lacks permission to view webhooks', async () => {
  const { webhook } = await add();
  await open(LIST, 'user@acme.test');
  await screen.findByRole('heading', { name: "You can't view webhooks" });
  cleanup();
  await open(`${LIST}/${webhook.id}`, 'user@acme.test');
  await screen.findByRole('heading', { name: "You can't view webhooks" });
});
