import {
  addFault,
  defineWorld,
  getProfile,
  listActivity,
  listSessions,
  makeApplication,
  makePerson,
  makeSession,
  readPeople,
  readWorld,
  resetLab,
  testDevice,
  virtualDevices,
  worldApplication,
} from '@orchestrate/shared';
import { Client } from 'ldapts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { spMetadata } from '#testing/metadata.ts';
import { radiusClient } from '#testing/radius-client.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ config: { radiusPorts: [0, 0], ldapPort: 0, lab: true } });
});
beforeEach(() => portal.call(resetLab, { body: {} }));
afterAll(() => portal.close());

type Given = z.input<(typeof makePerson)['body']>;

test('creates a person with a phone who can sign in', async () => {
  const person = (await portal.call(makePerson, { body: { org: 'acme' } })).body;
  expect(person).toMatchObject({ orgCode: 'acme', role: 'USER', status: 'active', devices: [{ type: 'mobile' }] });
  expect(person.firstName).toMatch(/^\p{Lu}|^\p{Lo}/u);
  const { status, body } = await portal.call(makeSession, { body: { email: person.email } });
  expect({ status, email: body.profile.email }).toEqual({ status: 200, email: person.email });
});

test('lists everyone with their status, whether or not they have a simulated phone', async () => {
  const { email } = (await portal.call(makePerson, { body: { org: 'globex', status: 'invited' } })).body;
  const { people, total } = (await portal.call(readPeople, { query: {} })).body;
  expect(people).toHaveLength(total);
  const { devices } = (await portal.call(virtualDevices, { query: {} })).body;
  expect(people.map(({ suid }) => suid)).toEqual(expect.arrayContaining(devices.map(({ suid }) => suid)));
  expect(people.find((person) => person.email === email)).toMatchObject({
    orgCode: 'globex',
    role: 'USER',
    status: 'invited',
    deviceCount: 0,
  });
});

test('adds no trailing space to a first name without a last name, in lists and on devices', async () => {
  const seed = defineWorld({
    organisations: [{ code: 'initech', people: [{ email: 'ann@initech.test', firstName: 'Ann', lastName: '' }] }],
  });
  await portal.call(resetLab, { body: { seed } });
  const { people } = (await portal.call(readPeople, { query: {} })).body;
  const { devices } = (await portal.call(virtualDevices, { query: {} })).body;
  expect([...people, ...devices].map(({ fullName }) => fullName)).toEqual(['Ann', 'Ann']);
  const { token, orgId: orgCode } = (await portal.call(makeSession, { body: { email: 'ann@initech.test' } })).body;
  const { qid } = (await portal.call(testDevice, { params: { orgCode } }, { token })).body;
  const { challenge } = await portal.authenticator.resolve(portal.device('ann@initech.test'), qid);
  expect(challenge.requester.fullName).toBe('Ann');
});

test('lists people by organisation, email address and status, up to a limit', async () => {
  const list = async (query: z.input<(typeof readPeople)['query']>) => (await portal.call(readPeople, { query })).body;
  const active = await list({ org: 'acme', status: 'active', limit: '3' });
  expect(active.people.map(({ orgCode, status }) => `${orgCode} ${status}`)).toEqual(Array(3).fill('acme active'));
  expect(active.total).toBeGreaterThan(3);
  const one = await list({ email: 'user@acme.test' });
  expect(one).toMatchObject({ people: [{ email: 'user@acme.test', deviceCount: expect.any(Number) }], total: 1 });
  expect(await list({ email: 'nobody@acme.test' })).toMatchObject({ people: [], total: 0 });
});

test.each(['expired@magic.test', 'code-35+2@magic.test', 'expierd@magic.test', 'hang@magic.test'])(
  'refuses to create %s, because no later call could reach it',
  async (email) => {
    const { status, body } = await portal.call(makePerson, { body: { org: 'acme', email } });
    expect({ status, issues: body.issues }).toEqual({
      status: 400,
      issues: [{ path: 'email', message: expect.stringContaining('magic.test') }],
    });
  },
);

