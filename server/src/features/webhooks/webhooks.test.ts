import {
  createWebhook,
  DAY,
  deleteWebhook,
  HOUR,
  listActivity,
  listWebhookDeliveries,
  listWebhooks,
  MINUTE,
  manageUser,
  readJournal,
  readOutbox,
  readWebhook,
  resendWebhookDelivery,
  rotateWebhookSecret,
  SECOND,
  testWebhook,
  updateWebhook,
} from '@orchestrate/shared';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { record } from '#core/audit/record.ts';
import { systemActor } from '#platform/http/callers/actors.ts';
import { JITTER } from '#platform/live/next-delivery-attempt.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '#testing/receiver.ts';
import { TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';

/** Maximum factor by which jitter extends a retry delay. */
const LATEST = 1 + JITTER;

let portal: TestPortal;
let hook: Receiver;
let token: string;
beforeEach(async () => {
  // The receiver's library reads the system clock, so set it to the portal's time.
  vi.useFakeTimers({ toFake: ['Date'], now: TEST_NOW });
  portal = await testPortal();
  hook = await startReceiver();
  ({ token } = await portal.signIn('security.admin@acme.test'));
});
afterEach(async () => {
  vi.useRealTimers();
  await portal.close();
  await hook.close();
});

async function add(body: object = {}) {
  const form = { url: hook.url, description: '', enabled: true, events: [], ...body };
  return (await portal.call(createWebhook, { body: form }, { token })).body;
}

/** Pauses or unpauses a member, which triggers an event. */
async function change(action: 'pause' | 'unpause' = 'pause') {
  const { suid } = portal.device('user@acme.test');
  await portal.call(manageUser, { body: { suid, action } }, { token });
}

async function deliveries(webhookId: string) {
  const { body } = await portal.call(listWebhookDeliveries, { params: { webhookId }, query: {} }, { token });
  return body.Items;
}

/** Waits until the latest delivery has been attempted this many times. */
async function settled(webhookId: string, attempts: number) {
  for (;;) {
    const delivery = (await deliveries(webhookId)).find(({ type }) => type.startsWith('member.'));
    const isDone = delivery?.attempts === attempts && (delivery.responseStatus !== null || delivery.error !== '');
    if (isDone) return delivery;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Advances both clocks and signs in again, because tokens expire. */
async function later(ms: number) {
  vi.setSystemTime(portal.clock.now() + ms);
  portal.clock.advance(ms / SECOND);
}

const verify = ({ body, headers }: ReceivedRequest, secret: string) => new Webhook(secret).verify(body, headers);

// covers: spec 3.1.7, security 16.4.3
test('delivers an event with a signature that a Standard Webhooks library accepts', async () => {
  const { webhook, secret } = await add({ events: ['member.paused'] });
  await change();
  await hook.until(1);
  const [sent] = hook.received;
  if (!sent) throw new Error('Nothing came.');
  const { suid } = portal.device('user@acme.test');
  expect(verify(sent, secret)).toMatchObject({
    type: 'member.paused',
    timestamp: new Date(TEST_NOW).toISOString(),
    data: { orgCode: 'acme', suid, object: { type: 'member', id: suid }, changes: [{ field: 'accountStatus' }] },
  });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/=]{44}$/);
  expect(await settled(webhook.id, 1)).toMatchObject({
    status: 'delivered',
    attempts: 1,
    responseStatus: 204,
    nextAttemptAt: null,
    id: sent.headers['webhook-id'],
  });
  expect(() => verify({ ...sent, body: `${sent.body} ` }, secret)).toThrow();
});

test('sends only selected events, and none to a disabled webhook', async () => {
  const wanted = await add({ events: ['member.unpaused'] });
  const off = await add({ enabled: false });
  await change();
  await change('unpause');
  await hook.until(1);
  await settled(wanted.webhook.id, 1);
  expect(hook.received.map(({ body }) => JSON.parse(body).type)).toEqual(['member.unpaused']);
  expect(await deliveries(off.webhook.id)).toEqual([]);
});

/** Returns the delay from `from` until the next attempt, in milliseconds. */
const waitOf = (delivery: { nextAttemptAt: string | null }, from: number) =>
  Date.parse(delivery.nextAttemptAt ?? '') - from;

function expectWait(delivery: { nextAttemptAt: string | null }, from: number, wait: number): void {
  expect(waitOf(delivery, from)).toBeGreaterThanOrEqual(wait);
  expect(waitOf(delivery, from)).toBeLessThanOrEqual(wait * LATEST);
}

// covers: spec 3.1.8
test('retries a failed delivery with the same ID after 5 s and 5 min, ignoring redirects', async () => {
  const { webhook, secret } = await add({ events: ['member.paused'] });
  hook.answerWith({ status: 302, headers: { location: '/elsewhere' }, body: 'x'.repeat(5_000) });
  await change();
  const first = await settled(webhook.id, 1);
  expect(first).toMatchObject({ status: 'waiting', responseStatus: 302 });
  expect(first?.responseBody).toHaveLength(1_000);
  expectWait(first, TEST_NOW, 5 * SECOND);
  await later(5 * SECOND * LATEST);
  const second = await settled(webhook.id, 2);
  expectWait(second, portal.clock.now(), 5 * MINUTE);
  hook.answerWith({ status: 200 });
  await later(5 * MINUTE * LATEST);
  expect(await settled(webhook.id, 3)).toMatchObject({ status: 'delivered', responseStatus: 200 });
  expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const last = hook.received.at(-1);
  expect(last && verify(last, secret)).toMatchObject({ type: 'member.paused' });
});

test.each<[string, number, string, number]>([
  ['in seconds, if later than the schedule', 429, '90', 90 * SECOND],
  ['as a date', 503, new Date(TEST_NOW + 2 * MINUTE).toUTCString(), 2 * MINUTE],
  ['up to a maximum of one day', 503, '99999999999999999999', DAY],
  ['only if it’s later than the schedule', 429, '1', 5 * SECOND],
  ['only with the statuses that define it', 500, '90', 5 * SECOND],
  ['only if it’s valid', 429, 'soon', 5 * SECOND],
  ['only if its date isn’t in the past', 429, new Date(TEST_NOW - DAY).toUTCString(), 5 * SECOND],
])('respects Retry-After %s', async (_name, status, retryAfter, wait) => {
  const { webhook } = await add({ events: ['member.paused'] });
  hook.answerWith({ status, headers: { 'retry-after': retryAfter } });
  await change();
  expectWait(await settled(webhook.id, 1), TEST_NOW, wait);
});

test('spreads retries of deliveries that failed at the same time', async () => {
  const { webhook } = await add({ events: ['member.paused', 'member.unpaused'] });
  hook.answerWith({ status: 500 });
  for (const action of ['pause', 'unpause', 'pause', 'unpause', 'pause', 'unpause'] as const) await change(action);
  await hook.until(6);
  const failed = async () => (await deliveries(webhook.id)).filter(({ responseStatus }) => responseStatus === 500);
  while ((await failed()).length < 6) await new Promise((resolve) => setImmediate(resolve));
  const waits = (await failed()).map((delivery) => waitOf(delivery, TEST_NOW));
  expect(new Set(waits).size).toBeGreaterThan(1);
});

test('includes only field names in an event above 20 kB and keeps the values in the audit trail', async () => {
  const { secret } = await add({ events: ['role.created'] });
  const { deps } = portal;
  const after = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, 'ä'.repeat(500)]));
  const object = { type: 'role', id: 'LONG', name: 'Long' } as const;
  record(deps, deps.db, systemActor('acme'), { action: 'role.created', object, after });
  await hook.until(1);
  const [sent] = hook.received;
  if (!sent) throw new Error('Nothing came.');
  expect(Buffer.byteLength(sent.body)).toBeLessThan(20_000);
  const { data } = verify(sent, secret) as { data: { isShortened: boolean; changes: object[] } };
  expect(data.isShortened).toBe(true);
  expect(data.changes).toHaveLength(60);
  expect(data.changes[0]).toEqual({ field: 'field0' });
  const { Items } = (await portal.call(listActivity, { query: {} }, { token })).body;
  expect(Items[0]?.changes[0]).toEqual({ field: 'field0', after: 'ä'.repeat(500) });
});

