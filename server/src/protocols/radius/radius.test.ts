import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createApp,
  deleteApp,
  getLoginHistory,
  login,
  manageUser,
  type RadiusMethod,
  updateApp,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memberByEmail, postFrom, setMember, setOrganisation } from '#testing/device.ts';
import { docsCommands } from '#testing/helpers.ts';
import { type RadiusClient, radiusClient, radiusRequest } from '#testing/radius-client.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
const PORT_TAKEN = 'is already in use';

let portal: TestPortal;
let client: RadiusClient;
let token: string;
let appId: string;
let secret: string;
let port: number;

beforeEach(async () => {
  portal = await testPortal({ config: { radiusPorts: [0, 0], lab: true } });
  ({ token } = await portal.signIn('super.admin@acme.test'));
  ({ appId, secret, port } = await addGateway('push'));
  client = await radiusClient(port);
});
afterEach(async () => {
  await client[Symbol.asyncDispose]();
  await portal.close();
});

async function addGateway(method: RadiusMethod, name = 'Gateway') {
  const body = { orgCode: 'acme', integrationType: 'radius' as const, name, radiusConfiguration: { method } };
  const { app } = (await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token })).body;
  const { radiusConfiguration } = app;
  if (!radiusConfiguration?.port) throw new Error('RADIUS is switched off.');
  return { appId: app.appId, secret: radiusConfiguration.secret, port: radiusConfiguration.port };
}

const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
const change = (body: object) => portal.call(updateApp, { params: { orgCode: 'acme', appId }, body }, { token });
const ask = (request: object = {}) => client.ask({ secret, name: USER, ...request });
/** Waits until a phone has `count` pending requests. */
async function waiting(count = 1) {
  for (;;) {
    const requests = await portal.lab.requests();
    if (requests.length >= count) return requests;
  }
}
const answers = (answer: 'approve' | 'deny') =>
  portal.lab.policy({ match: { email: USER, kind: 'app-login' }, answer });

async function history() {
  const { token: own } = await portal.signIn(USER);
  return (await portal.call(getLoginHistory, { query: { count: 10 } }, { token: own })).body.records;
}

