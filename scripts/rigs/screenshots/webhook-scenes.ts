import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestPortal } from '@orchestrate/server/testing';
import { createWebhook, manageUser, rotateWebhookSecret, testWebhook } from '@orchestrate/shared';
import type { Page } from '@playwright/test';
import type { Scene } from './scene.ts';

const ADMIN = 'super.admin@acme.test';

/** Starts a receiver that always returns this response. The receiver doesn't keep the process running. */
async function receiver(status: number, body: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Creates three webhooks, one of which has deliveries of every kind. Returns that webhook's ID. */
async function fill(portal: TestPortal): Promise<string> {
  const { token } = await portal.signIn(ADMIN);
  const add = async (url: string, description: string, about: object) => {
    const body = { url, description, enabled: true, events: [], ...about };
    return (await portal.call(createWebhook, { body }, { token })).body.webhook.id;
  };
  const test = (webhookId: string) => portal.call(testWebhook, { params: { webhookId }, body: {} }, { token });
  const healthy = await receiver(200, '{"accepted":true}');
  const broken = await receiver(503, '{"error":"Queue is full, try again later"}');
  const first = await add(`${healthy}/orchestrate/events`, 'Security monitoring', {});
  const second = await add(`${broken}/people/changed?tenant=acme&source=orchestrate`, 'HR system', {
    events: ['member.paused', 'member.unpaused', 'member.updated'],
  });
  await add('https://hooks.example.com/services/T024BE7LD/B0251ABC/archive', '', { enabled: false });
  await test(first);
  const { suid } = portal.device('user@acme.test');
  await portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  await portal.call(manageUser, { body: { suid, action: 'unpause' } }, { token });
  await portal.call(rotateWebhookSecret, { params: { webhookId: first }, body: {} }, { token });
  await test(second);
  return second;
}

const empty = (name: string, act?: (page: Page) => Promise<void>): Scene => ({
  name: `webhooks${name}`,
  on: ['desktop'],
  async arrange({ page, signIn }) {
    await signIn(ADMIN);
    await page.goto('/org-settings/webhooks');
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await act?.(page);
  },
});

const filled = (name: string, act?: (page: Page, webhookId: string) => Promise<void>, isWhole = true): Scene => ({
  name: `webhooks-${name}`,
  on: ['desktop'],
  isWhole,
  async arrange({ portal, page, signIn }) {
    const webhookId = await fill(portal);
    await signIn(ADMIN);
    await page.goto(`/org-settings/webhooks${act ? `/${webhookId}` : ''}`);
    await page.getByRole('table').waitFor();
    await act?.(page, webhookId);
  },
});

export const webhookScenes: Scene[] = [
  empty(''),
  empty('-add', async (page) => {
    await page.goto('/org-settings/webhooks?modal=add-webhook');
    await page.getByRole('textbox', { name: 'Address' }).fill('https://hooks.example.com/orchestrate');
  }),
  empty('-add-events', async (page) => {
    await page.goto('/org-settings/webhooks?modal=add-webhook');
    await page.getByRole('textbox', { name: 'Address' }).fill('https://hooks.example.com/orchestrate');
    await page.getByRole('switch', { name: 'All events' }).click();
    await page.getByRole('button', { name: 'Show the events of People' }).click();
    await page.getByRole('checkbox', { name: 'Member disabled' }).check();
  }),
  filled('list'),
  filled('page', async (page) => {
    await page.getByRole('button', { name: 'Show secret' }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Test not delivered').waitFor();
    await page.getByRole('button', { name: 'Show sent data' }).first().click();
    await page.getByRole('group', { name: 'Response' }).waitFor();
  }),
  filled(
    'delete',
    async (page) => {
      await page.getByRole('button', { name: 'Delete webhook' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
    false,
  ),
  filled(
    'rotate',
    async (page) => {
      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
    false,
  ),
];
