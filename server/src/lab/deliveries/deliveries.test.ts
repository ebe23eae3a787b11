import { contract, type WebhookEvent, WRONG_SIGNATURES } from '@orchestrate/shared';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ReceivedRequest, type Receiver, startReceiver } from '#testing/receiver.ts';
import { NotVerified } from '../../testing-api/errors.ts';
import type { Portal } from '../../testing-api/portal.ts';
import { startPortal } from '../../testing-api/start-portal.ts';

const ADA = 'ada@acme.test';

let portal: Portal;
let hook: Receiver;
let token: string;
let suid: string;
beforeAll(async () => {
  portal = await startPortal();
});
beforeEach(async () => {
  await portal.reset();
  hook = await startReceiver();
  ({ token } = await portal.session({ email: 'super.admin@acme.test' }));
  ({ suid } = await portal.person({ org: 'acme', email: ADA }));
  return () => hook.close();
});
afterAll(() => portal.close());

async function add(events: WebhookEvent['type'][] = ['member.paused', 'member.unpaused'], url = hook.url) {
  const { webhook, secret } = await portal.call(contract.createWebhook, { body: { url, events } }, { token });
  return { ...webhook, secret };
}
const change = (action: 'pause' | 'unpause') => portal.call(contract.manageUser, { body: { suid, action } }, { token });
const deliveriesTo = async (webhookId: string) =>
  (await portal.call(contract.listWebhookDeliveries, { params: { webhookId }, query: {} }, { token })).Items;
const typeOf = ({ body }: ReceivedRequest) => JSON.parse(body).type;
const types = () => hook.received.map(typeOf);
const accepts = (request: ReceivedRequest | undefined, secret: string): boolean => {
  try {
    return request !== undefined && new Webhook(secret).verify(request.body, request.headers) !== undefined;
  } catch {
    return false;
  }
};

describe('deliveries in the journal', () => {
  test('are recorded with their payload and response, and without the path of the URL', async () => {
    const { id } = await add(['member.paused'], `${hook.url}/s3cret-path`);
    hook.answerWith({ status: 202 });
    await change('pause');
    await portal.settled();
    const [entry] = await portal.journal({ kind: 'webhook' });
    expect(entry).toMatchObject({
      kind: 'webhook',
      event: 'member.paused',
      webhookId: id,
      deliveryId: hook.received[0]?.headers['webhook-id'],
      attempt: 1,
      status: 202,
      email: ADA,
      org: 'acme',
      requestBody: { type: 'member.paused', data: { suid } },
    });
    expect(JSON.stringify(entry)).not.toContain('s3cret-path');
    expect(await portal.journal({ kind: 'webhook', path: '/hook/*' })).toEqual([entry]);
  });

  test('can be verified by event, path, status, user and payload', async () => {
    await add();
    await change('pause');
    await portal.settled();
    const kind = 'webhook';
    await portal.verify({ kind, event: 'member.paused', path: '/hook', status: 204, email: ADA, count: 1 });
    await portal.verify({ kind, body: { data: { suid, changes: [{ field: 'accountStatus' }] } }, count: 1 });
    await portal.verify({ kind, event: 'member.unpaused', count: 0 });
    const failure = await portal.verify({ kind, event: 'member.unpaused' }).catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(NotVerified);
    expect(String(failure)).toContain('event is "member.paused" instead of "member.unpaused"');
  });

  test.each([
    ['a path that no webhook has', { kind: 'webhook', path: '/hoook' }, 'path'],
    ['a misspelt payload field', { kind: 'webhook', body: { data: { siud: 'x' } } }, 'body.data.siud'],
    ['an event with the kind http', { kind: 'http', event: 'member.paused' }, 'event'],
    ['a method with the kind webhook', { kind: 'webhook', method: 'POST' }, 'method'],
  ] as const)('reject %s', async (_name, expected, field) => {
    await add();
    for (const refused of [portal.verify(expected), portal.waitFor(expected)])
      await expect(refused).rejects.toMatchObject({ status: 400, issues: [{ path: field }] });
  });
});