test('signs in slow@magic.test after a delay', async () => {
  expect((await portal.call(makePerson, { body: { org: 'acme', email: 'slow@magic.test' } })).status).toBe(200);
});

test('creates a person with the requested fields', async () => {
  const body: Given = {
    org: 'acme',
    email: 'Kim.Test@acme.test',
    role: 'HELPDESK_ADMIN',
    devices: [{ type: 'desktop', name: 'Desk' }, { type: 'mobile' }],
  };
  const { body: person } = await portal.call(makePerson, { body });
  expect(person).toMatchObject({ email: 'kim.test@acme.test', role: 'HELPDESK_ADMIN' });
  expect(person.devices.map(({ type }) => type).sort()).toEqual(['desktop', 'mobile']);
  const { profile } = (await portal.call(makeSession, { body: { email: person.email } })).body;
  expect(profile.roleCode).toBe('HELPDESK_ADMIN');
  const newcomer = (await portal.call(makePerson, { body: { org: 'globex', status: 'invited' } })).body;
  expect(newcomer).toMatchObject({ status: 'invited', devices: [] });
});

test.each<[string, unknown, number, string, string]>([
  ['an unknown organisation', { org: 'acmee' }, 404, 'ORG_CODE_NOT_FOUND', 'Did you mean acme?'],
  ['an unknown role', { org: 'acme', role: 'HELPDESK_ADMN' }, 400, 'INVALID_REQUEST', 'Did you mean HELPDESK_ADMIN?'],
  ['an email address already in use', { org: 'acme', email: 'user@acme.test' }, 409, 'USER_EXISTS', 'already'],
  ['an unknown field', { org: 'acme', rol: 'USER' }, 400, 'INVALID_REQUEST', ''],
])('refuses to create a person with %s', async (_, body, status, resultName, message) => {
  const answer = await portal.call(makePerson, { body: body as Given });
  const { resultName: name, message: sentence } = answer.body;
  expect({ status: answer.status, resultName: name, message: sentence }).toEqual({
    status,
    resultName,
    message: expect.stringContaining(message),
  });
});

