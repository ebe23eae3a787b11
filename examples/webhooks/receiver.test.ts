import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { contract } from 'orchestrate/contract';
import { type Portal, startPortal } from 'orchestrate/testing';
import { createReceiver } from './receiver.ts';

let secret = '';
let handled: string[] = [];
let isDown = false;
const receiver = createReceiver({
  secret: () => secret,
  onEvent({ type }) {
    if (isDown) throw new Error('The database is down.');
    handled.push(type);
  },
});
let portal: Portal;
let webhookId: string;
let pause: () => Promise<unknown>;
let unpause: () => Promise<unknown>;

before(async () => {
  portal = await startPortal();
  receiver.listen(0, 'localhost');
  await once(receiver, 'listening');
});
beforeEach(async () => {
  await portal.reset();
  handled = [];
  isDown = false;
  const { token } = await portal.session({ email: 'super.admin@acme.test' });
  const { suid } = await portal.person({ org: 'acme' });
  const url = `http://localhost:${(receiver.address() as AddressInfo).port}/events`;
  const body = { url, events: ['member.paused' as const, 'member.unpaused' as const] };
  const created = await portal.call(contract.webhooks.create, { body }, { token });
  secret = created.secret;
  webhookId = created.webhook.id;
  const change = (action: 'pause' | 'unpause') =>
    portal.call(contract.people.manage, { body: { suid, action } }, { token });
  pause = () => change('pause');
  unpause = () => change('unpause');
});
after(async () => {
  await portal.close();
  receiver.close();
});

test('handles a signed event', async () => {
  await pause();
  await portal.settled();
  assert.deepEqual(handled, ['member.paused']);
  await portal.verify({ kind: 'webhook', event: 'member.paused', path: '/events', status: 204, count: 1 });
});

test('waits for a single delivery', async () => {
  await pause();
  await portal.waitFor({ kind: 'webhook', event: 'member.paused' });
  assert.deepEqual(handled, ['member.paused']);
});

test('handles a forged event of any type', async () => {
  await portal.forge(webhookId, { type: 'member.deleted' });
  assert.deepEqual(handled, ['member.deleted']);
});

for (const signature of ['wrong-secret', 'altered', 'old', 'future', 'missing'] as const) {
  test(`rejects a forged event with the signature flaw ${signature}`, async () => {
    const { responseStatus } = await portal.forge(webhookId, { type: 'member.deleted', signature });
    assert.equal(responseStatus, 401);
    assert.deepEqual(handled, []);
  });
}

test('rejects a wrongly signed delivery and accepts its retry', async () => {
  await portal.webhookFault({ do: 'mis-sign', signature: 'wrong-secret' });
  await pause();
  await portal.settled();
  assert.deepEqual(handled, []);
  await portal.clock({ advance: '6s' });
  await portal.settled();
  assert.deepEqual(handled, ['member.paused']);
});

test('receives a retry after it was down', async () => {
  isDown = true;
  await pause();
  await portal.settled();
  isDown = false;
  await portal.clock({ advance: '6s' });
  await portal.settled();
  assert.deepEqual(handled, ['member.paused']);
});

test('handles a duplicate once', async () => {
  await portal.webhookFault({ do: 'duplicate' });
  await pause();
  await portal.settled();
  await portal.verify({ kind: 'webhook', count: 2 });
  assert.deepEqual(handled, ['member.paused']);
});

test('receives out-of-order events', async () => {
  await portal.clock({ mode: 'frozen' });
  await portal.webhookFault({ do: 'reorder' });
  await pause();
  await unpause();
  await portal.settled();
  assert.deepEqual(handled, ['member.unpaused', 'member.paused']);
});

test('receives a late event', async () => {
  await portal.clock({ mode: 'frozen' });
  await portal.webhookFault({ do: 'delay', ms: 60_000 });
  await pause();
  await portal.settled();
  assert.deepEqual(handled, []);
  await portal.clock({ advance: '60s' });
  await portal.settled();
  assert.deepEqual(handled, ['member.paused']);
});

test('never receives a lost event', async () => {
  await portal.webhookFault({ do: 'drop', event: 'member.paused' });
  await pause();
  await unpause();
  await portal.settled();
  assert.deepEqual(handled, ['member.unpaused']);
});

test('retries an email after a temporary refusal (451)', async () => {
  const to = 'ada@acme.test';
  await portal.outboxFault({ smtp: 451, to });
  await portal.call(contract.session.signUp, { body: { orgCode: 'acme', firstName: 'Ada', lastName: 'L', email: to } });
  await portal.settled();
  assert.match((await portal.outbox({ to }))[0]?.lastError ?? '', /^451/);
  await portal.clock({ advance: '31s' });
  await portal.settled();
  assert.notEqual((await portal.outbox({ to }))[0]?.deliveredAt, null);
});

test('gives up on an email after a permanent refusal (550)', async () => {
  const to = 'ada@acme.test';
  await portal.outboxFault({ smtp: 550, to });
  await portal.call(contract.session.signUp, { body: { orgCode: 'acme', firstName: 'Ada', lastName: 'L', email: to } });
  assert.deepEqual((await portal.settled()).scheduled, []);
  assert.equal((await portal.outbox({ to }))[0]?.deliveredAt, null);
  await portal.emptyOutbox({ to });
  assert.deepEqual(await portal.outbox({ to }), []);
});
