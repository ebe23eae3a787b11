import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { createApp, getLoginHistory, login, MINUTE, replaceSharedSecret, updateApp } from '@orchestrate/shared';
import {
  BerWriter,
  Client,
  Control,
  type Entry,
  EqualityFilter,
  InvalidCredentialsError,
  NoSuchObjectError,
  NotFilter,
  PresenceFilter,
  ResultCodeError,
} from 'ldapts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memberByEmail, postFrom, setMember, setOrganisation } from '#testing/device.ts';
import { docsCommands } from '#testing/helpers.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { directoryOf, groupWith, userWith } from '../scim/testing.ts';
import { START_TLS } from './search.ts';

const USER = 'user@acme.test';
const SERVICE = 'cn=service,ou=directory,o=acme';
const BASE = 'ou=directory,o=acme';
const dnOf = (email: string) => `uid=${email},ou=people,${BASE}`;

let portal: TestPortal;
let token: string;
let secret: string;
let clients: Client[] = [];

beforeEach(() => open(null));

async function open(ldapsPort: 0 | null): Promise<void> {
  portal = await testPortal({ config: { ldapPort: 0, ldapsPort, lab: true } });
  ({ token } = await portal.signIn('super.admin@acme.test'));
  const body = { orgCode: 'acme', integrationType: 'ldap' as const, name: 'Directory' };
  const { app } = (await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token })).body;
  secret = app.ldapConfiguration?.secret ?? '';
}

afterEach(async () => {
  await Promise.all(clients.map((client) => client.unbind()));
  clients = [];
  await portal.close();
});

function client(url = `ldap://127.0.0.1:${portal.deps.ports.ldap}`): Client {
  const made = new Client({ url, ...(url.startsWith('ldaps:') && { tlsOptions: { rejectUnauthorized: false } }) });
  clients.push(made);
  return made;
}
async function service(): Promise<Client> {
  const made = client();
  await made.bind(SERVICE, secret);
  return made;
}
const answers = (answer: 'approve' | 'deny') =>
  portal.lab.policy({ match: { email: USER, kind: 'app-login' }, answer });
const change = (body: object) =>
  portal.call(updateApp, { params: { orgCode: 'acme', appId: 'directory' }, body }, { token });
const codeOf = async (call: Promise<unknown>) =>
  call.then(
    () => 0,
    (reason: unknown) => (reason instanceof ResultCodeError ? reason.code : String(reason)),
  );
/** Sends bytes, and returns everything received until the connection closes. */
async function answersTo(hex: string): Promise<string> {
  const socket = connect(portal.deps.ports.ldap ?? 0, '127.0.0.1');
  socket.end(Buffer.from(hex, 'hex'));
  const answers: Buffer[] = [];
  socket.on('data', (data: Buffer) => answers.push(data));
  await once(socket, 'close');
  return Buffer.concat(answers).toString('latin1');
}
/** A paged-results control with arbitrary bytes, which our client library wouldn't send. */
class Paged extends Control {
  readonly page: { size: number; cookie: string };
  constructor(size: number, cookie: string) {
    super('1.2.840.113556.1.4.319', { critical: true });
    this.page = { size, cookie };
  }
  override writeControl(writer: BerWriter): void {
    const value = new BerWriter();
    value.startSequence();
    value.writeInt(this.page.size);
    value.writeString(this.page.cookie);
    value.endSequence();
    writer.writeBuffer(value.buffer, 0x04);
  }
}
/** Removes the empty attributes that the library adds for requested attributes the entry doesn't have. */
const present = (entry: Entry): Entry => ({
  ...Object.fromEntries(Object.entries(entry).filter(([, values]) => !Array.isArray(values) || values.length > 0)),
  dn: entry.dn,
});
async function waiting() {
  for (;;) {
    const requests = await portal.lab.requests();
    if (requests.length > 0) return requests;
  }
}