// covers: spec 3.1.8
test('signs with both secrets for 24 hours after a rotation, then only with the new one', async () => {
  const { webhook, secret } = await add();
  const params = { webhookId: webhook.id };
  const rotated = (await portal.call(rotateWebhookSecret, { params, body: {} }, { token })).body;
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.webhook.oldSecretUntil).toBe(new Date(TEST_NOW + DAY).toISOString());
  await portal.call(testWebhook, { params, body: {} }, { token });
  const both = hook.received.at(-1);
  if (!both) throw new Error('Nothing came.');
  for (const one of [secret, rotated.secret]) expect(verify(both, one)).toMatchObject({ type: 'webhook.test' });
  await later(DAY);
  ({ token } = await portal.signIn('security.admin@acme.test'));
  await portal.call(testWebhook, { params, body: {} }, { token });
  const after = hook.received.at(-1);
  if (!after) throw new Error('Nothing came.');
  expect(verify(after, rotated.secret)).toMatchObject({ type: 'webhook.test' });
  expect(() => verify(after, secret)).toThrow();
});

test('returns the response to a test event, or why there was none', async () => {
  const { webhook } = await add();
  const send = async () =>
    (await portal.call(testWebhook, { params: { webhookId: webhook.id }, body: {} }, { token })).body.delivery;
  hook.answerWith({ status: 500, body: 'no' });
  expect(await send()).toMatchObject({
    status: 'failed',
    responseStatus: 500,
    responseBody: 'no',
    nextAttemptAt: null,
  });
  await hook.close();
  expect(await send()).toMatchObject({
    status: 'failed',
    responseStatus: null,
    error: "Couldn't reach this address",
  });
});

