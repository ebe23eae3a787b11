import { createApp, type ExchangeOutcome, emptyJournal, readJournal, verifyJournal } from '@orchestrate/shared';
import { Client } from 'ldapts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { radiusClient } from '#testing/radius-client.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
const PASSWORD = 'hush-hush';
const PUSH = { method: 'push' as const };
const BASE = 'ou=directory,o=acme';
const PERSON = `uid=${USER},ou=people,${BASE}`;

let portal: TestPortal;
let secrets: string[];
let port: number;
beforeEach(async () => {
  portal = await testPortal({ config: { radiusPorts: [0, 0], ldapPort: 0, lab: true } });
  const { token } = await portal.signIn('super.admin@acme.test');
  const params = { orgCode: 'acme' };
  const make = async (kind: { integrationType: 'radius' | 'ldap'; name: string }) => {
    const body = { ...params, ...kind, ...(kind.integrationType === 'radius' && { radiusConfiguration: PUSH }) };
    const { app } = (await portal.call(createApp, { params, body }, { token })).body;
    return app.radiusConfiguration ?? app.ldapConfiguration;
  };
  const radius = await make({ integrationType: 'radius', name: 'Gateway' });
  const ldap = await make({ integrationType: 'ldap', name: 'Directory' });
  secrets = [radius?.secret ?? '', ldap?.secret ?? ''];
  port = radius?.port ?? 0;
  await portal.lab.policy({ match: { email: USER, kind: 'app-login' }, answer: 'approve' });
  await portal.call(emptyJournal, {});
});
afterEach(() => portal.close());

const exchanges = async () => (await portal.call(readJournal, { query: { kind: 'exchange' } })).body.entries;
const count = async (outcome: ExchangeOutcome, application: string) =>
  (await portal.call(verifyJournal, { body: { kind: 'exchange', outcome, application, count: 1 } })).body;

test('records RADIUS requests and their outcome without secrets', async () => {
  await using client = await radiusClient(port);
  const [secret = ''] = secrets;
  expect(await client.ask({ secret, name: USER, password: PASSWORD })).toMatchObject({ code: 'accept' });
  expect(await client.ask({ secret, name: 'nobody', password: PASSWORD })).toMatchObject({ code: 'reject' });
  const common = {
    kind: 'exchange',
    protocol: 'radius',
    operation: 'Access-Request',
    application: 'gateway',
    org: 'acme',
  };
  expect(await exchanges()).toMatchObject([
    { ...common, outcome: 'Access-Accept', email: USER, name: USER, ip: '127.0.0.1' },
    { ...common, outcome: 'Access-Reject', name: 'nobody' },
  ]);
  expect(await count('Access-Accept', 'gateway')).toMatchObject({ ok: true });
  expect(await count('Access-Challenge', 'gateway')).toMatchObject({
    ok: false,
    message:
      'Expected an entry of kind exchange with application gateway and outcome Access-Challenge once, found it 0 times.',
  });
  await requireNoSecret();
});

test('records LDAP requests and their outcome without secrets', async () => {
  const client = new Client({ url: `ldap://127.0.0.1:${portal.deps.ports.ldap}` });
  const [, secret = ''] = secrets;
  await client.bind(PERSON, PASSWORD);
  await client.bind(`cn=service,${BASE}`, secret);
  await client.search(BASE, { filter: `(mail=${USER})` });
  await expect(client.bind(`cn=service,${BASE}`, PASSWORD)).rejects.toThrow();
  await expect(client.bind('cn=nobody', PASSWORD)).rejects.toThrow();
  await client.unbind();
  const common = { kind: 'exchange', protocol: 'ldap', application: 'directory', org: 'acme', ip: '127.0.0.1' };
  const service = { ...common, operation: 'bind', name: `cn=service,${BASE}` };
  const entries = await exchanges();
  expect(entries).toMatchObject([
    { ...common, operation: 'bind', outcome: 'success', email: USER, name: PERSON },
    { ...service, outcome: 'success' },
    { ...common, operation: 'search', outcome: 'success', name: BASE },
    { ...service, outcome: 'invalidCredentials' },
    { operation: 'bind', outcome: 'invalidCredentials', name: 'cn=nobody' },
  ]);
  expect(entries.at(-1)).not.toHaveProperty('application');
  expect(await count('invalidCredentials', 'directory')).toMatchObject({ ok: true });
  await requireNoSecret();
});

test('records a request that matches no application', async () => {
  await using client = await radiusClient(port);
  void client.ask({ secret: 'wrong', name: USER, password: PASSWORD });
  while ((await exchanges()).length === 0);
  expect(await exchanges()).toMatchObject([{ protocol: 'radius', outcome: 'no answer', name: USER, email: USER }]);
  await requireNoSecret();
});

test('explains why a request without a Message-Authenticator gets no response', async () => {
  await using client = await radiusClient(port);
  const [secret = ''] = secrets;
  void client.ask({ secret, name: USER, password: PASSWORD, isProtected: false });
  while ((await exchanges()).length === 0);
  expect(await exchanges()).toMatchObject([
    { operation: 'Access-Request without Message-Authenticator', outcome: 'no answer', name: USER },
  ]);
});

test.each([
  [{ kind: 'exchange', outcome: 'accepted' }, 'outcome'],
  [{ kind: 'exchange', protocol: 'radius', outcome: 'success' }, 'outcome'],
  [{ kind: 'exchange', protocol: 'ldap', outcome: 'Access-Accept' }, 'outcome'],
  [{ kind: 'exchange', protocol: 'ldap', outcome: 'no answer' }, 'outcome'],
  [{ kind: 'http', outcome: 'success' }, 'outcome'],
  [{ kind: 'exchange', path: '/api/profile' }, 'path'],
])('rejects a field that an exchange never has: %j', async (body, path) => {
  const { status, body: answer } = await portal.call(verifyJournal, { body: body as never });
  expect({ status, path: answer.issues?.[0]?.path }).toEqual({ status: 400, path });
});

async function requireNoSecret(): Promise<void> {
  const text = JSON.stringify((await portal.call(readJournal, { query: { after: 0, limit: 500 } })).body.entries);
  expect([PASSWORD, ...secrets].filter((secret) => text.includes(secret))).toEqual([]);
}

test.each([
  [{}, 'There is no application directry. Did you mean directory?'],
  [{ org: 'globex' }, 'There is no application directry in globex.'],
])('rejects an unknown application: %j', async (where, message) => {
  const body = { kind: 'exchange' as const, application: 'directry', count: 0, ...where };
  const answered = await portal.call(verifyJournal, { body });
  expect(answered).toMatchObject({ status: 404, body: { resultName: 'ORG_APP_MISSING', message } });
});