describe('bind', () => {
  // covers: spec 2.1.3
  test('succeeds once the device has approved, and appears in the sign-in history', async () => {
    await answers('approve');
    const bound = client();
    await bound.bind(dnOf(USER), 'any password');
    const { token: own } = await portal.signIn(USER);
    const { records } = (await portal.call(getLoginHistory, { query: { count: 10 } }, { token: own })).body;
    expect(records.find(({ appName }) => appName === 'Directory')).toMatchObject({
      mode: 'PUSH',
      loginStatus: 'Success',
    });
  });

  test.each(['Zo\u00eb', 'Zoe\u0308', 'Zo\\c3\\ab', '\uff3ao\u00eb'])(
    'accepts the member’s primary attribute as the name: %s',
    async (name) => {
      setMember(portal, memberByEmail(portal, 'acme', USER).suid, { primaryAttr: 'Zo\u00eb', firstName: 'Zo\u00eb' });
      await answers('approve');
      const bound = client();
      await bound.bind(dnOf(name), 'x');
      for (const filter of ['givenName=Zoe\u0308', 'employeeNumber=ZO\u00cb', 'cn=ZOE\u0308*', 'displayName=*o\u00eb*'])
        expect((await bound.search(BASE, { filter: `(${filter})` })).searchEntries).toMatchObject([{ uid: USER }]);
    },
  );

  test.each([
    `uid="${USER}",ou=people,${BASE}`,
    `uid = "${USER}" ; ou=people ; ou=directory ; o=acme`,
    `OID.0.9.2342.19200300.100.1.1=${USER},ou=people,${BASE}`,
    `uid=#04${Buffer.from([USER.length]).toString('hex')}${Buffer.from(USER).toString('hex')},ou=people,${BASE}`,
  ])('accepts names in other notations (RFC 2253 §4, RFC 4514 §2.4): %s', { tags: 'whole' }, async (dn) => {
    await answers('approve');
    expect(await codeOf(client().bind(dn, 'x'))).toBe(0);
    expect((await (await service()).search(dn, { scope: 'base' })).searchEntries).toMatchObject([{ uid: USER }]);
  });

  test.each(['uid=user+tag@acme.test', 'uid="user', 'uid=user\\x', 'uid=<user>', 'uid=user,', 'uid=\\c3', 'uid=#04'])(
    'rejects the invalid DN %s in every operation (34, RFC 4511 §4.2.2)',
    async (part) => {
      const dn = `${part},ou=people,${BASE}`;
      expect(await codeOf(client().bind(dn, 'x'))).toBe(34);
      const bound = await service();
      expect(await codeOf(bound.search(dn, { scope: 'base' }))).toBe(34);
      expect(await codeOf(bound.compare(dn, 'uid', 'user'))).toBe(34);
    },
  );

  test('rejects a multi-valued RDN, which no entry has (49)', { tags: 'whole' }, async () => {
    expect(await codeOf(client().bind(`uid=${USER}+cn=user,ou=people,${BASE}`, 'x'))).toBe(49);
  });

  test('fails if the user denies the sign-in (49, invalidCredentials)', async () => {
    await answers('deny');
    await expect(client().bind(dnOf(USER), 'x')).rejects.toBeInstanceOf(InvalidCredentialsError);
  });

  test('fails if the user doesn’t answer in time (51, busy)', async () => {
    const late = codeOf(client().bind(dnOf(USER), 'x'));
    await waiting();
    portal.clock.advance(121);
    expect(await late).toBe(51);
  });

  test('rejects unknown people and people without access to the application (49)', async () => {
    expect(await codeOf(client().bind(dnOf('nobody@acme.test'), 'x'))).toBe(49);
    await answers('approve');
    await change({ usableBy: { roles: [], people: [] } });
    expect(await codeOf(client().bind(dnOf(USER), 'x'))).toBe(49);
  });

  test('reaches a returning user while a stranger’s requests are pending', async () => {
    await answers('approve');
    await client().bind(dnOf(USER), 'x');
    await portal.lab.policy({ match: { email: USER }, answer: 'ignore' });
    const stranger = { orgCode: 'acme', mode: 'PUSH', primaryAttr: USER };
    for (const _ of [1, 2]) await postFrom(portal, '203.0.113.9', login.path, stranger);
    expect(await portal.lab.requests()).toHaveLength(2);
    await answers('approve');
    expect(await codeOf(client().bind(dnOf(USER), 'x'))).toBe(0);
    expect((await postFrom(portal, '203.0.113.9', login.path, stranger)).status).toBe(429);
  });

  test('times out for unknown people too if the organisation doesn’t reveal accounts (51, busy)', async () => {
    setOrganisation(portal, 'acme', { discloseUnknownUsers: 0 });
    const late = codeOf(client().bind(dnOf('nobody@acme.test'), 'x'));
    await waiting();
    portal.clock.advance(121);
    expect(await late).toBe(51);
  });

  test('fails and sends no push if the organisation requires number matching (49)', async () => {
    setOrganisation(portal, 'acme', { stepUpAuthEnabled: 1 });
    await expect(client().bind(dnOf(USER), 'x')).rejects.toThrow(
      "requires number matching, which isn't possible over LDAP",
    );
    expect(await portal.lab.requests()).toEqual([]);
  });

  test('requires the application’s current secret (49)', async () => {
    expect(await codeOf(client().bind(SERVICE, 'wrong'))).toBe(49);
    await service();
    const next = await portal.call(
      replaceSharedSecret,
      { params: { orgCode: 'acme', appId: 'directory' }, body: {} },
      { token },
    );
    expect(await codeOf(client().bind(SERVICE, secret))).toBe(49);
    await client().bind(SERVICE, next.body.secret);
    await client().bind('CN=Service, OU=Directory, O=ACME', next.body.secret);
  });

  test('never refuses an application’s strong secret because of failures from its network', async () => {
    for (let tries = 0; tries < 20; tries += 1) expect(await codeOf(client().bind(SERVICE, 'guessed'))).toBe(49);
    expect(await codeOf(client().bind(SERVICE, 'guessed'))).toBe(51);
    expect(await codeOf(client().bind(SERVICE, secret))).toBe(0);
  });

  test('allows 20 wrong secrets per network for an application with a weak secret', async () => {
    secret = 'testing123';
    const change = { params: { orgCode: 'acme', appId: 'directory' }, body: { secret } };
    await portal.call(replaceSharedSecret, change, { token });
    const body = { orgCode: 'acme', integrationType: 'ldap' as const, name: 'Second' };
    await portal.call(createApp, { params: { orgCode: 'acme' }, body }, { token });
    for (let tries = 0; tries < 20; tries += 1) expect(await codeOf(client().bind(SERVICE, 'guessed'))).toBe(49);
    expect(await codeOf(client().bind(SERVICE, secret))).toBe(51);
    expect(await codeOf(client().bind('cn=service,ou=second,o=acme', 'guessed'))).toBe(49);
  });

  test.each([
    ['without a password', dnOf(USER), '', 53],
    ['with an invalid DN', 'nonsense', 'x', 34],
    ['in another organisation', `uid=${USER},ou=people,ou=directory,o=globex`, 'x', 49],
    ['for an application with another protocol', `uid=${USER},ou=people,ou=team-wiki,o=acme`, 'x', 49],
    ['with an unknown name', `cn=admin,${BASE}`, 'x', 49],
    [
      'with thousands of combining accents in the name',
      `uid=a${'\u0315'.repeat(4_000)}${'\u0316'.repeat(4_000)},ou=people,${BASE}`,
      'x',
      49,
    ],
    ['with thousands of spaces in the name', `cn=a${' '.repeat(16_000)}a,${BASE}`, 'x', 49],
  ])('refuses a bind %s', async (_what, dn, password, code) => {
    expect(await codeOf(client().bind(dn, password))).toBe(code);
  });
});

test('handles 100 concurrent binds', { tags: 'whole' }, async () => {
  const emails = Array.from({ length: 100 }, (_, at) => `person${at}@acme.test`);
  await Promise.all(emails.map((email) => portal.lab.person({ org: 'acme', email })));
  await portal.lab.policy({ match: { kind: 'app-login' }, answer: 'approve' });
  expect(await Promise.all(emails.map((email) => codeOf(client().bind(dnOf(email), 'x'))))).toEqual(
    emails.map(() => 0),
  );
});

test('cleans up when a waiting client disconnects or the portal stops', async () => {
  const gone = client();
  const bind = codeOf(gone.bind(dnOf(USER), 'x'));
  await waiting();
  await gone.unbind();
  await bind;
  const stopped = codeOf(client().bind(dnOf('manager@acme.test'), 'x'));
  await waiting();
  await portal.close();
  expect(await stopped).not.toBe(0);
  await open(null);
});

test.each(['unbinds', 'hangs up', 'sends an invalid message'])(
  'withdraws a pending push and records the attempt if the client %s',
  async (how) => {
    for (const _ of [1, 2]) {
      const socket = connect(portal.deps.ports.ldap ?? 0, '127.0.0.1');
      const closed = once(socket, 'close');
      socket.resume().write(bindRequest(dnOf(USER)));
      await waiting();
      if (how === 'unbinds') socket.write(Buffer.from('30050201024200', 'hex'));
      else if (how === 'hangs up') socket.destroy();
      else socket.write('GET / HTTP/1.1');
      await closed;
      await vi.waitUntil(async () => (await portal.lab.requests()).length === 0);
    }
    await expect(client().bind(dnOf(USER), 'x')).rejects.toThrow('requests for this name were recently cancelled');
    expect(await portal.lab.requests()).toEqual([]);
    portal.clock.advance(121);
    await answers('approve');
    await client().bind(dnOf(USER), 'x');
  },
);

/** Encodes a bind without the library. */
function bindRequest(dn: string): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(1);
  writer.startSequence(0x60);
  writer.writeInt(3);
  writer.writeString(dn);
  writer.writeString('x', 0x80);
  writer.endSequence();
  writer.endSequence();
  return writer.buffer;
}

/** A search of the root DSE. */
const rootDse = '3025020101632004000a01000a0100020100020100010100870b6f626a656374436c6173733000';

test('serves other clients between 1,000 requests of one client', {
  tags: 'whole',
}, async () => {
  const socket = connect(portal.deps.ports.ldap ?? 0, '127.0.0.1');
  let turns = 0;
  const count = () => {
    turns += 1;
    if (!socket.destroyed) setImmediate(count);
  };
  setImmediate(count);
  socket.write(Buffer.from(rootDse.repeat(1_000), 'hex'));
  let answers = '';
  for await (const data of socket) {
    answers += data.toString('latin1');
    if (answers.split('objectClass').length > 1_000) break;
  }
  expect(turns).toBeGreaterThan(1_000);
});