describe('waitFor', () => {
  test('resolves with an existing entry, or with the next one as soon as it occurs', async () => {
    await add();
    await change('pause');
    const first = await portal.waitFor({ kind: 'webhook', event: 'member.paused' });
    const next = portal.waitFor({ kind: 'webhook', event: 'member.paused', after: first.seq });
    await change('unpause');
    await change('pause');
    expect((await next).seq).toBeGreaterThan(first.seq);
    const call = portal.waitFor({ path: '/api/user/manage', after: first.seq, status: 200 });
    expect(await call).toMatchObject({ kind: 'http', method: 'POST' });
  });

  test('times out with the closest entries', async () => {
    await add();
    await change('pause');
    await portal.settled();
    const failure = portal.waitFor({ kind: 'webhook', event: 'member.unpaused', wait: 0 });
    await expect(failure).rejects.toThrow(/member\.unpaused within 0 s.*\n.*event is "member\.paused"/);
  });
});

describe('settled', () => {
  test('waits for deliveries that are being sent, and returns the time of the next retry', async () => {
    await add();
    const { promise, resolve } = Promise.withResolvers<void>();
    hook.answerWith(async () => {
      await promise;
      return { status: 500 };
    });
    await portal.clock({ mode: 'frozen' });
    await change('pause');
    await expect(portal.settled({ wait: 0 })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('webhook deliveries'),
    });
    resolve();
    const { scheduled } = await portal.settled();
    expect(scheduled).toMatchObject([{ kind: 'webhook' }]);
    const { now } = await portal.clock();
    const wait = Date.parse(scheduled[0]?.at ?? '') - Date.parse(now);
    expect(wait).toBeGreaterThanOrEqual(5_000);
    expect(wait).toBeLessThanOrEqual(5_500);
  });

  test('waits until users have been sent to an application', async () => {
    const params = { orgCode: 'acme', appId: 'team-wiki' };
    hook.answerWith({ status: 503 });
    const service = { url: `${hook.url}/scim`, authentication: 'bearer', secret: 'scim-token', enabled: true } as const;
    await portal.call(contract.saveAppProvisioning, { params, body: service as never }, { token });
    await expect(portal.settled({ wait: 0 })).rejects.toThrow('outbound provisioning');
    const { scheduled } = await portal.settled();
    expect(scheduled).toMatchObject([{ kind: 'provisioning' }]);
    expect(hook.received.length).toBeGreaterThan(0);
  });

  test('returns immediately if nothing is pending', async () => {
    expect(await portal.settled({ wait: 0 })).toMatchObject({ scheduled: [] });
  });
});

test('runs due retries when the clock advances', async () => {
  const { id } = await add();
  hook.answerWith({ status: 500 });
  await change('pause');
  await portal.settled();
  hook.answerWith({ status: 204 });
  await portal.clock({ advance: '6s' });
  expect((await portal.settled()).scheduled).toEqual([]);
  expect(await deliveriesTo(id)).toMatchObject([{ attempts: 2, status: 'delivered' }]);
  await portal.verify({ kind: 'webhook', event: 'member.paused', count: 2 });
});