test('resends a delivery under the same ID on request', async () => {
  const { webhook } = await add({ events: ['member.paused'] });
  await change();
  await settled(webhook.id, 1);
  const [known] = await deliveries(webhook.id);
  const params = { webhookId: webhook.id, deliveryId: known?.id ?? '' };
  const { delivery } = (await portal.call(resendWebhookDelivery, { params, body: {} }, { token })).body;
  expect(delivery).toMatchObject({ id: known?.id, attempts: 2, status: 'delivered' });
  expect(hook.received.map(({ headers }) => headers['webhook-id'])).toEqual([known?.id, known?.id]);
});

test('disables a webhook that has failed for three days and notifies the administrators', async () => {
  const { webhook } = await add({ events: ['member.paused'] });
  hook.answerWith({ status: 503 });
  await change();
  await settled(webhook.id, 1);
  const waits = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY];
  for (const [index, wait] of waits.entries()) {
    await later(wait * LATEST);
    ({ token } = await portal.signIn('security.admin@acme.test'));
    await settled(webhook.id, index + 2);
  }
  const { webhooks } = (await portal.call(listWebhooks, {}, { token })).body;
  expect(webhooks).toMatchObject([{ id: webhook.id, enabled: false, disabledAt: expect.any(String) }]);
  const mailed = portal.deps.db.$client
    .prepare(`SELECT count(*) FROM outbox WHERE template = 'security-alert'`)
    .pluck();
  expect(mailed.get()).toBeGreaterThan(0);
  const form = { url: hook.url, enabled: true };
  const again = await portal.call(updateWebhook, { params: { webhookId: webhook.id }, body: form }, { token });
  expect(again.body.webhook).toMatchObject({ enabled: true, disabledAt: null });
});

test('disables a webhook immediately if it responds with 410 Gone', async () => {
  const { webhook } = await add({ events: ['member.paused'] });
  hook.answerWith({ status: 410 });
  await change();
  await settled(webhook.id, 1);
  expect((await portal.call(listWebhooks, {}, { token })).body.webhooks[0]?.enabled).toBe(false);
});

test.each([
  'http://portal.example.test/',
  'https://169.254.169.254/',
  'https://user:pass@example.test/',
  'ftp://example.test/',
])('rejects the URL %s', async (url) => {
  const { status } = await portal.call(createWebhook, { body: { url } }, { token });
  expect(status).toBe(400);
});

test('doesn’t find another organisation’s webhook and sends nothing to a deleted one', async () => {
  const { webhook } = await add();
  const other = await portal.signIn('admin@globex.test');
  const params = { webhookId: webhook.id };
  expect((await portal.call(testWebhook, { params, body: {} }, { token: other.token })).status).toBe(404);
  expect((await portal.call(listWebhooks, {}, { token: other.token })).body.webhooks).toEqual([]);
  expect((await portal.call(deleteWebhook, { params }, { token })).body.resultCode).toBe(0);
  await change();
  expect((await portal.call(listWebhooks, {}, { token })).body.webhooks).toEqual([]);
});