describe('idle connection', () => {
  const IDLE_MS = 15 * MINUTE;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is closed after 15 minutes with a notice of disconnection', async () => {
    const socket = connect(portal.deps.ports.ldap ?? 0, '127.0.0.1');
    const answers: Buffer[] = [];
    const closed = once(socket, 'close');
    socket.on('data', (data: Buffer) => answers.push(data));
    const ask = async () => {
      socket.write(Buffer.from(rootDse, 'hex'));
      await once(socket, 'data');
    };
    await ask();
    vi.advanceTimersByTime(IDLE_MS - 1);
    await ask();
    vi.advanceTimersByTime(IDLE_MS - 1);
    await ask();
    vi.advanceTimersByTime(IDLE_MS);
    await closed;
    expect(Buffer.concat(answers).toString('latin1')).toContain('was idle for');
  });

  test('is also closed after 15 minutes if it unbinds or sends garbage without disconnecting', async () => {
    for (const last of ['30050201024200', '4745']) {
      const socket = connect({ port: portal.deps.ports.ldap ?? 0, host: '127.0.0.1', allowHalfOpen: true });
      const reset = new Promise<string>((resolve) => {
        socket.on('error', (reason) => resolve(String(reason)));
      });
      socket.resume();
      socket.write(Buffer.from(last, 'hex'));
      await once(socket, 'end');
      vi.advanceTimersByTime(IDLE_MS);
      // The operating system rejects writes to a closed socket, which shows that the portal has closed it.
      const speaking = setInterval(() => socket.write('x'), 5);
      expect(await reset).toMatch(/ECONNRESET|EPIPE/);
      clearInterval(speaking);
    }
  });

  test('is closed a minute after the start of an incomplete message, however slowly it arrives', async () => {
    const socket = connect(portal.deps.ports.ldap ?? 0, '127.0.0.1');
    const closed = once(socket, 'close');
    socket.resume();
    // Sends only the start of the second message.
    socket.write(Buffer.from(`${rootDse}${rootDse.slice(0, 8)}`, 'hex'));
    await once(socket, 'data');
    vi.advanceTimersByTime(MINUTE);
    await closed;
  });

  test('stays open while a bind waits for approval', async () => {
    const bind = codeOf(client().bind(dnOf(USER), 'x'));
    await waiting();
    vi.advanceTimersByTime(IDLE_MS);
    portal.clock.advance(121);
    expect(await bind).toBe(51);
  });
});

test.each([
  ['accents', `uid=a${'\u0315'.repeat(60_000)}${'\u0316'.repeat(60_000)},ou=people,${BASE}`],
  ['spaces', `cn=a${' '.repeat(250_000)}a,${BASE}`],
])('parses a name of %s in linear time', async (_what, dn) => {
  expect(await codeOf((await service()).search(dn, { scope: 'base' }))).toBe(32);
});

describe('unbound connection', () => {
  test('limits messages to 16,384 bytes until a bind', async () => {
    const filter = `(|${`(uid=${'a'.repeat(200)})`.repeat(150)})`;
    expect(await codeOf(client().search(BASE, { filter }))).toContain('Connection closed');
    expect(await codeOf((await service()).search(BASE, { filter }))).toBe(0);
  });

  test('limits DNs to 20 RDNs, and journals at most 500 characters of a DN', async () => {
    const nameOf = (parts: number) => `${'ou=a-unit-with-a-longer-name-than-most,'.repeat(parts - 2)}${BASE}`;
    expect(await codeOf(client().bind(nameOf(20), 'x'))).toBe(49);
    expect(await codeOf(client().bind(nameOf(21), 'x'))).toBe(34);
    const entries = await portal.lab.journal({ kind: 'exchange' });
    expect(entries.map((entry) => 'name' in entry && entry.name)).toEqual(
      [20, 21].map((parts) => nameOf(parts).slice(0, 500)),
    );
  });
});

