import { createApp } from '@orchestrate/shared';
import { Client, ResultCodeError } from 'ldapts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
const GLOBEX_ADMIN = 'admin@globex.test';
const MEMBER_OF_BOTH = 'noa.berg@consulting.test';
const BASES = { acme: 'ou=directory,o=acme', globex: 'ou=directory,o=globex' } as const;
type OrgCode = keyof typeof BASES;

const serviceOf = (orgCode: OrgCode) => `cn=service,${BASES[orgCode]}`;
const personOf = (orgCode: OrgCode, email: string) => `uid=${email},ou=people,${BASES[orgCode]}`;

let portal: TestPortal;
let secrets: Record<OrgCode, string>;
let clients: Client[];

beforeAll(async () => {
  portal = await testPortal({ config: { ldapPort: 0, ldapsPort: 0 } });
  secrets = { acme: await addDirectory('super.admin@acme.test'), globex: await addDirectory(GLOBEX_ADMIN) };
  for (const orgCode of ['acme', 'globex']) setOrganisation(portal, orgCode, { discloseUnknownUsers: 1 });
});
beforeEach(async () => {
  clients = [];
  await portal.lab.policy({ match: { kind: 'app-login' }, answer: 'approve' });
});
afterEach(() => Promise.all(clients.map((client) => client.unbind())));
afterAll(() => portal.close());

/**
 * Adds an LDAP application named "Directory" to the administrator's organisation. Both organisations use the same
 * name.
 */
async function addDirectory(admin: string): Promise<string> {
  const { token, orgId: orgCode } = await portal.signIn(admin);
  const body = { orgCode, integrationType: 'ldap' as const, name: 'Directory' };
  const { app } = (await portal.call(createApp, { params: { orgCode }, body }, { token })).body;
  return app.ldapConfiguration?.secret ?? '';
}

async function client({ isEncrypted = false } = {}): Promise<Client> {
  const made = new Client({ url: `ldap://127.0.0.1:${portal.deps.ports.ldap}` });
  clients.push(made);
  if (isEncrypted) await made.startTLS({ rejectUnauthorized: false });
  return made;
}

async function bound(dn: string, password = 'x', options = {}): Promise<Client> {
  const made = await client(options);
  await made.bind(dn, password);
  return made;
}

/** Returns an LDAP operation's result code, or 0 for success. */
const codeOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 0,
    (reason: unknown) => {
      if (reason instanceof ResultCodeError) return reason.code;
      throw reason;
    },
  );

const INVALID_CREDENTIALS = 49;
const INSUFFICIENT_RIGHTS = 50;
const NO_SUCH_OBJECT = 32;

test.each([{ isEncrypted: false }, { isEncrypted: true }])(
  "refuses one organisation's secret for another organisation's service account: %o",
  async (options) => {
    for (const [own, other] of [
      ['acme', 'globex'],
      ['globex', 'acme'],
    ] as const) {
      const made = await client(options);
      expect(await codeOf(made.bind(serviceOf(other), secrets[own]))).toBe(INVALID_CREDENTIALS);
      expect(await codeOf(made.bind(`cn=service,ou=directory,o=${own},o=${other}`, secrets[own]))).toBe(
        INVALID_CREDENTIALS,
      );
      expect(await codeOf(made.bind(serviceOf(own), secrets[own]))).toBe(0);
    }
  },
);

test.each([
  ['the service account', () => bound(serviceOf('globex'), secrets.globex)],
  ['the service account over StartTLS', () => bound(serviceOf('globex'), secrets.globex, { isEncrypted: true })],
  ['a member', () => bound(personOf('globex', GLOBEX_ADMIN))],
  ['a member of both organisations', () => bound(personOf('globex', MEMBER_OF_BOTH))],
])('hides the entries of other organisations from %s', async (_who, bind) => {
  const made = await bind();
  for (const base of [BASES.acme, 'o=acme', `ou=people,${BASES.acme}`, personOf('acme', USER), serviceOf('acme')]) {
    for (const scope of ['base', 'one', 'sub'] as const) {
      expect(await codeOf(made.search(base, { scope, filter: '(objectClass=*)' }))).toBe(NO_SUCH_OBJECT);
    }
    expect(await codeOf(made.compare(base, 'mail', USER))).toBe(NO_SUCH_OBJECT);
  }
  // No entry exists above both trees, and neither tree refers to the other.
  for (const base of ['', 'o=globex']) {
    expect(await codeOf(made.search(base, { scope: 'sub', filter: '(objectClass=*)' }))).toBe(NO_SUCH_OBJECT);
  }
  const { searchEntries, searchReferences } = await made.search(BASES.globex, { filter: '(objectClass=*)' });
  expect(searchReferences).toEqual([]);
  expect(JSON.stringify(searchEntries)).not.toMatch(/acme/i);
});