describe('a push while the client waits', () => {
  // covers: spec 2.1.3
  test('sends the user’s attributes to the client after approval, and adds a history entry', async () => {
    await answers('approve');
    expect(await ask()).toMatchObject({ code: 'accept', isProven: true, userName: USER, filterId: 'USER' });
    expect((await history()).find(({ appName }) => appName === 'Gateway')).toMatchObject({
      mode: 'PUSH',
      loginStatus: 'Success',
    });
  });

  test('shows the application, the user’s address and the client on the device', async () => {
    client.send(radiusRequest({ secret, name: USER, nas: 'vpn.acme.test', callingStation: '203.0.113.7' }));
    await waiting();
    expect(await portal.authenticator.pending(portal.device(USER))).toMatchObject([
      { appName: 'Gateway', requester: { ip: '203.0.113.7', userAgent: 'RADIUS client vpn.acme.test' } },
    ]);
  });

  test('reaches a user who has used the address before, despite a stranger’s pending requests', async () => {
    await answers('approve');
    expect(await ask({ callingStation: '198.51.100.7' })).toMatchObject({ code: 'accept' });
    await portal.lab.policy({ match: { email: USER }, answer: 'ignore' });
    const stranger = { orgCode: 'acme', mode: 'PUSH', primaryAttr: USER };
    for (const _ of [1, 2]) await postFrom(portal, '203.0.113.9', login.path, stranger);
    expect(await portal.lab.requests()).toHaveLength(2);
    await answers('approve');
    expect(await ask({ callingStation: '198.51.100.7' })).toMatchObject({ code: 'accept' });
    expect(await ask({ callingStation: '192.0.2.44' })).toMatchObject({ code: 'reject' });
  });

  test('rejects the sign-in if the user denies it', async () => {
    await answers('deny');
    expect(await ask()).toMatchObject({
      code: 'reject',
      isProven: true,
      message: 'The request was denied on the device.',
    });
  });

  test('rejects the sign-in if it times out', async () => {
    const answer = ask();
    await waiting();
    portal.clock.advance(121);
    expect(await answer).toMatchObject({ code: 'reject', message: "You didn't answer in time. Start again." });
  });

  test('repeats the reply to a retransmission without sending a second push', async () => {
    const packet = radiusRequest({ secret, name: USER });
    client.send(packet);
    client.send(packet);
    const [request] = await waiting();
    client.send(packet);
    expect(await portal.lab.requests()).toHaveLength(1);
    await portal.lab.approve(request?.challengeId ?? '', { as: USER });
    await client.until(1);
    client.send(packet);
    await client.until(2);
    const [first, second] = client.received;
    expect(second?.equals(first ?? Buffer.alloc(0))).toBe(true);
    expect((await history()).filter(({ appName }) => appName === 'Gateway')).toHaveLength(1);
  });

  test('treats different attributes with the same identifier and authenticator as a new request', async () => {
    await answers('approve');
    const packet = radiusRequest({ secret, name: USER });
    client.send(packet);
    await client.until(1);
    const changed = Buffer.from(packet);
    changed.writeUInt8(changed.readUInt8(22) ^ 1, 22);
    client.send(changed);
    // The response to a later request proves that the earlier request got none.
    expect(await ask({ code: 12 })).toMatchObject({ code: 'accept' });
    expect(client.received).toHaveLength(2);
  });

  test('treats the same packet from a different port as a new request', async () => {
    await using other = await radiusClient(port);
    const packet = radiusRequest({ secret, name: USER });
    client.send(packet);
    await waiting();
    other.send(packet);
    expect(await waiting(2)).toHaveLength(2);
  });

  test.each([
    ['composed', 'Zo\u00eb 7'],
    ['decomposed', 'Zoe\u0308 7'],
    ['full-width', '\uff3ao\u00eb \uff17'],
  ])('matches a user name with letters that are %s (RFC 8265)', async (_how, name) => {
    setMember(portal, suidOf(USER), { primaryAttr: 'Zo\u00eb 7' });
    await answers('approve');
    expect(await ask({ name })).toMatchObject({ code: 'accept', userName: USER });
    const wide = [...USER].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('');
    expect(await ask({ name: wide })).toMatchObject({ code: 'accept', userName: USER });
  });

  test('treats unknown users as unanswered, unless the organisation discloses accounts', async () => {
    setOrganisation(portal, 'acme', { discloseUnknownUsers: 0 });
    const late = ask({ name: 'nobody@acme.test' });
    await ask({ code: 12 });
    portal.clock.advance(121);
    expect(await late).toMatchObject({ code: 'reject', message: "You didn't answer in time. Start again." });
    setOrganisation(portal, 'acme', { discloseUnknownUsers: 1 });
    expect(await ask({ name: 'nobody@acme.test' })).toMatchObject({
      code: 'reject',
      message: 'No device is registered for this person.',
    });
  });

  test('signs in only users with access to the application', async () => {
    await answers('approve');
    await change({ usableBy: { roles: ['SUPER_ADMIN'], people: [] } });
    expect(await ask()).toMatchObject({ code: 'reject', message: 'This is not allowed.' });
    await change({ usableBy: { roles: ['USER'], people: [] } });
    expect(await ask()).toMatchObject({ code: 'accept' });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['access was revoked', () => change({ usableBy: { roles: ['SUPER_ADMIN'], people: [] } })],
    ['the application was deleted', () => portal.call(deleteApp, { params: { orgCode: 'acme', appId } }, { token })],
    [
      'the member was disabled',
      () => portal.call(manageUser, { body: { suid: suidOf(USER), action: 'pause' } }, { token }),
    ],
  ])('ignores an approval after %s', async (_what, take) => {
    const reply = ask();
    const [request] = await waiting();
    await take();
    await portal.lab.approve(request?.challengeId ?? '', { as: USER }).catch(() => undefined);
    expect(await reply).toMatchObject({ code: 'reject' });
  });

  test('rejects addresses outside the organisation’s allowed list', async () => {
    setOrganisation(portal, 'acme', { allowedIps: '["127.0.0.1"]' });
    await answers('approve');
    expect(await ask({ callingStation: '203.0.113.7' })).toMatchObject({ code: 'reject' });
    expect(await ask()).toMatchObject({ code: 'accept' });
  });
});

