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
const NEW = 'ada@acme.test';

/** Follows a sign-in that the user denies, twice. Returns what a browser sees of it. */
const following =
  (faultOf: (run: Run) => Omit<SocketFault, 'channel'> | undefined): Case =>
  async (run) => {
    const { portal } = run;
    const fault = faultOf(run);
    if (fault) await portal.socketFault({ channel: 'login', ...fault });
    return [await watch(portal), await watch(portal)];
  };

async function watch(portal: Portal) {
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

/** Delivers two events to a webhook. Returns what it receives within a second, and whether the signatures are valid. */
const delivering =
  (faultOf: (run: Run) => WebhookFault | undefined): Case =>
  async (run) => {
    const { portal } = run;
    await using receiver = await receiving(portal);
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

async function receiving(portal: Portal) {
  const hook = await startReceiver();
  const admin = { token: (await portal.session({ email: ADMIN })).token };
  const body = { url: hook.url, events: ['member.paused' as const, 'member.unpaused' as const] };
  const { webhook, secret } = await portal.call(contract.createWebhook, { body }, admin);
  const { now } = await portal.clock();
  /** Returns the verdict on a signature, how long ago it was made in hours, and whether the body is unaltered. */
  const described = ({ headers, body: text }: ReceivedRequest) => {
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
    /** Answers no delivery until the returned function is called. */
    holdAnswers() {
      const { promise, resolve } = Promise.withResolvers<void>();
      hook.answerWith(() => promise.then(() => ({ status: 204 })));
      return resolve;
    },
    seen: () =>
      hook.received.map(described).map(([event, ...others]) => [event.type, event.data.suid === 'x', ...others]),
    [Symbol.asyncDispose]: async () => void (await hook.close()),
  };
}

const forging =
  (eventOf: (run: Run) => Partial<Parameters<Portal['forge']>[1]>): Case =>
  async (run) => {
    await using receiver = await receiving(run.portal);
    const { signature } = await run.portal
      .forge(receiver.id, { type: 'member.paused', ...eventOf(run) })
      .then(async () => Object((await run.portal.journal({ kind: 'webhook' })).at(-1)));
    return [signature, receiver.seen()];
  };

const signUp = (portal: Portal, email = NEW) =>
  portal.call(contract.signup, { body: { orgCode: 'acme', firstName: 'Ada', lastName: 'L', email } });

/** Sends an email and retries it. Returns the state of its delivery. */
const emailing =
  (faultOf: (run: Run) => Parameters<Portal['outboxFault']>[0] | undefined): Case =>
  async (run) => {
    const { portal } = run;
    const fault = faultOf(run);
    if (fault) await portal.outboxFault(fault);
    await signUp(portal);
    await portal.settled();
    const [first] = await portal.outbox({ to: NEW });
    await portal.clock({ advance: '31s' });
    await portal.settled();
    const [last] = await portal.outbox({ to: NEW });
    return [first, last].map((mail) => [mail?.attempts, mail?.lastError]);
  };

proveOptions('deliveries', {
  ...each('addSocketFault channel', CHANNELS, (channel) => async ({ portal, given }) => {
    const other = channel === 'login' ? 'verbal' : 'login';
    await portal.socketFault({ do: 'refuse', ...given({ channel }, { channel: other }) });
    const definition = DEFINITIONS.find(({ path }) => path === `/ws/${channel}`);
    return portal.open(definition ?? loginLive, {} as never).then(
      (live) => live.close(),
      ({ status }) => status,
    );
  }),
  ...each('addSocketFault do', ['refuse', 'cut', 'duplicate', 'drop', 'reorder'], (act) =>
    following(({ isOn }) => (isOn ? { do: act } : undefined)),
  ),
  'addSocketFault do: close': following(({ isOn }) => (isOn ? { do: 'close', code: 4_001 } : undefined)),
  'addSocketFault do: delay': following(({ isOn }) => (isOn ? { do: 'delay', ms: 2 * PATIENCE_MS } : undefined)),
  'addSocketFault code': following(({ given }) => ({ do: 'close', ...given({ code: 4_001 }, { code: 4_002 }) })),
  'addSocketFault ms': following(({ given }) => ({ do: 'delay', ...given({ ms: 2 * PATIENCE_MS }, { ms: 1 }) })),
  'addSocketFault state': following(({ given }) => ({ do: 'drop', ...given({ state: 'rejected' }) })),
  'addSocketFault times': following(({ given }) => ({ do: 'refuse', ...given({ times: 2 }) })),

  ...each('addWebhookFault do', ['drop', 'duplicate', 'reorder', 'mis-sign'], (act) =>
    delivering(({ isOn }) => (isOn ? { do: act } : undefined)),
  ),
  'addWebhookFault do: delay': delivering(({ isOn }) => (isOn ? { do: 'delay', ms: 60_000 } : undefined)),
  'addWebhookFault event': delivering(({ given }) => ({ do: 'drop', ...given({ event: 'member.unpaused' }) })),
  'addWebhookFault org': delivering(({ given }) => ({ do: 'drop', ...given({ org: 'globex' }) })),
  'addWebhookFault ms': delivering(({ given }) => ({ do: 'delay', ...given({ ms: 60_000 }, { ms: 1 }) })),
  ...each('addWebhookFault signature', WRONG_SIGNATURES, (signature) =>
    delivering(({ given }) => ({
      do: 'mis-sign',
      ...given({ signature }, signature === 'old' ? {} : { signature: 'old' }),
    })),
  ),
  'addWebhookFault times': delivering(({ given }) => ({ do: 'drop', ...given({ times: 2 }) })),
  'forgeDelivery type': forging(({ given }) => given({ type: 'member.unpaused' })),
  'forgeDelivery data': forging(({ given }) => given({ data: { suid: 'x' } })),
  ...each('forgeDelivery signature', WRONG_SIGNATURES, (signature) => forging(({ given }) => given({ signature }))),
  'awaitSettled wait': async ({ portal, given }) => {
    await signUp(portal);
    await portal.settled();
    await using receiver = await receiving(portal);
    const { suid } = await portal.person({ org: 'acme' });
    const answer = receiver.holdAnswers();
    await portal.call(contract.manageUser, { body: { suid, action: 'pause' } }, receiver.admin);
    const settled = refusalOf(portal.settled(given({ wait: '0' })));
    await portal.clock();
    answer();
    return settled;
  },

  ...each('addOutboxFault smtp', ['451', '550'], (smtp) =>
    emailing(({ isOn }) => (isOn ? { smtp: Number(smtp) as 451 } : undefined)),
  ),
  'addOutboxFault to': emailing(({ given }) => ({ smtp: 550, ...given({ to: 'bob@acme.test' }) })),
  'addOutboxFault times': emailing(({ given }) => ({ smtp: 451, ...given({ times: 2 }) })),
  'readOutbox to': async ({ portal, given }) => {
    await signUp(portal);
    return (await portal.outbox(given({ to: 'bob@acme.test' }))).length;
  },
  'readOutbox after': async ({ portal, given }) => {
    await signUp(portal);
    const [{ id } = { id: '' }] = await portal.outbox();
    return (await portal.outbox(given({ after: id }))).length;
  },
  'readOutbox wait': async ({ portal, given }) => {
    const found = portal.outbox({ to: NEW, ...given({ wait: '5' }) });
    await portal.clock();
    await signUp(portal);
    return (await found).length;
  },
  'emptyOutbox to': async ({ portal, given }) => {
    await signUp(portal);
    await signUp(portal, 'bob@acme.test');
    await portal.emptyOutbox(given({ to: NEW }));
    return (await portal.outbox()).length;
  },
});