test.each([
  `(mail=${USER})`,
  `(|(mail=${USER})(uid=${USER}))`,
  `(!(mail=${GLOBEX_ADMIN}))`,
  `(memberOf=cn=SUPER_ADMIN,ou=groups,${BASES.acme})`,
  `(member=${personOf('acme', USER)})`,
  `(memberUid=${USER})`,
])("finds no Acme entry in Globex's tree with the filter %s", async (filter) => {
  const made = await bound(serviceOf('globex'), secrets.globex);
  const { searchEntries } = await made.search(BASES.globex, { filter });
  expect(JSON.stringify(searchEntries)).not.toMatch(/acme/i);
});

test("prompts no one if the bind DN's user belongs only to another organisation", async () => {
  const made = await client();
  expect(await codeOf(made.bind(personOf('acme', GLOBEX_ADMIN), 'x'))).toBe(INVALID_CREDENTIALS);
  expect(await codeOf(made.bind(personOf('globex', USER), 'x'))).toBe(INVALID_CREDENTIALS);
  expect(await portal.lab.requests()).toEqual([]);
});

test('prompts a member of both organisations for the organisation in the bind DN', async () => {
  await portal.lab.clearPolicies();
  const made = await client();
  const bind = codeOf(made.bind(personOf('acme', MEMBER_OF_BOTH), 'x'));
  let requests = await portal.lab.requests();
  while (requests.length === 0) requests = await portal.lab.requests();
  expect(requests).toMatchObject([{ orgCode: 'acme', email: MEMBER_OF_BOTH, appName: 'Directory' }]);
  await portal.lab.approve(requests[0]?.challengeId ?? '', { as: MEMBER_OF_BOTH });
  expect(await bind).toBe(0);
  expect((await made.search(BASES.acme, { filter: '(uid=*)' })).searchEntries).toMatchObject([
    { dn: personOf('acme', MEMBER_OF_BOTH) },
  ]);
  expect(await codeOf(made.search(BASES.globex, {}))).toBe(NO_SUCH_OBJECT);
});

test('revokes a connection’s read access when it binds to another organisation', async () => {
  const made = await bound(serviceOf('acme'), secrets.acme);
  await made.bind(serviceOf('globex'), secrets.globex);
  expect(await codeOf(made.search(BASES.acme, {}))).toBe(NO_SUCH_OBJECT);
  expect(await codeOf(made.bind(serviceOf('acme'), secrets.globex))).toBe(INVALID_CREDENTIALS);
  for (const base of Object.values(BASES)) expect(await codeOf(made.search(base, {}))).toBe(INSUFFICIENT_RIGHTS);
});

// covers: security T7, security 8.4.1
test("reveals no organisation before a bind, and only the client's own afterwards", async () => {
  const root = async (made: Client) =>
    (await made.search('', { scope: 'base', attributes: ['*', '+', 'namingContexts'] })).searchEntries;
  expect(JSON.stringify(await root(await client()))).not.toMatch(/acme|globex/i);
  expect(await root(await bound(serviceOf('globex'), secrets.globex))).toMatchObject([
    { namingContexts: BASES.globex },
  ]);
  // Existing and non-existent names get the same response, so no response reveals an organisation.
  const stranger = await client();
  for (const base of [BASES.acme, 'ou=directory,o=unknown']) {
    expect(await codeOf(stranger.search(base, {}))).toBe(INSUFFICIENT_RIGHTS);
    expect(await codeOf(stranger.bind(`cn=service,${base}`, 'wrong'))).toBe(INVALID_CREDENTIALS);
  }
});
