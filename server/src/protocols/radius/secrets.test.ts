import {
  createApp,
  duplicateApp,
  getApp,
  LIMITS,
  replaceSharedSecret,
  resetLab,
  updateApp,
  type World,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Config } from '#config.ts';
import { radiusClient, radiusRequest } from '#testing/radius-client.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const WEAK = 'testing123';
/** Configuration of a portal that others can reach. */
const REACHABLE: Partial<Config> = { backchannelUrl: 'http://portal.example', labToken: 'token-of-the-lab' };

let portal: TestPortal;
let lines: string[];
let token: string;
afterEach(() => portal.close());

async function start(config: Partial<Config> = {}, seed?: World): Promise<void> {
  lines = [];
  const settings = { config: { radiusPorts: [0, 0] as const, lab: true, ...config } };
  portal = await testPortal({ ...settings, onLog: (line) => void lines.push(line) });
  if (seed) await portal.lab.reset({ seed });
  else ({ token } = await portal.signIn('super.admin@acme.test'));
}

async function addGateway(name: string) {
  const radiusConfiguration = { method: 'push' as const };
  const body = { orgCode: 'acme', integrationType: 'radius' as const, name, radiusConfiguration };
  return await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token });
}
const setSecret = (appId: string, secret: string) =>
  portal.call(replaceSharedSecret, { params: { orgCode: 'acme', appId }, body: { secret } }, { token });
const configurationOf = async (appId: string) =>
  (await portal.call(getApp, { params: { orgCode: 'acme', appId } }, { token })).body.app.radiusConfiguration;
const refused = (message: string) => ({ status: 400, body: { issues: [{ path: 'secret', message }] } });

const DUPLICATE = 'Another RADIUS application in your organisation uses this secret. Choose a different one.';
const TOO_WEAK =
  'This portal is open to other machines. Use at least 16 characters that are hard to guess: no words, sequences or repetitions';

/** A world with RADIUS applications that share a secret, oldest first. */
const gateways = (secret: string, ...ids: string[]): World => ({
  organisations: [
    {
      code: 'acme',
      people: [{ email: 'super.admin@acme.test', role: 'SUPER_ADMIN', devices: [{ type: 'mobile' }] }],
      applications: ids.map((id, at) => ({
        id,
        type: 'radius',
        createdAt: `-${ids.length - at}h`,
        radius: { secret },
      })),
    },
  ],
});

describe('on a portal that only this machine can reach', () => {
  beforeEach(() => start());

  test('accepts a weak secret, but rejects it for a second application in the organisation', async () => {
    for (const name of ['First', 'Second']) await addGateway(name);
    expect(await setSecret('first', WEAK)).toMatchObject({ status: 200 });
    expect(await setSecret('first', WEAK)).toMatchObject({ status: 200 });
    expect(await setSecret('second', WEAK)).toMatchObject(refused(DUPLICATE));
    expect(await configurationOf('first')).toMatchObject({ secret: WEAK, secretProblem: null });
  });

  test('allows at most 100 RADIUS applications per organisation', async () => {
    const ids = Array.from({ length: LIMITS.radiusApps }, (_, at) => `gateway-${at}`);
    await portal.lab.reset({ seed: gateways('a-secret-of-its-own', ...ids) });
    ({ token } = await portal.lab.session({ email: 'super.admin@acme.test' }));
    const message = "You've reached the limit of 100 RADIUS applications. Delete one to add another.";
    const issues = [{ path: 'integrationType', message }];
    expect(await addGateway('Another')).toMatchObject({ status: 400, body: { issues } });
    const copy = { params: { orgCode: 'acme', appId: 'gateway-0' }, body: { name: 'Copy' } };
    expect(await portal.call(duplicateApp, copy, { token })).toMatchObject({ status: 400, body: { issues } });
    const seed = gateways('a-secret-of-its-own', ...ids, 'another');
    expect((await portal.call(resetLab, { body: { seed } })).body.issues).toEqual([
      {
        path: 'seed.organisations.0.applications',
        message: 'acme can have at most 100 RADIUS applications, not 101.',
      },
    ]);
  });

  // covers: security 16.3.2, security 16.3.3
  test('logs at most one line per minute for 2,000 requests with a wrong secret', async () => {
    const { port = 0, secret = '' } = (await addGateway('Gateway')).body.app.radiusConfiguration ?? {};
    await using client = await radiusClient(port ?? 0);
    for (let at = 0; at < 2_000; at += 50) {
      for (let one = 0; one < 50; one += 1) client.send(radiusRequest({ secret: `wrong-${at + one}` }));
      await client.ask({ secret, code: 12 });
    }
    const logged = () =>
      lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'unanswered RADIUS requests');
    expect(logged()).toMatchObject([{ orgCode: 'acme', count: 1, why: { 'unknown secret': 1 } }]);
    await portal.close();
    expect(logged().map(({ count }) => count)).toEqual([1, 1_999]);
  });
});