describe('a match number', () => {
  beforeEach(() => change({ radiusConfiguration: { method: 'number' } }));

  test('is displayed and then picked on the device while the client waits', async () => {
    const challenge = await ask();
    expect(challenge).toMatchObject({ code: 'challenge', isProven: true });
    const number = /^Choose (\d\d) on your device, then press Enter here\.$/.exec(challenge.message)?.[1];
    const answer = ask({ state: challenge.state });
    const [request] = await waiting();
    expect(request?.matchNumber).toBe(number);
    await portal.lab.approve(request?.challengeId ?? '', { as: USER });
    expect(await answer).toMatchObject({ code: 'accept', userName: USER });
  });

  test('denies the sign-in if the wrong number is picked', async () => {
    const { state } = await ask();
    const [request] = await waiting();
    await portal.lab.approve(request?.challengeId ?? '', { as: USER, number: 'wrong' });
    expect(await ask({ state })).toMatchObject({ code: 'reject', message: 'The request was denied on the device.' });
    expect((await history()).find(({ appName }) => appName === 'Gateway')).toMatchObject({ loginStatus: 'Failed' });
  });

  test('works with the same user name in any Unicode composition', async () => {
    setMember(portal, suidOf(USER), { primaryAttr: 'Zo\u00eb' });
    const { state, message } = await ask({ name: 'Zoe\u0308' });
    await portal.lab.policy({ match: { email: USER, kind: 'app-login' }, answer: 'approve' });
    expect(message).toContain('on your device');
    expect(await ask({ name: 'Zo\u00eb', state })).toMatchObject({ code: 'accept' });
  });

  test('works once, only for the user and application that started the sign-in', async () => {
    await answers('approve');
    const { state } = await ask();
    expect(await ask({ state, name: 'manager@acme.test' })).toMatchObject({ code: 'reject' });
    const other = await addGateway('push', 'Other');
    expect(await ask({ state, secret: other.secret })).toMatchObject({ code: 'reject' });
    expect(await ask({ state })).toMatchObject({ code: 'accept' });
    expect(await ask({ state })).toMatchObject({ code: 'reject' });
    expect(await ask({ state: 'x' })).toMatchObject({ code: 'reject' });
  });

  test('replaces a plain push if the organisation requires numbers', async () => {
    await change({ radiusConfiguration: { method: 'push' } });
    setOrganisation(portal, 'acme', { stepUpAuthEnabled: 1 });
    expect(await ask()).toMatchObject({ code: 'challenge', message: expect.stringMatching(/^Choose \d\d/) });
  });
});

describe('a typed code', () => {
  beforeEach(() => change({ radiusConfiguration: { method: 'code' } }));
  const shown = /^Type (\w{4}-\w{4}) in your authenticator, then press Enter here\.$/;

  async function typeCode(email: string, code: string) {
    const phone = portal.device(email);
    const { challenge } = await portal.authenticator.resolve(phone, code);
    await portal.authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve' });
  }

  test('is typed into the authenticator app', async () => {
    const { state, message } = await ask();
    const answer = ask({ state });
    await typeCode(USER, shown.exec(message)?.[1] ?? '');
    expect(await answer).toMatchObject({ code: 'accept', userName: USER });
  });

  test('signs in only the user named in the request', async () => {
    const { state, message } = await ask();
    await typeCode('manager@acme.test', shown.exec(message)?.[1] ?? '');
    expect(await ask({ state })).toMatchObject({ code: 'reject', message: 'Another member entered the code.' });
  });

  test('is rejected if the application doesn’t allow it', async () => {
    await change({ didEnabled: false });
    expect(await ask()).toMatchObject({ code: 'reject' });
  });
});

describe('packets without a response', () => {
  /** Returns true if only the subsequent Status-Server request gets a response. */
  async function isSilent(datagram: Buffer): Promise<boolean> {
    client.send(datagram);
    await ask({ code: 12 });
    return client.received.length === 1;
  }

  test('ignores a request with another secret', async () => {
    expect(await isSilent(radiusRequest({ secret: 'another-secret', name: USER }))).toBe(true);
    expect(await portal.lab.requests()).toEqual([]);
  });

  test('ignores a request without a Message-Authenticator', async () => {
    expect(await isSilent(radiusRequest({ secret, name: USER, isProtected: false }))).toBe(true);
  });

  test.each([4, 11, 255])('ignores packet code %d', async (code) => {
    expect(await isSilent(radiusRequest({ secret, name: USER, code }))).toBe(true);
  });

  test('ignores datagrams that are truncated, too long or modified in any byte', async () => {
    const packet = radiusRequest({ secret, name: USER, identifier: 1 });
    for (let length = 0; length < packet.length; length += 1) client.send(packet.subarray(0, length));
    for (let at = 0; at < packet.length; at += 1) {
      const changed = Buffer.from(packet);
      changed.writeUInt8(changed.readUInt8(at) ^ 0xff, at);
      client.send(changed);
    }
    expect(await isSilent(Buffer.alloc(65_000, 1))).toBe(true);
    expect(await portal.lab.requests()).toEqual([]);
  });
});