describe('an existing person', () => {
  const EMAIL = 'user@acme.test';
  const save = async (body: Omit<Given, 'org'>) => portal.call(makePerson, { body: { org: 'acme', ...body } });
  const sessionOf = async (email: string) => (await portal.call(makeSession, { body: { email } })).body.token;

  test('gets another role, status, manager or devices, and keeps all other fields', async () => {
    const { devices: phones = [] } = (await save({ email: EMAIL, role: 'USER' })).body;
    expect(phones.length).toBeGreaterThan(0);
    const manager = 'super.admin@acme.test';
    const managed = (await save({ email: EMAIL, manager })).body;
    expect(managed).toMatchObject({ email: EMAIL, role: 'USER', status: 'active', manager, devices: phones });
    const promoted = (await save({ email: EMAIL, role: 'HELPDESK_ADMIN' })).body;
    const withRole = phones.map((phone) => ({ ...phone, roleName: 'Help Desk Admin' }));
    expect(promoted).toEqual({ ...managed, role: 'HELPDESK_ADMIN', devices: withRole });
    const { body } = await save({ email: EMAIL, devices: [{ type: 'desktop', name: 'Desk' }] });
    expect(body.devices.map(({ type, name }) => [type, name])).toEqual([['desktop', 'Desk']]);
    expect({ ...body, devices: withRole }).toEqual(promoted);
    const { token } = (await portal.call(makeSession, { body: { email: EMAIL } })).body;
    expect((await portal.call(getProfile, {}, { token })).body.profile).toMatchObject({ roleCode: 'HELPDESK_ADMIN' });
    expect((await save({ email: EMAIL, manager: null })).body.manager).toBeNull();
    expect((await portal.call(readPeople, { query: { email: EMAIL } })).body.total).toBe(1);
  });

  test('loses sessions when disabled or when the device is replaced, and can be enabled again', async () => {
    const token = await sessionOf(EMAIL);
    expect((await save({ email: EMAIL, status: 'inactive' })).body).toMatchObject({ status: 'inactive', role: 'USER' });
    expect((await portal.call(getProfile, {}, { token })).status).toBe(401);
    const refused = await portal.call(makeSession, { body: { email: EMAIL } });
    expect(refused.body.resultName).toBe('USER_INACTIVE');
    expect((await save({ email: EMAIL, status: 'active' })).body.status).toBe('active');
    const second = await sessionOf(EMAIL);
    await save({ email: EMAIL, devices: [{}] });
    expect((await portal.call(getProfile, {}, { token: second })).status).toBe(401);
    const newcomer = (await save({ email: EMAIL, status: 'invited', devices: [] })).body;
    expect(newcomer).toMatchObject({ status: 'invited', devices: [] });
    const registered = (await save({ email: EMAIL, status: 'active', devices: [{}] })).body;
    expect(registered).toMatchObject({ status: 'active', devices: [{ type: 'mobile' }] });
    expect(await sessionOf(EMAIL)).toBeTruthy();
  });

  test('is recorded like a change by an administrator', async () => {
    const { suid } = (await save({ email: EMAIL, role: 'HELPDESK_ADMIN' })).body;
    await save({ email: EMAIL, status: 'inactive' });
    const token = await sessionOf('super.admin@acme.test');
    const { Items: events } = (await portal.call(listActivity, { query: { suid } }, { token })).body;
    expect(events.map(({ action }) => action)).toEqual(expect.arrayContaining(['member.updated', 'member.paused']));
  });

  test('must stay an active administrator if there is no other', async () => {
    const admin = 'super.admin@acme.test';
    const { people } = (await portal.call(readPeople, { query: { org: 'acme', status: 'active' } })).body;
    for (const { email } of people.filter(({ role, email }) => role === 'SUPER_ADMIN' && email !== admin)) {
      expect((await save({ email, role: 'USER' })).status).toBe(200);
    }
    const message = `${admin} is the last active Super Admin of acme. Create another one first.`;
    const changes = { role: 'USER', status: 'inactive' } as const;
    for (const path of ['role', 'status'] as const) {
      const { status, body } = await save({ email: admin, [path]: changes[path] });
      expect({ status, issues: body.issues }).toEqual({ status: 400, issues: [{ path, message }] });
    }
    await save({ role: 'SUPER_ADMIN' });
    expect((await save({ email: admin, role: 'USER' })).status).toBe(200);
  });

  test.each<[Omit<Given, 'org'>, string, string]>([
    [{}, 'email', 'To change them, set role, status, manager or devices.'],
    [{ role: 'HELPDESK_ADMN' }, 'role', 'Did you mean HELPDESK_ADMIN?'],
    [{ manager: 'super.admn@acme.test' }, 'manager', 'Did you mean super.admin@acme.test?'],
    [{ manager: EMAIL }, 'manager', 'cannot be their own manager'],
    [{ status: 'invited' }, 'status', 'Set devices to [] too.'],
  ])('isn’t changed by %j, and the refusal names the field', async (change, path, sentence) => {
    const before = (await portal.call(readPeople, { query: { email: EMAIL } })).body;
    const { status, body } = await save({ email: EMAIL, ...change });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.issues).toEqual([{ path, message: expect.stringContaining(sentence) }]);
    expect((await portal.call(readPeople, { query: { email: EMAIL } })).body).toEqual(before);
  });
});

test('creates a person with a manager', async () => {
  const manager = 'user@acme.test';
  expect((await portal.call(makePerson, { body: { org: 'acme', manager } })).body).toMatchObject({ manager });
});

