import { contract, loginLive, verbalLive } from '@orchestrate/shared';
import { freePort, startMailServer } from '#testing/mail-server.ts';
import type { Portal } from '../portal.ts';
import { startPortal } from '../start-portal.ts';
import {
  ADMIN,
  asAdmin,
  asJson,
  ask,
  bearer,
  type Comparison,
  compareLines,
  pause,
  seen,
  sessionSeen,
  setStage,
  shapeOf,
  worldWith,
} from './lines-testing.ts';

const stage = setStage();

const profile = (token: string) => ask(stage, '/api/profile', bearer(token));

/** Pauses a member, so that the portal sends an event. */
const pauseOne = async () => pause(stage, (await stage.portal.person({ org: 'acme' })).suid);

/** Adds a webhook and triggers an event. Returns the deliveries and the requests. */
async function deliver(trigger: (webhookId: string) => Promise<unknown> = pauseOne, after?: string) {
  const { portal, receiver } = stage;
  const admin = await asAdmin(stage);
  const { webhook } = await portal.call(
    contract.createWebhook,
    { body: { url: receiver.url, events: ['member.paused'] } },
    admin,
  );
  receiver.received.length = 0;
  await trigger(webhook.id);
  await portal.settled();
  if (after) {
    await portal.clock({ advance: after });
    await portal.settled();
  }
  const params = { webhookId: webhook.id };
  const later = await asAdmin(stage);
  const { Items } = await portal.call(contract.listWebhookDeliveries, { params, query: {} }, later);
  await portal.call(contract.deleteWebhook, { params }, later);
  const requests = receiver.received.map(({ headers, body }) => [
    Object.keys(headers).sort(),
    Object.keys(JSON.parse(body)),
    Object.keys(JSON.parse(body).data).sort(),
  ]);
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  return { deliveries: Items.map(({ status, attempts }) => [status, attempts]), requests, idCount: ids.size };
}

/** Compares a refused email with one that a real mail server refuses. */
const refusedMail =
  (smtp: 451 | 550): Comparison =>
  async () => {
    const { receiver } = stage;
    const port = await freePort();
    const server = await startMailServer({ port, refuse: () => smtp });
    const real = await startPortal({
      seed: worldWith(receiver.url),
      env: { SMTP_URL: `smtp://127.0.0.1:${port}` },
    });
    const to = 'newcomer@acme.test';
    const see = async (portal: Portal) => {
      const body = { orgCode: 'acme', firstName: 'New', lastName: 'Comer', email: to };
      const response = await seen(await fetch(`${portal.url}/api/user/signup`, asJson(body)));
      const states = [];
      for (const advance of ['0s', '31s'] as const) {
        if (advance !== '0s') await portal.clock({ advance });
        await portal.settled();
        const [mail] = await portal.outbox({ to });
        states.push([mail?.attempts, mail?.deliveredAt, mail?.lastError?.slice(0, 3), Object.keys(mail ?? {}).sort()]);
      }
      return shapeOf([response, states]);
    };
    await stage.portal.outboxFault({ smtp, to, times: 2 });
    const compared = { simulated: await see(stage.portal), real: await see(real) };
    await real.close();
    await server.close();
    return compared;
  };