test('rejects a request without a user name or password', async () => {
  expect(await ask({ name: ' ' })).toMatchObject({ code: 'reject', message: 'The request must have a user name.' });
  // EAP-Response/Identity is the first packet that eapol_test and access points send.
  const eap = Buffer.concat([Buffer.of(2, 1, 0, 5 + USER.length, 1), Buffer.from(USER)]);
  const rejected = { code: 'reject', isProven: true, message: 'Only PAP is supported.' };
  expect(await ask({ eap })).toMatchObject(rejected);
  expect(await portal.lab.requests()).toEqual([]);
});

test.each<[string, readonly (readonly [number, Buffer])[]]>([
  ['a password and CHAP', [[3, Buffer.alloc(17)]]],
  ['a password and EAP', [[79, Buffer.of(2, 1, 0, 5, 1)]]],
  ['a password and ARAP', [[70, Buffer.alloc(16)]]],
  ['two passwords', [[2, Buffer.alloc(16)]]],
])('rejects a request with %s without sending a push (RFC 3579 §3.3)', async (_what, more) => {
  await answers('approve');
  expect(await ask({ more })).toMatchObject({ code: 'reject', isProven: true, message: 'Only PAP is supported.' });
  expect(await history()).not.toContainEqual(expect.objectContaining({ appName: 'Gateway' }));
});

test.each<[string, number, string]>([
  ['user names', 1, 'names'],
  ['states', 24, 'states'],
])('rejects a request with two %s without sending a push (RFC 2865 §5.44)', async (_label, type, name) => {
  await answers('approve');
  const value = Buffer.from('manager@acme.test');
  const more = [[type, value], ...(type === 24 ? [[type, value] as const] : [])] as const;
  const message = `The request contains several ${name}.`;
  expect(await ask({ more })).toMatchObject({ code: 'reject', isProven: true, message });
  expect(await history()).not.toContainEqual(expect.objectContaining({ appName: 'Gateway' }));
});

test.each([0, 15, 17, 129, 144])(
  'rejects a password of %i octets (RFC 2865 §5.2)',
  { tags: 'whole' },
  async (length) => {
    await answers('approve');
    const hiddenPassword = Buffer.alloc(length);
    expect(await ask({ hiddenPassword })).toMatchObject({
      code: 'reject',
      message: 'User-Password must be 16 to 128 octets long, in blocks of 16.',
    });
  },
);

test('returns Proxy-State and answers Status-Server', async () => {
  expect(await ask({ code: 12, proxyState: 'a proxy' })).toMatchObject({
    code: 'accept',
    isProven: true,
    proxyState: 'a proxy',
  });
});

test('omits Reply-Message if Proxy-State leaves no room', async () => {
  const proxyState = [...Array.from({ length: 15 }, () => 'p'.repeat(250)), 'p'.repeat(240)];
  await answers('deny');
  const { bytes, ...answer } = await ask({ proxyState });
  expect(answer).toMatchObject({ code: 'reject', isProven: true, message: '', proxyState: 'p'.repeat(240) });
  expect(bytes.length).toBeLessThanOrEqual(4_096);
});

test('handles 100 concurrent requests', { tags: 'whole' }, async () => {
  const people = await Promise.all(
    Array.from({ length: 100 }, (_, at) => portal.lab.person({ org: 'acme', email: `person${at}@acme.test` })),
  );
  await portal.lab.policy({ match: {}, answer: 'approve' });
  const all = await Promise.all(
    people.map((_person, at) => ask({ name: `person${at}@acme.test`, identifier: at + 1 })),
  );
  expect(all.filter(({ code, isProven }) => code === 'accept' && isProven)).toHaveLength(100);
});

