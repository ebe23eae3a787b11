import {
  bulkInvite,
  createIdpCertificate,
  createSamlApp,
  createSigningKey,
  createWebhook,
  getIdpConfiguration,
  getScimLog,
  listActivity,
  listApps,
  listWebhookDeliveries,
  listWebhooks,
  login,
  manageUser,
  type World,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authorize, exchange, relyingParty, USER } from '#protocols/oidc/relying-party-testing.ts';
import { directoryOf, userWith } from '#protocols/scim/testing.ts';
import { testBrowser } from '#testing/browser.ts';
import { spMetadata } from '#testing/metadata.ts';
import { startReceiver } from '#testing/receiver.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

/** Keys are generated on first use, and generating an RSA key takes long enough for a reset to interrupt. */
const worldOf = (randomSeed: string): World => ({
  randomSeed,
  organisations: [{ code: 'initech', applications: [{ id: 'mail', type: 'saml', saml: { metadata: spMetadata() } }] }],
});

const ADDRESSES = { 'the OpenID endpoint': '/oidc/initech/jwks', 'the SAML endpoint': '/saml/initech/mail/metadata' };

/** Sends a request and returns once the portal has started handling it. */
async function begin(portal: TestPortal, path: string, init?: RequestInit): Promise<{ answer: Promise<Response> }> {
  const received = new Promise<void>((resolve) => portal.app.server.once('request', () => resolve()));
  const answer = fetch(new URL(path, portal.url), init);
  await received;
  return { answer };
}

describe.each(Object.entries(ADDRESSES))('keys that %s generates during a reset', (_, path) => {
  let portal: TestPortal;
  const read = async () => await (await fetch(new URL(path, portal.url))).text();
  beforeEach(async () => {
    portal = await testPortal();
    await portal.lab.reset({ seed: worldOf('first') });
    // Load the key generation code first, so its import doesn't affect the timing.
    await read();
    await portal.lab.reset({ seed: worldOf('one') });
  });
  afterEach(() => portal.close());

  test('belong to the new world', async () => {
    const { answer } = await begin(portal, path);
    await portal.lab.reset({ seed: worldOf('two') });
    const late = await read();
    expect((await answer).status).toBe(200);
    await portal.lab.reset({ seed: worldOf('two') });
    expect(late).toBe(await read());
  });

  test('are discarded if the new world lacks the organisation', { tags: 'whole' }, async () => {
    const { answer } = await begin(portal, path);
    await portal.lab.reset({ seed: 'none' });
    expect((await answer).status).toBe(404);
  });
});