test('accepts shared secrets in a world, by NAS-Identifier or for the oldest application', async () => {
  await start({}, gateways(WEAK, 'first', 'second'));
  ({ token } = await portal.lab.session({ email: 'super.admin@acme.test' }));
  expect(await configurationOf('second')).toMatchObject({ secretProblem: 'duplicate' });
  await portal.deps.ports.radius?.settled();
  await using client = await radiusClient((await configurationOf('first'))?.port ?? 0);
  for (const nas of ['second', 'unknown']) await client.ask({ secret: WEAK, name: '-', nas });
  const entries = await portal.lab.journal({ kind: 'exchange' });
  expect(entries.map((entry) => 'application' in entry && entry.application)).toEqual(['second', 'first']);
});

describe('on a portal that others can reach', () => {
  test.each([
    WEAK,
    'aaaaaaaaaaaaaaaa',
    'testing123testing123',
    'abcdefghijklmnopqrst',
    '12345678901234567890',
    'radius-secret-2026',
    'ChangeMe-SharedSecret1',
    'qwertyuiopasdfghjkl',
    'p@ssw0rdp@ssw0rd1',
    '1q2w3e4r5t6z7u8i',
    'Summer2026!Summer2026?',
    'winter2025winter2026',
    'q1w2e3r4t5y6u7i8o9p0',
    'iloveyou-iloveyou-1',
    'netgear-netgear-router',
    'k3v9xw2k3v9xw2k3v9xw2',
    'xk7vxk7vxk7vxk7v-9',
  ])('rejects the secret %s', async (secret) => {
    await start(REACHABLE);
    await addGateway('Gateway');
    expect(await setSecret('gateway', secret)).toMatchObject(refused(TOO_WEAK));
  });

  test.each(['k3v9-Xw2m-Tq7r-Hb5n', 'Wm4vKqz8RtyP2cXd', 'correct horse battery staple'.replaceAll(' ', '-')])(
    'accepts the secret %s',
    async (secret) => {
      await start(REACHABLE);
      await addGateway('Gateway');
      expect(await setSecret('gateway', secret)).toMatchObject({ status: 200 });
      expect(await configurationOf('gateway')).toMatchObject({ secret, secretProblem: null });
    },
  );

  test('rejects a world with a weak secret', async () => {
    await start(REACHABLE);
    const { status, body } = await portal.http
      .post('/api/lab/reset')
      .auth('token-of-the-lab', { type: 'bearer' })
      .send({ seed: gateways(WEAK, 'vpn') });
    expect({ status, issues: body.issues }).toEqual({
      status: 400,
      issues: [{ path: 'seed.organisations.0.applications.0.radius.secret', message: `${TOO_WEAK}.` }],
    });
  });

  // covers: security 6.3.1
  test('ignores an existing application with a weak secret, but warns and lets it be saved', async () => {
    await start();
    await addGateway('Gateway');
    await setSecret('gateway', WEAK);
    // Simulate that the portal has become reachable.
    Object.assign(portal.deps.config, REACHABLE);
    const { port, secretProblem } = (await configurationOf('gateway')) ?? {};
    expect(secretProblem).toBe('weak');
    const change = { params: { orgCode: 'acme', appId: 'gateway' }, body: { description: 'Second floor' } };
    expect(await portal.call(updateApp, change, { token })).toMatchObject({ status: 200 });
    const strong = (await addGateway('Strong')).body.app.radiusConfiguration?.secret ?? '';
    await using client = await radiusClient(port ?? 0);
    client.send(radiusRequest({ secret: WEAK, code: 12 }));
    await client.ask({ secret: strong, code: 12 });
    expect(client.received).toHaveLength(1);
    expect(lines.join('\n')).toContain('"weak secret":1');
  });
});