test('answers 1,000 valid requests among 1,000 invalid ones, and each retransmission', {
  tags: 'whole',
}, async () => {
  const packets = Array.from({ length: 1_000 }, (_, at) =>
    radiusRequest({ secret, code: 12, identifier: at % 256, proxyState: `n${at}` }),
  );
  for (let at = 0; at < packets.length; at += 50) {
    for (const packet of packets.slice(at, at + 50)) {
      client.send(packet.subarray(0, 20 + (at % 30)));
      client.send(packet);
      client.send(radiusRequest({ secret: 'another-secret', name: USER }));
      client.send(radiusRequest({ secret, name: USER, isProtected: false }));
      client.send(packet);
    }
    await client.until(2 * (at + 50));
  }
  const answered = new Map<string, number>();
  for (const bytes of client.received) {
    const text = bytes.toString('latin1');
    answered.set(text, (answered.get(text) ?? 0) + 1);
    // The Message-Authenticator must come first: it proves less after a prefix chosen by an attacker (Blast-RADIUS,
    // CVE-2024-3596).
    expect(bytes.subarray(20, 22)).toEqual(Buffer.of(80, 18));
  }
  expect([...answered.values()]).toEqual(packets.map(() => 2));
  expect(await portal.lab.requests()).toEqual([]);
});

test('assigns a space its own port, applications and secrets', async () => {
  await using space = await portal.lab.space({ name: 'beside' });
  const { token: own } = await space.session({ email: 'super.admin@acme.test' });
  const body = { orgCode: 'acme', integrationType: 'radius' as const, name: 'Gateway' };
  const { app } = await space.call(createApp, { params: { orgCode: 'acme' }, body }, { token: own });
  const { port: beside = 0, secret: theirs = '' } = app.radiusConfiguration ?? {};
  expect(beside).not.toBe(port);
  await using other = await radiusClient(beside ?? 0);
  expect(await other.ask({ secret: theirs, code: 12 })).toMatchObject({ code: 'accept' });
  client.send(radiusRequest({ secret: theirs, code: 12 }));
  await ask({ code: 12 });
  expect(client.received).toHaveLength(1);
});

test('reports a port that is in use with a one-sentence error', async () => {
  await expect(testPortal({ config: { radiusPorts: [port, port] } })).rejects.toThrow(
    `Port ${port} ${PORT_TAKEN}. Choose another RADIUS_PORT, or stop the program that uses it.`,
  );
});

/** radclient is part of Debian's freeradius-utils. These tests are skipped if it isn't installed. */
const hasRadclient = spawnSync('radclient', ['-h']).error === undefined;

describe.runIf(hasRadclient)('FreeRADIUS radclient and radtest', () => {
  const run = promisify(execFile);
  const outputOf = async (program: string, args: string[], input = '') => {
    const running = run(program, args);
    running.child.stdin?.end(input);
    return running.then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  };
  const radclient = (request: string, { key = secret, seconds = '5' } = {}) =>
    outputOf('radclient', ['-x', '-r', '1', '-t', seconds, `127.0.0.1:${port}`, 'auth', key], request);
  const REQUEST = `User-Name = "${USER}", User-Password = "push", Message-Authenticator = 0x00\n`;

  test('sign in after approval', async () => {
    await answers('approve');
    expect(await radclient(REQUEST)).toContain('Received Access-Accept');
    expect(await outputOf('radtest', [USER, 'push', `127.0.0.1:${port}`, '0', secret])).toContain(
      'Received Access-Accept',
    );
  });

  test('are rejected if the user denies the sign-in', async () => {
    await answers('deny');
    expect(await radclient(REQUEST)).toContain('Received Access-Reject');
  });

  test('sign in with a match number, in two steps', async () => {
    await change({ radiusConfiguration: { method: 'number' } });
    await answers('approve');
    const challenge = await radclient(REQUEST);
    expect(challenge).toContain('Received Access-Challenge');
    const state = /State = (0x[0-9a-f]+)/.exec(challenge)?.[1];
    expect(await radclient(REQUEST.replace('\n', `, State = ${state}\n`))).toContain('Received Access-Accept');
  });

  test('sign in with the commands in docs/applications.md', async () => {
    await change({ radiusConfiguration: { method: 'push' } });
    await answers('approve');
    const folder = mkdtempSync(join(tmpdir(), 'radius-'));
    const [, ...lines] = docsCommands('applications.md', 'RADIUS', { ':1812': `:${port}`, '<secret>': secret });
    const { stdout } = await run('sh', ['-ec', lines.join('\n')], { cwd: folder });
    rmSync(folder, { recursive: true });
    expect(stdout).toContain('Received Access-Accept');
  });

  test('get no response with a wrong secret', async () => {
    expect(await radclient(REQUEST, { key: 'another-secret', seconds: '0.5' })).not.toContain('Received');
  });
});
