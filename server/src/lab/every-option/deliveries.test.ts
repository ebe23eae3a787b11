import { contract, loginLive, WRONG_SIGNATURES } from '@orchestrate/shared';
import { Webhook } from 'standardwebhooks';
import { CHANNELS as DEFINITIONS } from '#testing/contract-entries.ts';
import { type ReceivedRequest, startReceiver } from '#testing/receiver.ts';
import type { Portal } from '../../testing-api/portal.ts';
import { ADMIN, type Case, each, proveOptions, type Run, refusalOf, USER } from './options-testing.ts';

type SocketFault = Parameters<Portal['socketFault']>[0];
type WebhookFault = Parameters<Portal['webhookFault']>[0];

const CHANNELS = ['login', 'add-device', 'test-device', 'bulk-invite', 'verbal', 'authenticator'] as const;
/** How long a browser waits for a message, in milliseconds. */
const PATIENCE_MS = 400;
const NEWCOMER = 'ada@acme.test';

/** Follows two sign-ins that the user denies. Returns the states that a browser receives and the close codes. */
const observeSignIns =
  (faultOf: (run: Run) => Omit<SocketFault, 'channel'> | undefined): Case =>
  async (run) => {
    const { portal } = run;
    const fault = faultOf(run);
    if (fault) await portal.socketFault({ channel: 'login', ...fault });
    return [await followSignIn(portal), await followSignIn(portal)];
  };

async function followSignIn(portal: Portal) {
  const { loginId = '' } = await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } });
  const live = await portal.open(loginLive, { loginId }).catch(({ status }) => status);
  if (typeof live === 'number') return live;
  await portal.deny(loginId, { as: USER });
  const seen: string[] = [];
  for (;;) {
    const state = await live.next({ timeout: PATIENCE_MS }).then(
      (message: { state: string }) => message.state,
      () => undefined,
    );
    if (state === undefined) break;
    seen.push(state);
  }
  live.close();
  return [...seen, (await live.closed).code];
}

/** Delivers two events to a webhook. Returns what arrived within a second, and whether it is signed correctly. */
const observeDeliveries =
  (faultOf: (run: Run) => WebhookFault | undefined): Case =>
  async (run) => {
    const { portal } = run;
    await using receiver = await createReceiver(portal);
    await portal.clock({ mode: 'frozen' });
    const fault = faultOf(run);
    if (fault) await portal.webhookFault(fault);
    const { suid } = await portal.person({ org: 'acme' });
    for (const action of ['pause', 'unpause'] as const) {
      await portal.call(contract.manageUser, { body: { suid, action } }, receiver.admin);
      await portal.settled();
    }
    await portal.clock({ advance: '1s' });
    await portal.settled();
    return receiver.seen();
  };

async function createReceiver(portal: Portal) {
  const hook = await startReceiver();
  const admin = { token: (await portal.session({ email: ADMIN })).token };
  const body = { url: hook.url, events: ['member.paused' as const, 'member.unpaused' as const] };
  const { webhook, secret } = await portal.call(contract.createWebhook, { body }, admin);
  const { now } = await portal.clock();
  /** Returns the event, whether it has a signature, the timestamp's age in hours, and the verification's result. */
  const describeDelivery = ({ headers, body: text }: ReceivedRequest) => {
    const age = Math.round((Date.parse(now) / 1_000 - Number(headers['webhook-timestamp'])) / 3_600) + 0;
    return [JSON.parse(text), headers['webhook-signature'] !== undefined, age, accepts(headers, text)];
  };
  const accepts = (headers: Record<string, string>, text: string) => {
    try {
      return new Webhook(secret).verify(text, headers) !== undefined;
    } catch (reason) {
      return String(reason);
    }
  };
  return {
    admin,
    id: webhook.id,
    /** Withholds responses until the returned function is called. */
    holdResponses() {
      const { promise, resolve } = Promise.withResolvers<void>();
      hook.answerWith(() => promise.then(() => ({ status: 204 })));
      return resolve;
    },
    seen: () =>
      hook.received.map(describeDelivery).map(([event, ...others]) => [event.type, event.data.suid === 'x', ...others]),
    [Symbol.asyncDispose]: async () => void (await hook.close()),
  };
}

const observeForgedEvent =
  (eventOf: (run: Run) => Partial<Parameters<Portal['forge']>[1]>): Case =>
  async (run) => {
    await using receiver = await createReceiver(run.portal);
    const { signature } = await run.portal
      .forge(receiver.id, { type: 'member.paused', ...eventOf(run) })
      .then(async () => Object((await run.portal.journal({ kind: 'webhook' })).at(-1)));
    return [signature, receiver.seen()];
  };

const signUp = (portal: Portal, email = NEWCOMER) =>
  portal.call(contract.signup, { body: { orgCode: 'acme', firstName: 'Ada', lastName: 'L', email } });

/** Sends an email and retries it. Returns the state of its delivery. */
const observeEmail =
  (faultOf: (run: Run) => Parameters<Portal['outboxFault']>[0] | undefined): Case =>
  async (run) => {
    const { portal } = run;
    const fault = faultOf(run);
    if (fault) await portal.outboxFault(fault);
    await signUp(portal);
    await portal.settled();
    const [first] = await portal.outbox({ to: NEWCOMER });
    await portal.clock({ advance: '31s' });
    await portal.settled();
    const [last] = await portal.outbox({ to: NEWCOMER });
    return [first, last].map((mail) => [mail?.attempts, mail?.lastError]);
  };