test('requires an organisation for someone with phones in two of them', async () => {
  const email = 'noa.berg@consulting.test';
  const refused = await portal.call(makeSession, { body: { email } });
  expect({ status: refused.status, ...refused.body }).toMatchObject({
    status: 400,
    resultName: 'USER_IN_MULTIPLE_ORGS',
    message: `${email} has a simulated phone in acme and globex. Set org to select one.`,
    issues: [{ path: 'org' }],
  });
  for (const org of ['acme', 'globex']) {
    expect((await portal.call(makeSession, { body: { email, org } })).body.orgId).toBe(org);
  }
});

test('returns a session like a sign-in, together with a browser’s storage state', async () => {
  const { body } = await portal.call(makeSession, { body: { email: 'user@acme.test' } });
  const { token, storageState } = body;
  expect((await portal.call(getProfile, {}, { token })).body.profile.email).toBe('user@acme.test');
  const [origin] = storageState.origins;
  expect(origin?.origin).toBe(portal.url);
  const stored = Object.fromEntries(origin?.localStorage.map(({ name, value }) => [name, value]) ?? []);
  expect(stored['orchestrate.organisation']).toBe('acme');
  expect(JSON.parse(stored['orchestrate.session'] ?? '')).toMatchObject({ token, tokenEndsAt: expect.any(Number) });
});

test('labels a session created by the lab', async () => {
  const { token } = (await portal.call(makeSession, { body: { email: 'user@acme.test' } })).body;
  const { body } = await portal.call(listSessions, {}, { token });
  expect(body.sessions?.find(({ isThis }) => isThis)?.userAgent).toBe('Lab of the portal');
});

test.each(['nobody@acme.test', 'user@elsewhere.test'])(
  'suggests no address for %s despite partial matches',
  {
    tags: 'whole',
  },
  async (email) => {
    const refused = await portal.call(makeSession, { body: { email } });
    expect(refused).toMatchObject({ status: 404, body: { message: `${email} doesn't have a simulated device.` } });
    const match = { path: '/api/profile', email };
    const { message } = (await portal.call(addFault, { body: { match, answer: { status: 500 } } })).body;
    expect(message).toBe(`There is no member with the email address ${email}.`);
  },
);

test('rejects a session for an unknown person with the closest address', async () => {
  const { status, body } = await portal.call(makeSession, { body: { email: 'usr@acme.test' } });
  expect({ status, message: body.message }).toEqual({
    status: 404,
    message: expect.stringContaining('Did you mean user@acme.test?'),
  });
});

test('rejects an unknown organisation for people, phones and sessions with the closest match', async () => {
  const answers = await Promise.all([
    portal.call(readPeople, { query: { org: 'acmee' } }),
    portal.call(virtualDevices, { query: { orgCode: 'acmee' } }),
    portal.call(makeSession, { body: { email: 'user@acme.test', org: 'acmee' } }),
  ]);
  for (const { status, body } of answers) {
    expect({ status, resultName: body.resultName }).toEqual({ status: 404, resultName: 'ORG_CODE_NOT_FOUND' });
    expect(body.message).toContain('Did you mean acme?');
  }
});