test.each([
  ['certificate', createIdpCertificate, {}],
  ['key', createSigningKey, { alg: 'RS256' }],
] as const)(
  'discards a %s added by an administrator of the old world',
  { tags: 'whole' },
  async (_, { path }, body) => {
    await using portal = await testPortal();
    const read = async () => {
      const { token } = await portal.signIn('super.admin@acme.test');
      return { token, idp: (await portal.call(getIdpConfiguration, {}, { token })).body };
    };
    const { token, idp } = await read();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const { answer } = await begin(portal, `/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await portal.lab.reset();
    expect(await (await answer).json()).toMatchObject({ resultName: 'INVALID_SESSION' });
    const { idp: after } = await read();
    expect(after.certificates).toHaveLength(idp.certificates.length);
    expect(after.signingKeys).toHaveLength(idp.signingKeys.length);
  },
);

test('discards an application added by an administrator of the old world', async () => {
  await using portal = await testPortal();
  // Metadata this long takes a while to parse, and other requests run in the meantime.
  const metadata = spMetadata({ after: '<x/>'.repeat(500_000) });
  const body = JSON.stringify({
    orgCode: 'acme',
    name: 'Late',
    metadata,
    redirectUrl: 'https://late.example/start',
    samlNameId: 'primaryEmail',
    samlAttributes: ['firstName'],
    flags: { didEnabled: true, webAuthnEnabled: true, forceAuthnEnabled: false },
  });
  for (let round = 0; round < 8; round += 1) {
    const { token } = await portal.signIn('super.admin@acme.test');
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const path = `/api${createSamlApp.path.replace(':orgCode', 'acme')}`;
    const { answer } = await begin(portal, path, { method: 'POST', headers, body });
    for (let waited = 0; waited < round; waited += 1) await portal.lab.clock();
    await portal.lab.reset();
    await answer;
    const { apps } = (
      await portal.call(listApps, { params: { orgCode: 'acme' } }, await portal.signIn('super.admin@acme.test'))
    ).body;
    expect(
      apps.map(({ name }) => name),
      `round ${round}`,
    ).not.toContain('Late');
  }
});

test('responds to every pending request during a reset', async () => {
  await using portal = await testPortal();
  const quick = ['/api/health', '/logos/acme', '/api/lab/people'];
  for (let round = 0; round < 4; round += 1) {
    // Keys are generated on first use, which takes long enough for the reset to interrupt.
    const paths = ['/oidc/acme/jwks', ...quick, ...quick, ...quick];
    const underway = paths.map((path) => fetch(new URL(path, portal.url)));
    for (let waited = 0; waited < round; waited += 1) await portal.lab.clock();
    await portal.lab.reset();
    for (const answer of await Promise.all(underway)) expect([200, 404]).toContain(answer.status);
  }
});

test('discards tokens issued in the old world', { tags: 'whole' }, async () => {
  await using portal = await testPortal();
  const tokenCount = portal.deps.db.$client
    .prepare("SELECT count(*) FROM oidc_models WHERE model LIKE '%Token'")
    .pluck();
  for (let round = 0; round < 12; round += 1) {
    const config = await relyingParty(portal);
    const signIns = Array.from({ length: 4 }, () => authorize(config, testBrowser(portal, USER)));
    const underway = (await Promise.all(signIns)).map((authorization) => exchange(config, authorization));
    for (let waited = 0; waited < round % 6; waited += 1) await portal.lab.clock();
    await portal.lab.reset();
    await Promise.allSettled(underway);
    expect(tokenCount.get(), `round ${round}`).toBe(0);
  }
});

test('discards users sent by a directory of the old world', {
  tags: 'whole',
}, async () => {
  await using portal = await testPortal();
  const seed: World = { randomSeed: 'other', organisations: [{ code: 'acme' }] };
  for (let round = 0; round < 30; round += 1) {
    const { send } = directoryOf(portal);
    const underway = Array.from({ length: 20 }, (_, at) =>
      send('POST', '/Users', userWith({ userName: `late${at}@acme.test` })),
    );
    const answers = Promise.all(underway);
    for (let waited = 0; waited < round % 6; waited += 1) await portal.lab.clock();
    await portal.lab.reset({ seed });
    await answers;
    expect((await portal.lab.people()).total, `round ${round}`).toBe(0);
    await portal.lab.reset();
  }
});

test('ends an interrupted bulk request and discards its changes', async () => {
  await using portal = await testPortal();
  const total = async () => (await portal.lab.people()).total;
  const before = await total();
  const Operations = Array.from({ length: 1_000 }, (_, at) => ({
    method: 'POST',
    path: '/Users',
    bulkId: `${at}`,
    data: userWith({ userName: `bulk${at}@acme.test` }),
  }));
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
  const bulk = directoryOf(portal).send('POST', '/Bulk', { schemas, Operations });
  await expect.poll(total, { interval: 5 }).toBeGreaterThan(before);
  await portal.lab.reset();
  expect((await bulk).status).toBe(401);
  expect(await total()).toBe(before);
  const { token } = await portal.signIn('super.admin@acme.test');
  const { records } = (await portal.call(getScimLog, { query: {} }, { token })).body;
  expect(records.filter(({ operation }) => operation.startsWith('POST'))).toEqual([]);
});

describe('slow lab calls during a reset', () => {
  const ROUNDS = [1, 2, 3, 4, 5, 6, 7, 8];
  let portal: TestPortal;
  beforeEach(async () => {
    portal = await testPortal();
  });
  afterEach(() => portal.close());

  test('sign a user in if the user also exists in the new world', { tags: 'whole' }, async () => {
    const { restore } = await portal.lab.snapshot();
    for (const again of [() => portal.lab.reset(), restore]) {
      for (const round of ROUNDS) {
        const session = portal.lab.session({ email: 'user@acme.test' });
        for (let waited = 0; waited < round; waited += 1) await portal.lab.clock();
        await again();
        expect((await session).profile.email, `round ${round}`).toBe('user@acme.test');
      }
    }
  });

  test('fail if the new world has no device for the address', { tags: 'whole' }, async () => {
    for (const round of ROUNDS) {
      await portal.lab.reset();
      const session = portal.lab.session({ email: 'user@acme.test' }).catch((reason: Error) => reason.message);
      for (let waited = 0; waited < round % 4; waited += 1) await portal.lab.clock();
      await portal.lab.reset({ seed: 'none' });
      const outcome = await session;
      if (typeof outcome === 'string')
        expect(outcome).toBe(
          "POST /api/lab/sessions → 404 ORG_EMAIL_NOT_FOUND (8): email: user@acme.test doesn't have a simulated device.",
        );
    }
  });

  test('fail if the sign-in doesn’t exist in the new world', { tags: 'whole' }, async () => {
    for (const round of ROUNDS) {
      const { loginId = '' } = await portal.lab.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
      const answer = portal.lab.approve(loginId, { as: 'user@acme.test' }).catch((reason: Error) => reason.message);
      for (let waited = 0; waited < round % 4; waited += 1) await portal.lab.clock();
      await portal.lab.reset();
      const outcome = await answer;
      if (typeof outcome === 'string')
        expect(outcome).toBe(
          `POST /api/lab/logins/${loginId}/approve → 404 ID_DOESNOT_EXIST (21): loginId: There is no sign-in or request with the ID ${loginId}.`,
        );
    }
  });
});

test('ignores an old delivery’s result and sends the new world’s delivery with the same ID', async () => {
  await using portal = await testPortal();
  const hook = await startReceiver();
  const { token } = await portal.signIn('super.admin@acme.test');
  const form = { url: hook.url, description: '', enabled: true, events: ['member.paused' as const] };
  await portal.call(createWebhook, { body: form }, { token });
  const { restore } = await portal.lab.snapshot();
  const { suid } = portal.device('user@acme.test');
  const pause = () => portal.call(manageUser, { body: { suid, action: 'pause' } }, { token });
  let end = (_: { status: number }) => {};
  // Respond to the first delivery late, with a 410 that would disable the webhook.
  hook.answerWith(() => new Promise((resolve) => (end = resolve)));
  await pause();
  await hook.until(1);
  hook.answerWith({ status: 204 });
  await restore();
  await pause();
  await hook.until(2);
  end({ status: 410 });
  const deliveries = async () => {
    const { webhooks } = (await portal.call(listWebhooks, {}, { token })).body;
    const [{ id: webhookId, enabled } = { id: '', enabled: false }] = webhooks;
    const { Items } = (await portal.call(listWebhookDeliveries, { params: { webhookId }, query: {} }, { token })).body;
    return { enabled, status: Items.map(({ status }) => status) };
  };
  await expect.poll(deliveries).toEqual({ enabled: true, status: ['delivered'] });
  // The receiver closes after its last connection ends, so the first delivery's response has arrived.
  await hook.close();
  expect(await deliveries()).toEqual({ enabled: true, status: ['delivered'] });
});

test.each(['demo', 'none'] as const)(
  'ends an interrupted upload and adds no members to the new world (%s)',
  async (seed) => {
    const lines: string[] = [];
    await using portal = await testPortal({ onLog: (line) => lines.push(line) });
    const { token } = await portal.signIn('super.admin@acme.test');
    const before = (await portal.lab.people()).total;
    const rows = Array.from({ length: 30_000 }, (_, at) => `bulk${at}@acme.test,Bulk,Person,B-${at}`);
    const form = new FormData();
    for (const [name, value] of Object.entries({ type: 'mobile', sendEmail: 'true', uploadId: 'u' }))
      form.set(name, value);
    form.set(
      'file',
      new Blob([['email,firstName,lastName,primaryAttr', ...rows].join('\n')], { type: 'text/csv' }),
      'a.csv',
    );
    const upload = fetch(new URL(`/api${bulkInvite.path}`, portal.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    await expect.poll(async () => (await portal.lab.people()).total, { interval: 5 }).toBeGreaterThan(before);
    await portal.lab.reset({ seed });
    expect(await (await upload).json()).toMatchObject({ resultName: 'INVALID_SESSION' });
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
    expect((await portal.lab.people()).total).toBe(seed === 'none' ? 0 : before);
    if (seed === 'none') return;
    const { token: next } = await portal.signIn('super.admin@acme.test');
    const { Items } = (await portal.call(listActivity, { query: {} }, { token: next })).body;
    expect(Items.map(({ action }) => action).filter((action) => action.startsWith('members.'))).toEqual([]);
  },
);