test('encrypts the secrets in the database', async () => {
  const { secret } = await add();
  const storedSecret = portal.deps.db.$client.prepare('SELECT secret FROM webhooks').pluck().get();
  expect(storedSecret).toMatch(/^s1\./);
  expect(storedSecret).not.toContain(secret.slice(6));
});

describe('a URL that contains a token', () => {
  const SLACK = 'https://hooks.slack.com/services/TEAM1/xoxo-token?key=k3y3k';
  const MASKED = 'https://hooks.slack.com/…';
  const TOKENS = /TEAM1|xoxo|k3y3k/;
  const form = { url: SLACK, description: '', enabled: true, events: [] };

  test('is encrypted in the database and masked in the list and the audit trail', async () => {
    const { webhook } = await add({ url: SLACK });
    const stored = portal.deps.db.$client.prepare('SELECT url FROM webhooks').pluck().get();
    expect(stored).toMatch(/^s1\./);
    const { body: list } = await portal.call(listWebhooks, {}, { token });
    expect(list.webhooks.map(({ url }) => url)).toEqual([MASKED]);
    const params = { webhookId: webhook.id };
    const moved = { ...form, url: `${SLACK}2` };
    await portal.call(updateWebhook, { params, body: moved }, { token });
    await portal.call(updateWebhook, { params, body: { ...form, url: 'https://elsewhere.test/TEAM1' } }, { token });
    await portal.call(deleteWebhook, { params }, { token });
    const { Items } = (await portal.call(listActivity, { query: { objectType: 'webhook' } }, { token })).body;
    expect(JSON.stringify(Items)).not.toMatch(TOKENS);
    const urls = Items.map(({ action, changes }) => [action, changes.find(({ field }) => field === 'url')]);
    expect(urls).toEqual([
      ['webhook.deleted', { field: 'url', before: 'https://elsewhere.test/…' }],
      ['webhook.updated', { field: 'url', before: MASKED, after: 'https://elsewhere.test/…' }],
      ['webhook.updated', { field: 'url', after: '(changed)' }],
      ['webhook.created', { field: 'url', after: MASKED }],
    ]);
  });

  test('is returned in full only to an administrator who edits the webhook', async () => {
    const { webhook } = await add({ url: SLACK });
    const params = { webhookId: webhook.id };
    expect((await portal.call(readWebhook, { params }, { token })).body.webhook.url).toBe(SLACK);
    for (const [email, status] of [
      ['admin@globex.test', 404],
      ['user@acme.test', 403],
    ] as const) {
      const other = await portal.signIn(email);
      const refused = await portal.call(readWebhook, { params }, { token: other.token });
      expect([refused.status, TOKENS.test(JSON.stringify(refused.body))]).toEqual([status, false]);
    }
  });

  test('is kept when the masked URL is saved, but a masked URL can’t replace it', async () => {
    const { webhook } = await add({ url: SLACK });
    const params = { webhookId: webhook.id };
    const saved = await portal.call(
      updateWebhook,
      { params, body: { ...form, url: MASKED, description: 'Ours' } },
      { token },
    );
    expect(saved.body.webhook).toMatchObject({ url: SLACK, description: 'Ours' });
    const masked = { ...form, url: 'https://elsewhere.test/…' };
    for (const refused of [
      await portal.call(updateWebhook, { params, body: masked }, { token }),
      await portal.call(createWebhook, { body: masked }, { token }),
    ])
      expect([refused.status, refused.body.issues?.[0]?.path]).toEqual([400, 'url']);
  });

  test('doesn’t appear in emails, deliveries or the lab’s journal', async () => {
    const { webhook } = await add({ url: `${hook.url}/TEAM1-xoxo` });
    await add({ url: `${hook.url}/k3y3k`, events: ['webhook.disabled'] });
    hook.answerWith({ status: 410 });
    await change();
    await settled(webhook.id, 1);
    const { entries } = (await portal.call(readJournal, { query: {} })).body;
    const { messages } = (await portal.call(readOutbox, { query: {} })).body;
    expect(JSON.stringify(messages)).toContain('accepted events for some time');
    expect(JSON.stringify([entries, messages, await deliveries(webhook.id)])).not.toMatch(TOKENS);
    expect(JSON.stringify(hook.received.map(({ body }) => body))).not.toMatch(TOKENS);
  });
});