describe('search', () => {
  test('requires a bind except for the root DSE', async () => {
    const { searchEntries } = await client().search('', { scope: 'base', attributes: ['+'] });
    expect(searchEntries).toMatchObject([{ supportedLDAPVersion: '3', subschemaSubentry: 'cn=Subschema' }]);
    expect(await codeOf(client().search(BASE))).toBe(50);
  });

  test('returns the root’s operational attributes only on request (RFC 4512 §5.1)', async () => {
    const root = async (...attributes: string[]) =>
      (await client().search('', { scope: 'base', attributes })).searchEntries.map(present);
    expect(await root()).toEqual([{ dn: '', objectClass: 'top' }]);
    expect(await root('*')).toEqual([{ dn: '', objectClass: 'top' }]);
    expect(await root('vendorName')).toEqual([{ dn: '', vendorName: 'Orchestrate' }]);
    expect(await root('1.1')).toEqual([{ dn: '' }]);
  });

  test('lists the naming context in the root DSE only for authorised clients (RFC 4512 §5.1)', async () => {
    const root = async (of: Client) =>
      (await of.search('', { scope: 'base', attributes: ['namingContexts'] })).searchEntries;
    expect(await root(client())).toEqual([{ dn: '', namingContexts: [] }]);
    expect(await root(await service())).toMatchObject([{ namingContexts: BASE }]);
  });

  test.each([
    [`(uid=${USER})`, [USER]],
    [`(&(objectClass=person)(mail=USER@acme.test))`, [USER]],
    ['(&(objectClass=inetOrgPerson)(mail=super*))', ['super.admin@acme.test']],
    [`(&(mail=${USER})(!(mail=user*)))`, []],
    [`(&(mail=*@acme.test)(|(mail=${USER})(mail=manager@acme.test)))`, ['manager@acme.test', USER]],
    ['(mail=us*r@*.test)', [USER]],
    [`(&(uid=${USER})(memberOf=cn=USER,ou=groups,${BASE}))`, [USER]],
    ['(telephoneNumber=1)', []],
    // A filter on an unknown attribute is undefined (RFC 4511 §4.5.1.7), so its negation doesn't match any entry
    // either.
    ['(!(unknown=1))', []],
    ['(!(unknown>=1))', []],
    ['(!(unknown=a*b))', []],
    ['(!(mail:1.2.3:=1))', []],
    [`(&(uid=${USER})(!(unknown=1)))`, []],
    [`(&(|(uid=${USER})(uid=manager@acme.test))(!(&(uid=${USER})(unknown=1))))`, ['manager@acme.test']],
    [`(!(|(uid=${USER})(unknown=1)))`, []],
    [`(|(uid=${USER})(!(mail:1.2.3:=1)))`, [USER]],
    [`(&(uid=${USER})(!(unknown=*)))`, [USER]],
    [`(&(uid=${USER})(!(member=cn=nobody)))`, [USER]],
  ])('finds people by %s', async (filter, emails) => {
    const { searchEntries } = await (await service()).search(BASE, { filter, attributes: ['mail'] });
    expect(searchEntries.flatMap(({ mail }) => mail ?? []).toSorted()).toEqual(emails);
  });

  test('finds roles and their members', async () => {
    const bound = await service();
    const { searchEntries } = await bound.search(BASE, {
      filter: `(&(objectClass=groupOfNames)(member=${dnOf(USER)}))`,
    });
    expect(searchEntries).toMatchObject([{ cn: 'USER', dn: `cn=USER,ou=groups,${BASE}` }]);
  });

  test('finds custom groups alongside roles, and members by group', async () => {
    const directory = directoryOf(portal);
    const { suid } = memberByEmail(portal, 'acme', USER);
    const other = memberByEmail(portal, 'acme', 'manager@acme.test').suid;
    const made = [
      await directory.send('POST', '/Groups', groupWith({ displayName: 'VPN, north', members: [{ value: suid }] })),
      await directory.send(
        'POST',
        '/Groups',
        groupWith({ displayName: 'Staff', members: [{ value: suid }, { value: other }] }),
      ),
      await directory.send('POST', '/Groups', groupWith({ displayName: 'Empty' })),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    const north = `cn=VPN\\, north,ou=groups,${BASE}`;
    const bound = await service();
    const groups = async (filter: string) =>
      (await bound.search(BASE, { filter, attributes: ['cn'] })).searchEntries.map(({ cn }) => cn);
    expect(await groups(`(&(objectClass=groupOfNames)(member=${dnOf(USER)}))`)).toEqual([
      'USER',
      'VPN, north',
      'Staff',
    ]);
    expect(await groups('(&(objectClass=groupOfNames)(cn=staff))')).toEqual(['Staff']);
    expect(await groups(`(&(objectClass=groupOfNames)(member=${dnOf('nobody@acme.test')}))`)).toEqual([]);
    const one = await bound.search(`cn=Staff,ou=groups,${BASE}`, { scope: 'base' });
    expect(one.searchEntries).toMatchObject([
      { cn: 'Staff', member: [dnOf('manager@acme.test'), dnOf(USER)].toSorted() },
    ]);
    const empty = await bound.search(`cn=Empty,ou=groups,${BASE}`, { scope: 'base', filter: `(member=${dnOf(USER)})` });
    expect(empty.searchEntries).toEqual([]);
    const person = await bound.search(dnOf(USER), { scope: 'base' });
    const all = [`cn=USER,ou=groups,${BASE}`, `cn=Staff,ou=groups,${BASE}`, north];
    expect(person.searchEntries).toMatchObject([{ memberOf: all }]);
    const people = async (filter: string) =>
      (await bound.search(BASE, { filter, attributes: ['uid'] })).searchEntries.map(({ uid }) => uid).toSorted();
    expect(await people(`(&(objectClass=person)(memberOf=cn=Staff,ou=groups,${BASE}))`)).toEqual([
      'manager@acme.test',
      USER,
    ]);
    expect(await people(`(&(memberOf=cn=Staff,ou=groups,${BASE})(!(uid=${USER})))`)).toEqual(['manager@acme.test']);
    await change({ usableBy: { groups: [made[0]?.id ?? ''] } });
    expect(await people('(objectClass=person)')).toEqual([USER]);
  });

  test('returns the attributes of a person', async () => {
    const { searchEntries } = await (await service()).search(dnOf(USER), { scope: 'base' });
    expect(searchEntries).toMatchObject([{ uid: USER, mail: USER, memberOf: `cn=USER,ou=groups,${BASE}` }]);
  });

  test('accepts OIDs and alternative names of attributes (RFC 4512 §2.5)', { tags: 'whole' }, async () => {
    const directory = await service();
    for (const attribute of ['0.9.2342.19200300.100.1.1', 'userid', 'rfc822Mailbox', '0.9.2342.19200300.100.1.3']) {
      const filter = new EqualityFilter({ attribute, value: USER });
      const { searchEntries } = await directory.search(BASE, { filter, attributes: ['surname', '2.5.4.42'] });
      expect(searchEntries, attribute).toEqual([expect.objectContaining({ sn: 'Ortiz', givenName: 'Daniel' })]);
    }
    await answers('approve');
    const byNumber = `0.9.2342.19200300.100.1.1=${USER},organizationalUnitName=people,2.5.4.11=directory,2.5.4.10=acme`;
    expect(await codeOf(client().bind(byNumber, 'x'))).toBe(0);
  });

  test('finds a person by their unique uidNumber', async () => {
    const bound = await service();
    const accounts = async (filter: string) =>
      (await bound.search(BASE, { filter: `(&(objectClass=posixAccount)${filter})` })).searchEntries;
    const [account] = await accounts(`(uid=${USER})`);
    const group = { filter: `(&(objectClass=posixGroup)(gidNumber=${account?.gidNumber}))` };
    expect((await bound.search(BASE, group)).searchEntries).toMatchObject([{ cn: 'USER' }]);
    expect(account).toMatchObject({ homeDirectory: `/home/${USER}` });
    expect(await accounts(`(uidNumber=${account?.uidNumber})`)).toEqual([account]);
    const numbers = (await accounts('')).map(({ uidNumber }) => Number(uidNumber));
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const number of numbers) expect(number).toBeGreaterThan(100_000);
  });

  test('finds groups by a stable gidNumber, and a person’s groups by either member attribute', async () => {
    const directory = directoryOf(portal);
    const { suid } = memberByEmail(portal, 'acme', USER);
    const members = [{ value: suid }];
    const made = await directory.send('POST', '/Groups', groupWith({ displayName: 'Staff', members }));
    await directory.send('POST', '/Groups', groupWith({ displayName: 'Empty' }));
    const bound = await service();
    const groups = async (filter = '') =>
      (await bound.search(BASE, { filter: `(&(objectClass=posixGroup)${filter})` })).searchEntries;
    const all = await groups();
    const numbers = all.map(({ gidNumber }) => Number(gidNumber));
    expect(new Set(numbers).size).toBe(numbers.length);
    // gidNumbers are above all members' numbers and below 2³¹, because some systems read larger numbers as negative.
    for (const number of numbers) expect(number >= 2 ** 30 && number < 2 ** 31).toBe(true);
    const staff = all.find(({ cn }) => cn === 'Staff');
    expect(staff).toMatchObject({ memberUid: USER, member: dnOf(USER) });
    expect(all.find(({ cn }) => cn === 'Empty')).not.toHaveProperty('memberUid');
    expect(await groups(`(gidNumber=${staff?.gidNumber})`)).toEqual([staff]);
    const names = async (filter: string) => (await groups(filter)).map(({ cn }) => cn);
    // Filters by both member attributes together, as RFC 2307 allows and as nslcd and sssd do.
    expect(await names(`(memberUid=${USER})`)).toEqual(['USER', 'Staff']);
    expect(await names(`(|(memberUid=${USER})(member=${dnOf(USER)}))`)).toEqual(['USER', 'Staff']);
    const either = await names(`(|(memberUid=${USER})(member=${dnOf('super.admin@acme.test')}))`);
    expect(either.toSorted()).toEqual(['SUPER_ADMIN', 'Staff', 'USER']);
    expect(await names('(|(memberUid=nobody@acme.test)(memberUid=user*))')).toContain('Staff');
    expect(await names('(memberUid=nobody@acme.test)')).toEqual([]);
    const renamed = { op: 'replace', path: 'displayName', value: 'Everybody' };
    expect((await directory.patch(`/Groups/${made.id}`, [renamed])).status).toBe(200);
    expect(await names(`(gidNumber=${staff?.gidNumber})`)).toEqual(['Everybody']);
  });

  test('never reuses a deleted group’s gidNumber, and assigns equal numbers on all installations', async () => {
    const numbers = async () => {
      const { searchEntries } = await (await service()).search(BASE, { filter: '(objectClass=posixGroup)' });
      return new Map(searchEntries.map(({ cn, gidNumber }) => [String(cn), Number(gidNumber)]));
    };
    const make = (displayName: string) => directoryOf(portal).send('POST', '/Groups', groupWith({ displayName }));
    const { id } = await make('Staff');
    const before = await numbers();
    await directoryOf(portal).send('DELETE', `/Groups/${id}`);
    await make('Guests');
    const after = await numbers();
    expect(after.get('Guests')).toBe((before.get('Staff') ?? 0) + 1);
    before.delete('Staff');
    for (const [name, number] of before) expect(after.get(name)).toBe(number);
    await portal.close();
    await open(null);
    await make('Staff');
    await make('Guests');
    expect(await numbers()).toEqual(new Map([...after, ['Staff', Math.max(...before.values()) + 1]]));
  });

  test('compares attributes by their matching rules (RFC 4517)', {
    tags: 'whole',
  }, async () => {
    const bound = await service();
    const accounts = async (filter: string) =>
      (await bound.search(BASE, { filter: `(&(objectClass=posixAccount)${filter})` })).searchEntries;
    const emails = async (filter: string) => (await accounts(filter)).map(({ mail }) => mail);
    const all = await emails('');
    const number = Number((await accounts(`(uid=${USER})`))[0]?.uidNumber);
    expect(await emails(`(&(uidNumber>=${number})(uidNumber<=${number}))`)).toEqual([USER]);
    // If compared as text, "99999" would be above every number, and "1000000" below most.
    expect(await emails('(uidNumber>=99999)')).toEqual(all);
    expect(await emails('(gidNumber>=1000000)')).toEqual(all);
    expect(await emails('(!(uidNumber<=-1))')).toEqual(all);
    // Undefined results: the value isn't an integer, or the attribute doesn't support the comparison.
    for (const undecided of ['uidNumber>=x', `uidNumber=0${number}`, 'uidNumber=1*', 'cn>=a', 'mail<=z', 'member=x']) {
      expect(await emails(`(${undecided})`)).toEqual([]);
      expect(await emails(`(!(${undecided}))`)).toEqual([]);
    }
    expect(await emails(`(&(uid=${USER})(memberOf=CN=user, OU=Groups, ou=Directory, O=ACME))`)).toEqual([USER]);
    const { searchEntries } = await bound.search(BASE, {
      filter: `(member=UID=${USER}, ou=people, ou=directory, o=acme)`,
      attributes: ['cn'],
    });
    expect(searchEntries.map(({ cn }) => cn)).toEqual(['USER']);
    expect(await bound.compare(`cn=USER,ou=groups,${BASE}`, 'member', dnOf(USER).replaceAll(',', ', '))).toBe(true);
  });

  test('returns every entry, however slowly the client reads', { tags: 'whole' }, async () => {
    const bound = await service();
    const found = await Promise.all(
      Array.from({ length: 300 }, () => bound.search(BASE, { filter: `(uid=${USER})`, attributes: ['mail'] })),
    );
    expect(found.map(({ searchEntries }) => searchEntries.length)).toEqual(found.map(() => 1));
  });

  test('returns the same entries with and without paging (RFC 2696)', { tags: 'whole' }, async () => {
    const bound = await service();
    const filter = '(|(objectClass=groupOfNames)(mail=*@acme.test))';
    const names = async (options: object) =>
      (await bound.search(BASE, { filter, attributes: ['cn'], ...options })).searchEntries.map(({ dn }) => dn);
    const all = await names({});
    for (const pageSize of [1_000, 100, 7]) expect(await names({ paged: { pageSize } })).toEqual(all);
    expect(await names({ paged: { pageSize: 10 }, sizeLimit: 25 })).toEqual(all.slice(0, 25));
    for (const cookie of ['x', '-5', '1.5', '0x10', ' 1', '5', '1-x', '1-2-3'])
      expect(await codeOf(bound.search(BASE, { filter }, new Paged(10, cookie)))).toBe(53);
    expect((await bound.search(BASE, { filter }, new Paged(0, '10'))).searchEntries).toEqual([]);
    const { searchEntries } = await bound.search('', { scope: 'base', attributes: ['supportedControl'] });
    expect(searchEntries).toMatchObject([{ supportedControl: '1.2.840.113556.1.4.319' }]);
  });

  test('neither skips nor repeats entries if members and groups are removed between pages', async () => {
    const directory = directoryOf(portal);
    const make = (displayName: string) => directory.send('POST', '/Groups', groupWith({ displayName }));
    const made = [await make('One'), await make('Two'), await make('Three')];
    const bound = await service();
    const filter = '(|(objectClass=posixGroup)(objectClass=posixAccount))';
    const everyone = (await bound.search(BASE, { filter, attributes: ['1.1'] })).searchEntries.map(({ dn }) => dn);
    const seen: string[] = [];
    const gone: string[] = [];
    for await (const { searchEntries } of bound.searchPaginated(BASE, {
      filter,
      attributes: ['1.1'],
      paged: { pageSize: 20 },
    })) {
      seen.push(...searchEntries.map(({ dn }) => dn));
      // If pages were counted by position, removing this page's first entry would shift the next page.
      const [first] = searchEntries.filter(({ dn }) => dn.startsWith('uid='));
      const email = first?.dn.slice('uid='.length).split(',')[0] ?? '';
      if (email !== '') setMember(portal, memberByEmail(portal, 'acme', email).suid, { accountStatus: 'inactive' });
      if (seen.includes(`cn=One,ou=groups,${BASE}`) && gone.length === 0) {
        gone.push(made[0]?.id ?? '');
        await directory.send('DELETE', `/Groups/${made[0]?.id}`);
      }
    }
    expect(seen).toEqual(everyone);
  });

  test.each([
    ['(cn=Daniel Ortiz)', true],
    ['(cn=  daniel    ORTIZ )', true],
    ['(cn=Daniel\\09Ortiz)', true],
    ['(cn=DanielOrtiz)', false],
    ['(!(cn=Daniel   Ortiz))', false],
    ['(cn=Dan*  Ortiz)', true],
    ['(cn=  Daniel *)', true],
    ['(cn=*el   Or*)', true],
    ['(cn=*l Ortiz  )', true],
    ['(cn=Dan *)', false],
    ['(displayName=*  ortiz*)', true],
    ['(mobile=+49 170-555 0199)', true],
    ['(mobile=+49 170*0199)', true],
    ['(!(mobile=+49 170 555 0199))', false],
    [`(memberOf=CN=North   Wing , ou=groups,${BASE})`, true],
    [`(memberOf=cn=NorthWing,ou=groups,${BASE})`, false],
  ])('ignores insignificant spaces (RFC 4518 §2.6): %s', async (condition, isFound) => {
    const { suid } = memberByEmail(portal, 'acme', USER);
    setMember(portal, suid, { mobileNumber: '+491705550199' });
    const group = groupWith({ displayName: 'North  Wing', members: [{ value: suid }] });
    expect((await directoryOf(portal).send('POST', '/Groups', group)).status).toBe(201);
    const { searchEntries } = await (await service()).search(BASE, { filter: `(&(uid=${USER})${condition})` });
    expect(searchEntries.length).toBe(isFound ? 1 : 0);
  });

  test('finds and compares names that are stored with repeated spaces', async () => {
    setMember(portal, memberByEmail(portal, 'acme', USER).suid, { firstName: 'Anna  Maria' });
    const bound = await service();
    for (const filter of ['(givenName=Anna Maria)', '(cn=anna maria ortiz)', '(givenName=Anna M*)'])
      expect((await bound.search(BASE, { filter })).searchEntries).toMatchObject([{ uid: USER }]);
    expect(await bound.compare(dnOf(USER), 'givenName', ' ANNA maria ')).toBe(true);
    expect(await bound.compare(`  UID = ${USER} ,ou=people,${BASE}`, 'givenName', 'AnnaMaria')).toBe(false);
  });

  test.each([
    ['(objectClass=2.5.6.6)', true],
    ['(objectClass=1.3.6.1.1.1.2.0)', true],
    ['(objectClass=PERSON)', true],
    ['(objectClass=2.5.6.9)', false],
    ['(!(objectClass=2.5.6.6))', false],
    ['(createTimestamp>=20000101000000Z)', true],
    ['(createTimestamp<=20000101000000Z)', false],
    ['(createTimestamp>=200001010000+0100)', true],
    ['(modifyTimestamp>=yesterday)', false],
    ['(!(modifyTimestamp>=yesterday))', false],
  ])('matches object classes by OID, and compares times: %s', async (condition, isFound) => {
    const { searchEntries } = await (await service()).search(BASE, { filter: `(&(uid=${USER})${condition})` });
    expect(searchEntries.length).toBe(isFound ? 1 : 0);
  });

  test('treats an attribute with an option as a different attribute (RFC 4512 §2.5)', async () => {
    const bound = await service();
    const german = { attribute: 'cn;lang-de' };
    const equal = new EqualityFilter({ ...german, value: 'Daniel Ortiz' });
    for (const filter of [equal, new NotFilter({ filter: equal }), new PresenceFilter(german)])
      expect((await bound.search(dnOf(USER), { scope: 'base', filter })).searchEntries).toEqual([]);
    const { searchEntries } = await bound.search(dnOf(USER), { scope: 'base', attributes: ['cn;lang-de', 'sn'] });
    expect(searchEntries.map(present)).toEqual([{ dn: dnOf(USER), sn: 'Ortiz' }]);
    expect(await codeOf(bound.compare(dnOf(USER), 'cn;lang-de', 'Daniel Ortiz'))).toBe(16);
  });

  test('returns operational attributes on request, and finds an entry by its UUID (RFC 4530)', async () => {
    const bound = await service();
    const find = async (filter: string, ...attributes: string[]) =>
      (await bound.search(BASE, { filter, attributes })).searchEntries;
    const OPERATIONAL = ['createTimestamp', 'entryUUID', 'modifyTimestamp', 'subschemaSubentry'];
    const [plain] = await find(`(uid=${USER})`);
    for (const name of OPERATIONAL) expect(plain).not.toHaveProperty(name);
    const all = (await find('(objectClass=*)', '+')).map(present);
    for (const { dn, ...operational } of all) {
      expect(Object.keys(operational).toSorted(), dn).toEqual(OPERATIONAL);
      expect(operational.createTimestamp).toMatch(/^\d{14}Z$/);
      expect(operational.modifyTimestamp).toMatch(/^\d{14}Z$/);
      expect(operational.entryUUID).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    }
    expect(new Set(all.map(({ entryUUID }) => entryUUID)).size).toBe(all.length);
    const uuid = String((await find(`(uid=${USER})`, 'entryuuid'))[0]?.entryUUID);
    setMember(portal, memberByEmail(portal, 'acme', USER).suid, { primaryEmail: 'renamed@acme.test' });
    expect(await find(`(entryUUID=${uuid.toUpperCase()})`, 'mail')).toMatchObject([{ mail: 'renamed@acme.test' }]);
    expect(await find(`(!(entryUUID=nonsense))`)).toEqual([]);
  });

  test('finds the group of every member’s primary group number', async () => {
    const bound = await service();
    const find = async (filter: string) => (await bound.search(BASE, { filter })).searchEntries;
    const groups = new Map((await find('(objectClass=posixGroup)')).map((group) => [group.gidNumber, group]));
    for (const { gidNumber, uid } of await find('(objectClass=posixAccount)'))
      expect(groups.get(gidNumber)?.memberUid).toContain(uid);
  });

  test('returns a schema that defines every class and attribute in use (RFC 4512 §4.2)', async () => {
    const { searchEntries: found } = await client().search('cn=Subschema', {
      scope: 'base',
      filter: '(objectClass=subschema)',
      attributes: ['+', '*'],
    });
    expect(found).toHaveLength(1);
    const named = (attribute: string) =>
      new Set(
        [found[0]?.[attribute]].flat().flatMap(
          (text) =>
            /NAME (?:\( )?((?:'[^']+' ?)+)/
              .exec(String(text))?.[1]
              ?.toLowerCase()
              .match(/[^' ]+/g) ?? [],
        ),
      );
    const [classes, attributes, rules] = [named('objectClasses'), named('attributeTypes'), named('matchingRules')];
    const { searchEntries } = await (await service()).search(BASE, { attributes: ['*', '+'] });
    for (const { dn, ...entry } of [...searchEntries, ...found].map(present)) {
      for (const name of Object.keys(entry)) expect(attributes, dn).toContain(name.toLowerCase());
      for (const name of [entry.objectClass ?? []].flat()) expect(classes, dn).toContain(String(name).toLowerCase());
    }
    for (const text of [found[0]?.objectClasses].flat())
      for (const list of String(text).matchAll(/(?:MUST|MAY) (?:\( ([^)]+) \)|(\w+))/g))
        for (const name of (list[1] ?? list[2] ?? '').split(' $ ')) expect(attributes).toContain(name.toLowerCase());
    for (const text of [found[0]?.attributeTypes].flat())
      for (const [, rule] of String(text).matchAll(/(?:EQUALITY|ORDERING|SUBSTR) (\w+)/g))
        expect(rules).toContain(String(rule).toLowerCase());
    expect(await codeOf(client().search('cn=Subschema', { scope: 'one' }))).toBe(0);
  });

  test('has no size limit when paged, and finds every member of a large group', {
    tags: 'whole',
  }, async () => {
    const directory = directoryOf(portal);
    const emails = Array.from({ length: 1_100 }, (_, at) => `person${at}@acme.test`);
    for (const half of [emails.slice(0, 550), emails.slice(550)]) {
      const Operations = half.map((userName) => ({
        method: 'POST',
        path: '/Users',
        bulkId: userName,
        data: userWith({ userName }),
      }));
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
      expect((await directory.send('POST', '/Bulk', { schemas, Operations })).status).toBe(200);
    }
    for (const email of emails) {
      setMember(portal, memberByEmail(portal, 'acme', email).suid, { accountStatus: 'active' });
    }
    const bound = await service();
    const search = { filter: '(mail=person*)', attributes: ['mail'] };
    expect(await codeOf(bound.search(BASE, search))).toBe(4);
    const { searchEntries } = await bound.search(BASE, { ...search, paged: { pageSize: 400 } });
    expect(searchEntries.map(({ mail }) => mail).toSorted()).toEqual(emails.toSorted());
    for (const email of [emails[0] ?? '', emails.at(-1) ?? ''])
      expect(await bound.compare(`cn=USER,ou=groups,${BASE}`, 'member', dnOf(email))).toBe(true);
  });

  test.each([
    ['too many conditions', `(|${'(uid=x)'.repeat(250)})`],
    ['deeply nested conditions', `${'(!'.repeat(25)}(uid=x)${')'.repeat(25)}`],
  ])('refuses a filter with %s, and accepts the next request', async (_what, filter) => {
    const bound = await service();
    await expect(bound.search(BASE, { filter })).rejects.toMatchObject({
      code: 11,
      message: expect.stringContaining('The filter is too large'),
    });
    expect((await bound.search(BASE, { filter: `(uid=${USER})` })).searchEntries).toHaveLength(1);
  });

  test('refuses a repeated control (RFC 4511 §4.1.11)', async () => {
    const bound = await service();
    const controls = [new Paged(2, ''), new Paged(3, '')];
    expect(await codeOf(bound.search(BASE, { filter: '(uid=*)' }, controls))).toBe(2);
    expect(await codeOf(bound.search(BASE, { filter: '(uid=*)', sizeLimit: 1_000 }))).toBe(0);
  });

  test('respects the client’s size limit', async () => {
    const bound = await service();
    const { searchEntries } = await bound.search(BASE, { filter: '(objectClass=person)', sizeLimit: 2 });
    expect(searchEntries).toHaveLength(2);
  });

  test('finds only the person’s own entry when bound as a person', async () => {
    await answers('approve');
    const bound = client();
    await bound.bind(dnOf(USER), 'x');
    const { searchEntries } = await bound.search(BASE, { filter: '(objectClass=person)' });
    expect(searchEntries.map(({ uid }) => uid)).toEqual([USER]);
    await expect(bound.search(dnOf('manager@acme.test'))).rejects.toBeInstanceOf(NoSuchObjectError);
    const roles = () => bound.search(BASE, { filter: '(cn=USER)' });
    expect((await roles()).searchEntries).toHaveLength(1);
    await change({ usableBy: { roles: [], people: [] } });
    expect((await roles()).searchEntries).toEqual([]);
    expect((await bound.search(BASE, { filter: '(objectClass=person)' })).searchEntries).toEqual([]);
  });

  test('omits people without access to the application, and other applications', async () => {
    await change({ usableBy: { roles: [], people: [] } });
    const bound = await service();
    expect((await bound.search(BASE, { filter: '(objectClass=person)' })).searchEntries).toEqual([]);
    await expect(bound.search('ou=other,o=acme')).rejects.toBeInstanceOf(NoSuchObjectError);
  });

  test('compares an asserted value with the stored value', async () => {
    const bound = await service();
    expect(await bound.compare(dnOf(USER), 'mail', USER.toUpperCase())).toBe(true);
    expect(await bound.compare(dnOf(USER), 'mail', 'manager@acme.test')).toBe(false);
    expect(await bound.compare(`cn=USER,ou=groups,${BASE}`, 'member', dnOf(USER))).toBe(true);
    expect(await bound.compare(`cn=AUDITOR,ou=groups,${BASE}`, 'member', dnOf(USER))).toBe(false);
    expect(await codeOf(bound.compare(dnOf(USER), 'telephoneNumber', '1'))).toBe(16);
    expect(await codeOf(bound.compare(dnOf('nobody@acme.test'), 'mail', USER))).toBe(32);
    expect(await codeOf(client().compare(dnOf(USER), 'mail', USER))).toBe(50);
  });

  test('refuses writes', async () => {
    const bound = await service();
    expect(await codeOf(bound.del(dnOf(USER)))).toBe(53);
    expect(await codeOf(bound.add(dnOf('new@acme.test'), { sn: 'New' }))).toBe(53);
  });
});

describe('TLS', () => {
  beforeEach(async () => {
    await portal.close();
    await open(0);
  });

  test('encrypts from the first byte on the LDAPS port', async () => {
    await client(`ldaps://127.0.0.1:${portal.deps.ports.ldaps}`).bind(SERVICE, secret);
  });

  test('encrypts after StartTLS', async () => {
    const made = client();
    await made.startTLS({ rejectUnauthorized: false });
    await made.bind(SERVICE, secret);
    expect((await made.search(BASE, { filter: `(uid=${USER})` })).searchEntries).toHaveLength(1);
  });

  test('refuses StartTLS on an encrypted connection (RFC 4511 §4.14.2)', async () => {
    const made = client();
    await made.startTLS({ rejectUnauthorized: false });
    const again = [made, client(`ldaps://127.0.0.1:${portal.deps.ports.ldaps}`)].map((one) => one.exop(START_TLS));
    for (const { reason } of (await Promise.allSettled(again)) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: 1, message: expect.stringContaining('already encrypted') });
    }
  });

  test('rejects plain-text requests pipelined behind StartTLS', async () => {
    const startTls = '301d02010177188016312e332e362e312e342e312e313436362e3230303337';
    const whoAmI = '301e02010277198017312e332e362e312e342e312e343230332e312e31312e33';
    expect(await answersTo(startTls + whoAmI)).toContain('cannot follow StartTLS');
  });
});

describe('malformed requests', () => {
  async function closedBy(bytes: Buffer): Promise<void> {
    const socket = connect(portal.deps.ports.ldap ?? 0, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(bytes);
    socket.end();
    socket.resume();
    await once(socket, 'close');
  }

  test.each([
    ['text', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a length above the limit', Buffer.from('3084ffffffff', 'hex')],
    ['a length that overflows to a negative number', Buffer.from('300c0201016384fffffff00400', 'hex')],
    [
      'an attribute list that ends too early',
      Buffer.from(
        '30220201016384000000190400 0a01000a0100020100020100010100 8700 3084000000ff'.replaceAll(' ', ''),
        'hex',
      ),
    ],
    [
      'deeply nested filters',
      Buffer.from(`3082100002010163820ff904000a01000a0100020100020100010100${'a2820000'.repeat(1_000)}`, 'hex'),
    ],
    ['an indefinite length', Buffer.from('3080020101600702010304008000 0000'.replaceAll(' ', ''), 'hex')],
    ['a message without an operation', Buffer.from('3003020101', 'hex')],
    ['a message ID without a number', Buffer.from('300b0200600702010304008000', 'hex')],
    ['a message ID of nine bytes', Buffer.from('30140209010101010101010101600702010304008000', 'hex')],
    ['a negative message ID', Buffer.from('300c0201ff600702010304008000', 'hex')],
    ['a string as the message ID', Buffer.from('300c040101600702010304008000', 'hex')],
    ['an unknown operation', Buffer.from('300502010 17e00'.replaceAll(' ', ''), 'hex')],
    ['a response', Buffer.from('300c02010161070a010004000400', 'hex')],
    ['a name longer than the message', Buffer.from('300c02010160070201030484ffffff', 'hex')],
    [
      'an empty filter',
      Buffer.from('301a0201016315 04000a01000a0100020100020100010100 3000'.replaceAll(' ', ''), 'hex'),
    ],
    ['invalid controls', Buffer.from('3010020101600702010304008000a0020500', 'hex')],
    ['zeros', Buffer.alloc(4_096)],
    ['a TLS handshake on the plain-text port', Buffer.from('16030100c8010000c40303', 'hex')],
  ])('closes only the connection that sends %s', async (_what, bytes) => {
    await closedBy(bytes);
    await service();
  });

  test.each([
    [
      'a request whose message ID is 0',
      '302502010063200400 0a0100 0a0100 020100 020100 010100 870b6f626a656374436c6173733000',
      'The message ID must be positive.',
    ],
    [
      'an unknown scope',
      '302502010163200400 0a0109 0a0100 020100 020100 010100 870b6f626a656374436c6173733000',
      'scope',
    ],
    [
      'an invalid derefAliases',
      '302502010163200400 0a0100 0a0104 020100 020100 010100 870b6f626a656374436c6173733000',
      'derefAliases',
    ],
    [
      'a negative size limit',
      '302502010163200400 0a0100 0a0100 0201ff 020100 010100 870b6f626a656374436c6173733000',
      'Limits',
    ],
    [
      'a negative time limit',
      '302502010163200400 0a0100 0a0100 020100 0201ff 010100 870b6f626a656374436c6173733000',
      'Limits',
    ],
  ])('answers %s with an error', async (_what, hex, why) => {
    expect(await answersTo(hex.replaceAll(' ', ''))).toContain(why);
  });

  /** Encodes a BER element with a length of four bytes. */
  const tagged = (tag: number, inside: Buffer) => {
    const head = Buffer.alloc(6, 0x84);
    head.writeUInt8(tag);
    head.writeUInt32BE(inside.length, 2);
    return Buffer.concat([head, inside]);
  };

  test.each([
    ['thousands of parts', '810161'.repeat(3_000), 'The filter is too large.'],
    ['no parts', '', 'The substring filter must have at least one part.'],
  ])('answers a substring filter with %s with an error', async (_what, texts, why) => {
    const parts = tagged(0x30, Buffer.from(texts, 'hex'));
    const filter = tagged(0xa4, Buffer.concat([Buffer.from('04046d61696c', 'hex'), parts]));
    const base = Buffer.concat([Buffer.from([0x04, BASE.length]), Buffer.from(BASE)]);
    const how = Buffer.from('0a01020a0100020100020100010100', 'hex');
    const search = tagged(0x63, Buffer.concat([base, how, filter, Buffer.from('3000', 'hex')]));
    const dn = Buffer.concat([Buffer.from([0x04, SERVICE.length]), Buffer.from(SERVICE)]);
    const password = Buffer.concat([Buffer.from([0x80, secret.length]), Buffer.from(secret)]);
    const bind = tagged(0x60, Buffer.concat([Buffer.from('020103', 'hex'), dn, password]));
    const [first, second] = [bind, search].map((request, at) =>
      tagged(0x30, Buffer.concat([Buffer.from([0x02, 1, at + 1]), request])).toString('hex'),
    );
    expect(await answersTo(`${first}${second}`)).toContain(why);
  });

  test('survives changing any byte of a request', async () => {
    const bind = Buffer.from('301d0201016018020103040a636e3d736572766963658007736563726574', 'hex');
    for (let at = 0; at < bind.length; at += 1) {
      const changed = Buffer.from(bind);
      changed.writeUInt8(changed.readUInt8(at) ^ 0xff, at);
      await closedBy(changed);
    }
    await service();
  });
});

/** ldapsearch is in Debian's ldap-utils package. Without it, these tests are skipped. */
const hasLdapsearch = spawnSync('ldapsearch', ['-VV']).error === undefined;

describe.runIf(hasLdapsearch)('OpenLDAP ldapsearch and ldapwhoami', () => {
  const run = promisify(execFile);
  const at = () => ['-x', '-H', `ldap://127.0.0.1:${portal.deps.ports.ldap}`];
  test('find people', async () => {
    const { stdout } = await run('ldapsearch', [
      ...at(),
      '-LLL',
      '-D',
      SERVICE,
      '-w',
      secret,
      '-b',
      BASE,
      `(mail=${USER})`,
    ]);
    expect(stdout).toContain(`dn: uid=${USER},ou=people,${BASE}`);
    expect(stdout).toContain('objectClass: inetOrgPerson');
  });

  test('find people page by page and compare an attribute value', async () => {
    const as = [...at(), '-D', SERVICE, '-w', secret];
    const found = async (...options: string[]) => {
      const { stdout } = await run('ldapsearch', [...as, '-b', BASE, ...options, '(mail=*)', '1.1']);
      return stdout.split('\n').filter((line) => line.startsWith('dn: '));
    };
    expect(await found('-E', '!pr=60/noprompt')).toEqual(await found());
    // ldapcompare exits with the result code; 6 is compareTrue.
    await expect(run('ldapcompare', [...as, dnOf(USER), `mail:${USER}`])).rejects.toMatchObject({ code: 6 });
  });

  test.each([
    ['ldap', '-ZZ'],
    ['ldaps', '-v'],
  ] as const)('verify the certificate at %s://localhost, and sign in on the device', async (scheme, option) => {
    await portal.close();
    await open(0);
    await answers('approve');
    const args = [
      '-x',
      '-H',
      `${scheme}://localhost:${portal.deps.ports[scheme]}`,
      option,
      '-D',
      dnOf(USER),
      '-w',
      'x',
    ];
    const env = { ...process.env, LDAPTLS_REQCERT: 'demand', LDAPTLS_CACERT: portal.deps.authorityFile ?? '' };
    const { stdout } = await run('ldapwhoami', args, { env });
    expect(stdout).toContain(`dn:${dnOf(USER)}`);
    await expect(run('ldapwhoami', args, { env: { ...env, LDAPTLS_CACERT: '/dev/null' } })).rejects.toThrow();
  });

  test('succeed with the commands in docs/applications.md', async () => {
    await answers('approve');
    const values = { ':1389': `:${portal.deps.ports.ldap}`, '<secret>': secret };
    const [, ...lines] = docsCommands('applications.md', 'LDAP', values);
    const { stdout } = await run('sh', ['-ec', lines.join('\n')]);
    expect(stdout).toContain(`mail: ${USER}`);
    expect(stdout).toContain(`dn:${dnOf(USER)}`);
  });

  test('report that the user denied the sign-in on the device', async () => {
    await answers('deny');
    await expect(run('ldapwhoami', [...at(), '-D', dnOf(USER), '-w', 'x'])).rejects.toMatchObject({
      code: 49,
      stderr: expect.stringContaining('Denied on the device.'),
    });
  });
});

/** ldap3 is in Debian's python3-ldap3 package. Without it, these tests are skipped. */
const hasLdap3 = spawnSync('/usr/bin/python3', ['-c', 'import ldap3']).status === 0;

describe.runIf(hasLdap3)('ldap3', () => {
  test('reads the schema and uses it to map members and groups', async () => {
    const program = `
import sys, ldap3
address, dn, secret, base = sys.argv[1:]
server = ldap3.Server(address, get_info=ldap3.ALL)
connection = ldap3.Connection(server, dn, secret, auto_bind=True, raise_exceptions=True)
person = ldap3.ObjectDef(["inetOrgPerson", "posixAccount"], connection)
for entry in ldap3.Reader(connection, person, base, "mail: ${USER}").search(["mail", "uidNumber", "cn"]):
    print(entry.mail, type(entry.uidNumber.value).__name__)
group = ldap3.ObjectDef(["groupOfNames", "posixGroup"], connection)
print(len(ldap3.Reader(connection, group, base, "cn: USER").search()))
print(server.schema.object_classes["person"].must_contain)
`;
    const address = `ldap://127.0.0.1:${portal.deps.ports.ldap}`;
    const args = ['-B', '-c', program, address, SERVICE, secret, BASE];
    const { stdout } = await promisify(execFile)('/usr/bin/python3', args);
    expect(stdout).toBe(`${USER} int\n1\n['sn', 'cn']\n`);
  });
});