proveOptions('deliveries', {
  ...each('addSocketFault channel', CHANNELS, (channel) => async ({ portal, option }) => {
    const other = channel === 'login' ? 'verbal' : 'login';
    await portal.socketFault({ do: 'refuse', ...option({ channel }, { channel: other }) });
    const definition = DEFINITIONS.find(({ path }) => path === `/ws/${channel}`);
    return portal.open(definition ?? loginLive, {} as never).then(
      (live) => live.close(),
      ({ status }) => status,
    );
  }),
  ...each('addSocketFault do', ['refuse', 'cut', 'duplicate', 'drop', 'reorder'], (act) =>
    observeSignIns(({ isOn }) => (isOn ? { do: act } : undefined)),
  ),
  'addSocketFault do: close': observeSignIns(({ isOn }) => (isOn ? { do: 'close', code: 4_001 } : undefined)),
  'addSocketFault do: delay': observeSignIns(({ isOn }) => (isOn ? { do: 'delay', ms: 2 * PATIENCE_MS } : undefined)),
  'addSocketFault code': observeSignIns(({ option }) => ({ do: 'close', ...option({ code: 4_001 }, { code: 4_002 }) })),
  'addSocketFault ms': observeSignIns(({ option }) => ({ do: 'delay', ...option({ ms: 2 * PATIENCE_MS }, { ms: 1 }) })),
  'addSocketFault state': observeSignIns(({ option }) => ({ do: 'drop', ...option({ state: 'rejected' }) })),
  'addSocketFault times': observeSignIns(({ option }) => ({ do: 'refuse', ...option({ times: 2 }) })),

  ...each('addWebhookFault do', ['drop', 'duplicate', 'reorder', 'mis-sign'], (act) =>
    observeDeliveries(({ isOn }) => (isOn ? { do: act } : undefined)),
  ),
  'addWebhookFault do: delay': observeDeliveries(({ isOn }) => (isOn ? { do: 'delay', ms: 60_000 } : undefined)),
  'addWebhookFault event': observeDeliveries(({ option }) => ({ do: 'drop', ...option({ event: 'member.unpaused' }) })),
  'addWebhookFault org': observeDeliveries(({ option }) => ({ do: 'drop', ...option({ org: 'globex' }) })),
  'addWebhookFault ms': observeDeliveries(({ option }) => ({ do: 'delay', ...option({ ms: 60_000 }, { ms: 1 }) })),
  ...each('addWebhookFault signature', WRONG_SIGNATURES, (signature) =>
    observeDeliveries(({ option }) => ({
      do: 'mis-sign',
      ...option({ signature }, signature === 'old' ? {} : { signature: 'old' }),
    })),
  ),
  'addWebhookFault times': observeDeliveries(({ option }) => ({ do: 'drop', ...option({ times: 2 }) })),
  'forgeDelivery type': observeForgedEvent(({ option }) => option({ type: 'member.unpaused' })),
  'forgeDelivery data': observeForgedEvent(({ option }) => option({ data: { suid: 'x' } })),
  ...each('forgeDelivery signature', WRONG_SIGNATURES, (signature) =>
    observeForgedEvent(({ option }) => option({ signature })),
  ),
  'awaitSettled wait': async ({ portal, isOn, option }) => {
    await signUp(portal);
    await portal.settled();
    await using receiver = await createReceiver(portal);
    const { suid } = await portal.person({ org: 'acme' });
    const release = receiver.holdResponses();
    await portal.call(contract.manageUser, { body: { suid, action: 'pause' } }, receiver.admin);
    const settled = refusalOf(portal.settled(option({ wait: '0' })));
    // The call that doesn't wait ends before the delivery does.
    if (isOn) await settled;
    release();
    return settled;
  },

  ...each('addOutboxFault smtp', ['421', '451', '550'], (smtp) =>
    observeEmail(({ isOn }) => (isOn ? { smtp: Number(smtp) as 451 } : undefined)),
  ),
  'addOutboxFault to': observeEmail(({ option }) => ({ smtp: 550, ...option({ to: 'bob@acme.test' }) })),
  'addOutboxFault times': observeEmail(({ option }) => ({ smtp: 451, ...option({ times: 2 }) })),
  'readOutbox to': async ({ portal, option }) => {
    await signUp(portal);
    return (await portal.outbox(option({ to: 'bob@acme.test' }))).length;
  },
  'readOutbox after': async ({ portal, option }) => {
    await signUp(portal);
    const [{ id } = { id: '' }] = await portal.outbox();
    return (await portal.outbox(option({ after: id }))).length;
  },
  'readOutbox wait': async ({ portal, option }) => {
    const found = portal.outbox({ to: NEWCOMER, ...option({ wait: '5' }) });
    await portal.clock();
    await signUp(portal);
    return (await found).length;
  },
  'emptyOutbox to': async ({ portal, option }) => {
    await signUp(portal);
    await signUp(portal, 'bob@acme.test');
    await portal.emptyOutbox(option({ to: NEWCOMER }));
    return (await portal.outbox()).length;
  },
});