describe('a webhook fault', () => {
  test('drops a delivery, which an administrator can resend', async () => {
    const { id } = await add();
    await portal.webhookFault({ do: 'drop', event: 'member.paused' });
    await change('pause');
    await change('unpause');
    await portal.settled();
    expect(types()).toEqual(['member.unpaused']);
    const [, dropped] = await deliveriesTo(id);
    expect(dropped).toMatchObject({ type: 'member.paused', status: 'failed', error: 'Dropped by the lab' });
    await portal.verify({ kind: 'webhook', event: 'member.paused', count: 0 });
    await portal.verify({ kind: 'fault', path: `/api/org/webhooks/${id}`, count: 1 });
    const params = { webhookId: id, deliveryId: dropped?.id ?? '' };
    await portal.call(contract.resendWebhookDelivery, { params, body: {} }, { token });
    expect(types()).toEqual(['member.unpaused', 'member.paused']);
  });

  test('delays a delivery by the portal’s clock', async () => {
    const { id } = await add();
    await portal.clock({ mode: 'frozen' });
    await portal.webhookFault({ do: 'delay', ms: 60_000, times: 2 });
    await change('pause');
    expect((await portal.settled()).scheduled).toHaveLength(1);
    await portal.clock({ advance: '59s' });
    await portal.settled();
    expect(types()).toEqual([]);
    await portal.clock({ advance: '1s' });
    await portal.settled();
    expect(types()).toEqual(['member.paused']);
    expect(await deliveriesTo(id)).toMatchObject([{ attempts: 1, status: 'delivered' }]);
    expect((await portal.webhookFaults()).faults).toMatchObject([{ do: 'delay', times: 1 }]);
  });

  test('duplicates a delivery with the same ID and signature', async () => {
    const { secret } = await add();
    await portal.webhookFault({ do: 'duplicate' });
    await change('pause');
    await portal.settled();
    expect(types()).toEqual(['member.paused', 'member.paused']);
    const [first, second] = hook.received;
    expect(second?.headers['webhook-signature']).toBe(first?.headers['webhook-signature']);
    expect(accepts(second, secret)).toBe(true);
  });

  test.each([
    ['the next delivery', true],
    ['two seconds if no other delivery follows', false],
  ])('sends a reordered delivery after %s', async (_name, isNext) => {
    await add();
    await portal.clock({ mode: 'frozen' });
    await portal.webhookFault({ do: 'reorder', org: 'acme' });
    await change('pause');
    await portal.settled();
    expect(types()).toEqual([]);
    if (isNext) await change('unpause');
    else await portal.clock({ advance: '2s' });
    await portal.settled();
    expect(types()).toEqual(isNext ? ['member.unpaused', 'member.paused'] : ['member.paused']);
  });

  test.each(WRONG_SIGNATURES)('signs a delivery wrongly with the flaw %s', async (signature) => {
    const { secret } = await add();
    await portal.webhookFault({ do: 'mis-sign', signature });
    hook.answerWith((request) => ({ status: accepts(request, secret) ? 204 : 401 }));
    await change('pause');
    await portal.settled();
    expect(await portal.journal({ kind: 'webhook' })).toMatchObject([{ status: 401, signature }]);
    await portal.clock({ advance: '6s' });
    await portal.settled();
    await portal.verify({ kind: 'webhook', status: 204, count: 1 });
  });

  test('is listed until it has fired, and can be removed', async () => {
    const fault = { do: 'drop', event: 'member.paused', org: 'acme' } as const;
    await portal.webhookFault(fault);
    expect(await portal.webhookFaults()).toMatchObject({ faults: [{ ...fault, times: 1 }], fired: [] });
    await portal.clearWebhookFaults();
    expect(await portal.webhookFaults()).toMatchObject({ faults: [], fired: [] });
  });

  test.each([
    ['delay without ms', { do: 'delay' }, 400, 'ms'],
    ['ms without delay', { do: 'drop', ms: 5 }, 400, 'ms'],
    ['a signature without mis-sign', { do: 'drop', signature: 'old' }, 400, 'signature'],
    ['an unknown event', { do: 'drop', event: 'member.pasued' }, 400, 'event'],
    ['an unknown organisation', { do: 'drop', org: 'acmee' }, 404, 'org'],
  ] as const)('rejects %s', async (_name, fault, status, field) => {
    const refused = portal.call(contract.addWebhookFault, { body: fault as never });
    await expect(refused).rejects.toMatchObject({ status, issues: [{ path: field }] });
  });
});

describe('a forged delivery', () => {
  test('is affected by the next fault that can apply to it', async () => {
    const { id } = await add();
    const sent = async () => (await portal.journal({ kind: 'webhook' })).length;
    await portal.webhookFault({ do: 'delay', ms: 1_000 });
    await portal.webhookFault({ do: 'drop' });
    await portal.webhookFault({ do: 'duplicate', event: 'member.paused' });
    expect(await portal.forge(id, { type: 'member.deleted' })).toMatchObject({ error: 'Dropped by the lab' });
    expect(await sent()).toBe(0);
    await portal.forge(id, { type: 'member.paused' });
    expect(await sent()).toBe(2);
    expect(await portal.webhookFaults()).toMatchObject({ faults: [{ do: 'delay' }], fired: [{}, {}] });
  });

  test('is signed correctly and has the fields of the event type', async () => {
    const { id, secret } = await add();
    const delivery = await portal.forge(id, { type: 'member.deleted', data: { suid: 'nobody' } });
    expect(delivery).toMatchObject({ type: 'member.deleted', status: 'delivered', responseStatus: 204 });
    const [request] = hook.received;
    expect(accepts(request, secret)).toBe(true);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      type: 'member.deleted',
      data: { orgCode: 'acme', suid: 'nobody', object: { type: 'member' }, changes: [{ field: expect.any(String) }] },
    });
    expect(await portal.journal({ kind: 'webhook' })).toMatchObject([{ forged: true, event: 'member.deleted' }]);
  });

  test.each(WRONG_SIGNATURES)('can be signed wrongly with the flaw %s', async (signature) => {
    const { id, secret } = await add();
    await portal.forge(id, { type: 'member.paused', signature });
    expect(accepts(hook.received[0], secret)).toBe(false);
  });

  test('requires an existing webhook', async () => {
    const { id } = await add();
    const forged = portal.forge(id.slice(1), { type: 'member.paused' });
    await expect(forged).rejects.toMatchObject({ status: 404, message: expect.stringContaining(id) });
  });
});