compareLines('others', {
  'a request from another IP address': async () => {
    const { receiver } = stage;
    const restricted = worldWith(receiver.url, { security: { allowedIps: ['203.0.113.0/24'] } });
    const LAB_TOKEN = 'token-of-a-lab-behind-a-proxy';
    await using direct = await startPortal({ seed: restricted });
    await using proxied = await startPortal({ seed: restricted, env: { TRUSTED_PROXIES: '127.0.0.1', LAB_TOKEN } });
    const from = async (portal: Portal, name: string, ip: string) =>
      seen(
        await fetch(
          `${portal.url}/api/user/login`,
          asJson({ orgCode: 'acme', mode: 'PUSH', primaryAttr: ADMIN }, { [name]: ip }),
        ),
      );
    const both = async (portal: Portal, name: string) => [
      await from(portal, name, '198.51.100.9'),
      (await from(portal, name, '203.0.113.7')).status,
    ];
    return { simulated: await both(direct, 'x-lab-ip'), real: await both(proxied, 'x-forwarded-for') };
  },
  'a restart of the server': async () => {
    const watch = async (portal: Portal) => {
      const { loginId = '' } = await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } });
      const { token } = await portal.session({ email: ADMIN });
      const { epoch } = await portal.call(contract.startVerbal, { query: {} }, { token });
      return [
        await portal.open(loginLive, { loginId }),
        await portal.open(verbalLive, { epoch, org: 'acme' }, { token }),
      ];
    };
    const restarted = await startPortal({ seed: worldWith(stage.receiver.url) });
    const live = await watch(restarted);
    await restarted.close();
    for (const channel of ['login', 'verbal'] as const)
      await stage.portal.socketFault({ channel, do: 'close', code: 1001 });
    const closed = await watch(stage.portal);
    const codes = async (all: typeof live) => Promise.all(all.map(async (one) => (await one.closed).code));
    return { simulated: await codes(closed), real: await codes(live) };
  },

  'an access token that expires': async () => {
    const session = await stage.portal.session({ email: stage.email });
    await stage.portal.fault({ match: { path: '/api/profile' }, answer: { resultName: 'UNAUTHORIZED' } });
    const simulated = await profile(session.token);
    await stage.portal.clock({ advance: '11m' });
    return { simulated, real: await profile(session.token) };
  },
  'a refresh token that expires': async () => {
    const { refreshToken } = await stage.portal.session({ email: stage.email });
    const refresh = () => ask(stage, '/api/refresh', asJson({ refreshToken }));
    await stage.portal.fault({ match: { path: '/api/refresh' }, answer: { resultName: 'INVALID_SESSION' } });
    const simulated = await refresh();
    await stage.portal.clock({ advance: '31d' });
    return { simulated, real: await refresh() };
  },
  'a session that the portal no longer has': async () => {
    const { portal, email } = stage;
    const lost = await portal.session({ email });
    await portal.reset();
    const simulated = await sessionSeen(stage, lost);
    const deleted = await portal.person({ org: 'acme' });
    const session = await portal.session({ email: deleted.email });
    await portal.call(contract.deleteUser, { body: { suid: deleted.suid, org: 'acme' } }, await asAdmin(stage));
    return { simulated, real: await sessionSeen(stage, session) };
  },
  'a session that an administrator ended': async () => {
    const { portal, email, suid } = stage;
    const ended = await portal.session({ email });
    await portal.call(contract.endSession, { body: { suid, what: 'all' } }, await asAdmin(stage));
    const signedOut = await portal.session({ email });
    await portal.call(contract.logout, { body: {} } as never, { token: signedOut.token });
    return { simulated: await sessionSeen(stage, ended), real: await sessionSeen(stage, signedOut) };
  },
  'a token that is rejected unexpectedly': async () => {
    const { token } = await stage.portal.session({ email: stage.email });
    const real = await profile('unknown');
    await stage.portal.fault({ match: { path: '/api/profile' }, answer: { resultName: 'UNAUTHORIZED' } });
    return { simulated: await profile(token), real };
  },

  'an event that never happened': async () => {
    const { requests: real } = await deliver();
    return {
      simulated: (await deliver((webhookId) => stage.portal.forge(webhookId, { type: 'member.paused' }))).requests,
      real,
    };
  },
  'a duplicate delivery': async () => {
    await stage.portal.webhookFault({ do: 'duplicate' });
    const { requests: simulated, idCount } = await deliver();
    // A receiver that handles an event but responds too late gets it again.
    const statuses = [503, 204];
    stage.receiver.answerWith(() => ({ status: statuses.shift() ?? 204 }));
    const real = await deliver(pauseOne, '6s');
    return { simulated: [simulated, idCount], real: [real.requests, real.idCount] };
  },
  'a lost delivery': async () => {
    await stage.portal.webhookFault({ do: 'drop', event: 'member.paused' });
    const simulated = await deliver(pauseOne, '30m');
    stage.receiver.answerWith({ status: 410 });
    const real = await deliver(pauseOne, '30m');
    return { simulated: simulated.deliveries, real: real.deliveries };
  },
  'an email that arrives late': refusedMail(451),
  'an email that never arrives': refusedMail(550),
});