describe('creating an application', () => {
  type Application = z.input<(typeof makeApplication)['body']>;
  const save = (body: Omit<Application, 'org'>) => portal.call(makeApplication, { body: { org: 'acme', ...body } });
  const nightly = { name: 'Nightly export', oidc: { kind: 'machine' as const } };

  async function claimsOf(oidc: { clientId: string; clientSecret: string; issuer: string } | undefined) {
    const { clientId = '', clientSecret = '', issuer = '' } = oidc ?? {};
    const headers = { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const reply = await fetch(`${issuer}/token`, { method: 'POST', headers, body });
    const [, payload = ''] = String(Object(await reply.json()).access_token).split('.');
    return { status: reply.status, claims: JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}') };
  }

  test('returns what an OIDC client needs, and changes only the given fields afterwards', async () => {
    const { oidc } = (await save(nightly)).body;
    expect(oidc).toMatchObject({ clientId: 'nightly-export', issuer: `${portal.url}/oidc/acme`, redirectUris: [] });
    expect((await claimsOf(oidc)).status).toBe(200);
    const claims = [{ name: 'tier', value: 'gold', accessToken: true }];
    const changed = await save({ name: 'Nightly export', oidc: { accessTokenFormat: 'jwt', claims } });
    expect(changed.body.oidc).toEqual(oidc);
    expect((await claimsOf(oidc)).claims).toMatchObject({ tier: 'gold' });
    const renamed = await save({ id: 'nightly-export', name: 'Export', oidc: { secrets: [{ secret: 'known' }] } });
    expect(renamed.body).toMatchObject({ name: 'Export', oidc: { clientSecret: 'known' } });
    expect((await claimsOf(renamed.body.oidc)).claims).toMatchObject({ tier: 'gold' });
    const { organisations = [] } = (await portal.call(readWorld, {})).body.world;
    const saved = organisations[0]?.applications?.find(({ id }) => id === 'nightly-export');
    expect(saved).toMatchObject({ name: 'Export', oidc: { kind: 'machine', secrets: [{ secret: 'known' }] } });
  });

  test('returns what SAML, RADIUS and LDAP clients need', async () => {
    const { saml } = (await save({ name: 'Expenses', saml: { metadata: spMetadata() } })).body;
    expect(await (await fetch(saml?.metadataUrl ?? '')).text()).toContain(saml?.singleSignOnUrl);

    const email = 'user@acme.test';
    await portal.lab.policy({ match: { email, kind: 'app-login' }, answer: 'approve' });
    const { radius } = (await save({ name: 'VPN', radius: { method: 'push', secret: 'correct-horse-vpn' } })).body;
    await using client = await radiusClient(radius?.port ?? 0);
    expect(await client.ask({ secret: radius?.secret ?? '', name: email })).toMatchObject({ code: 'accept' });

    const { ldap } = (await save({ name: 'Directory', type: 'ldap' })).body;
    const directory = new Client({ url: `ldap://127.0.0.1:${ldap?.port}` });
    await directory.bind(ldap?.bindDn ?? '', ldap?.secret);
    const { searchEntries } = await directory.search(ldap?.baseDn ?? '', { filter: `(mail=${email})` });
    await directory.unbind();
    expect(searchEntries).toHaveLength(1);
  });

  test('has the fields of an application in a world', () => {
    const fields = Object.keys(worldApplication.unwrap().shape);
    const { org: _org, ...own } = makeApplication.body.shape;
    expect(Object.keys(own).sort()).toEqual(fields.sort());
  });

  test.each<[string, Omit<Application, 'org'>, string, string]>([
    [
      'a misspelt setting',
      { ...nightly, oidc: { redirectUrls: [] } as object },
      'oidc.redirectUrls',
      'Did you mean redirectUris?',
    ],
    [
      'settings of another type',
      { ...nightly, radius: {} },
      'radius',
      "Applications of type oidc don't have this field.",
    ],
    ['another type', { id: 'travel-desk', oidc: {} }, 'oidc', "Applications of type saml don't have this field."],
    [
      'another client kind',
      { id: 'payroll', oidc: { kind: 'native' } },
      'oidc.kind',
      'payroll is a web client. The kind cannot be changed',
    ],
    [
      'a name in use',
      { id: 'wiki', name: 'Team  wiki', oidc: {} },
      'name',
      'The application team-wiki already has this name.',
    ],
    [
      'an unknown person',
      { ...nightly, usableBy: { people: ['usr@acme.test'] } },
      'usableBy.people.0',
      'Did you mean user@acme.test?',
    ],
    ['neither ID nor name', { oidc: {} }, 'name', 'Set id or name'],
  ])('refuses %s', async (_what, body, path, message) => {
    const refused = await save(body);
    const issues = [{ path, message: expect.stringContaining(message) }];
    expect(refused).toMatchObject({ status: 400, body: { resultName: 'INVALID_REQUEST', issues } });
  });
});