test('sends lab events only to webhooks that subscribe to them by name', async () => {
  await add(['lab.fault-added'], hook.url.replace('/hook', '/lab'));
  await add([]);
  await portal.fault({ match: { path: '/api/profile' }, answer: { status: 500 } });
  await change('pause');
  await portal.settled();
  const sent = await portal.journal({ kind: 'webhook', path: '/hook' });
  expect(sent.map((entry) => entry.kind === 'webhook' && entry.event)).toEqual(['webhook.created', 'member.paused']);
  await portal.verify({ kind: 'webhook', path: '/lab', event: 'lab.fault-added', count: 1 });
});

describe('an outbox fault', () => {
  test.each([421, 451] as const)(
    'with %d is retried, and the email can be awaited before the sign-up',
    async (smtp) => {
      const email = `new-${smtp}@acme.test`;
      await portal.outboxFault({ smtp, to: email });
      const found = portal.waitFor({ kind: 'message', email });
      await signUp(email);
      expect(await found).toMatchObject({ kind: 'message', to: email });
      await portal.settled();
      expect(await mailTo(email)).toMatchObject({ attempts: 1, lastError: expect.stringContaining(`${smtp}`) });
      await portal.clock({ advance: '31s' });
      await portal.settled();
      expect(await mailTo(email)).toMatchObject({ deliveredAt: expect.any(String), lastError: null });
    },
  );

  const signUp = (email: string) =>
    portal.call(contract.signup, { body: { orgCode: 'acme', firstName: 'Ada', lastName: 'L', email } });
  const mailTo = async (to: string) => (await portal.outbox({ to }))[0];

  test('refuses an email temporarily, and the portal retries it on its clock', async () => {
    await portal.outboxFault({ smtp: 451, to: 'new@acme.test', times: 2 });
    await signUp('new@acme.test');
    await portal.settled();
    expect(await mailTo('new@acme.test')).toMatchObject({
      attempts: 1,
      deliveredAt: null,
      lastError: expect.stringContaining('451'),
    });
    await portal.clock({ advance: '31s' });
    await portal.settled();
    expect(await mailTo('new@acme.test')).toMatchObject({ attempts: 2, deliveredAt: null });
    await portal.clock({ advance: '61s' });
    await portal.settled();
    expect(await mailTo('new@acme.test')).toMatchObject({
      attempts: 3,
      deliveredAt: expect.any(String),
      lastError: null,
    });
    await portal.verify({ kind: 'fault', path: '/api/lab/outbox', count: 2 });
  });

  test('refuses an email permanently, and the portal gives up', async () => {
    await portal.outboxFault({ smtp: 550 });
    await signUp('new@acme.test');
    await signUp('other@acme.test');
    expect((await portal.settled()).scheduled).toEqual([]);
    const refused = { attempts: 1, deliveredAt: null, lastError: expect.stringContaining('550') };
    expect(await mailTo('new@acme.test')).toMatchObject(refused);
    await portal.clock({ advance: '4d' });
    await portal.settled();
    expect(await mailTo('new@acme.test')).toMatchObject(refused);
    expect(await mailTo('other@acme.test')).toMatchObject({ attempts: 0, lastError: null });
    const { faults, fired } = await portal.outboxFaults();
    expect([faults, fired]).toMatchObject([[], [{ fault: { smtp: 550 } }]]);
  });

  test.each([
    ['an unsupported reply code', { smtp: 452 }, 'smtp'],
    ['a mobile number', { smtp: 550, to: '+46701234567' }, 'to'],
  ])('rejects %s', async (_name, fault, field) => {
    const refused = portal.call(contract.addOutboxFault, { body: fault as never });
    await expect(refused).rejects.toMatchObject({ status: 400, issues: [{ path: field }] });
  });

  test('is restored with a snapshot and removed by a reset, like webhook faults', async () => {
    await portal.outboxFault({ smtp: 550, times: 3 });
    await portal.webhookFault({ do: 'drop' });
    const faults = async () => [
      (await portal.outboxFaults()).faults.length,
      (await portal.webhookFaults()).faults.length,
    ];
    const snapshot = await portal.snapshot();
    await portal.reset();
    expect(await faults()).toEqual([0, 0]);
    await snapshot.restore();
    expect(await faults()).toEqual([1, 1]);
    await portal.clearOutboxFaults();
    expect(await faults()).toEqual([0, 1]);
  });
});
