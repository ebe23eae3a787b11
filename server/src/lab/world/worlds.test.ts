import { hash } from 'node:crypto';
import { dumpDatabase } from '@orchestrate/db/testing';
import {
  addFault,
  codeOf,
  defineWorld,
  getProfile,
  inviteUsers,
  listInvitations,
  makePerson,
  makeSession,
  makeSpace,
  readClock,
  readFaults,
  readJournal,
  readOutbox,
  readPolicies,
  readWorld,
  resetLab,
  restoreSnapshot,
  setClock,
  setPolicy,
  takeSnapshot,
  virtualDevices,
  type World,
} from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

const exported = async (from = portal): Promise<World> => (await from.call(readWorld, {})).body.world;

/** A world with two members who have nothing but an email address. */
const small = defineWorld({
  organisations: [{ code: 'initech', people: [{ email: 'peter@initech.test' }, { email: 'bill@initech.test' }] }],
});

test('signs in with a world that has only an organisation code and an email address', async () => {
  expect((await portal.call(resetLab, { body: { seed: small } })).body).toEqual({ resultCode: 0 });
  const { status, body } = await portal.call(makeSession, { body: { email: 'peter@initech.test' } });
  expect({ status, org: body.orgId }).toEqual({ status: 200, org: 'initech' });
  const profile = await portal.call(getProfile, {}, { token: body.token });
  expect(profile.body.profile).toMatchObject({ email: 'peter@initech.test', roleCode: 'USER' });
});

test('applies every field of a world', async () => {
  const seed: World = {
    now: '2026-05-01T08:00:00.000Z',
    organisations: [
      {
        code: 'initech',
        name: 'Initech',
        branding: { color: '#123456' },
        roles: [{ code: 'TPS', name: 'Reports', permissions: ['SEARCH_USER'] }],
        groups: [
          { name: 'Staplers', members: ['milton@initech.test', 'peter@initech.test'], externalId: 's-1' },
          { name: 'Basement' },
        ],
        applications: [
          {
            id: 'printer',
            usableBy: { roles: ['TPS'], people: ['bill@initech.test'], groups: ['staplers'] },
            oidc: {
              redirectUris: ['https://printer.initech.test/cb'],
              secrets: [{ secret: 'PC load letter' }],
              claims: [{ name: 'access', value: 'red', groups: ['staplers'] }],
            },
          },
          { id: 'vpn', type: 'radius', radius: { secret: 'testing123', method: 'code' } },
          { id: 'directory', type: 'ldap', ldap: { secret: 'searching123' } },
        ],
        faq: [
          {
            name: 'Help',
            subcategories: [{ name: 'Printer', records: [{ question: 'Why?', answer: '<p>Paper.</p>' }] }],
          },
        ],
        people: [
          { email: 'bill@initech.test', role: 'SUPER_ADMIN', isManager: true },
          { email: 'peter@initech.test', firstName: 'Peter', role: 'TPS', manager: 'bill@initech.test' },
          { email: 'milton@initech.test', status: 'invited', activationCodes: [{ code: '123456', issuedAt: '-1h' }] },
        ],
      },
    ],
  };
  await portal.call(resetLab, { body: { seed } });
  const world = await exported();
  expect(world.now).toBe('2026-05-01T08:00:00.000Z');
  expect(world.organisations?.[0]).toMatchObject({
    code: 'initech',
    branding: { color: '#123456', title: 'Sign in to Initech' },
    roles: [{ code: 'TPS', permissions: ['SEARCH_USER'] }],
    groups: [
      { name: 'Basement', createdAt: '2026-05-01T08:00:00.000Z' },
      { name: 'Staplers', externalId: 's-1', members: ['peter@initech.test', 'milton@initech.test'] },
    ],
    applications: [
      { type: 'portal' },
      {
        id: 'printer',
        usableBy: { roles: ['TPS'], people: ['bill@initech.test'], groups: ['Staplers'] },
        oidc: { secrets: [{ secret: 'PC load letter' }], claims: [{ name: 'access', groups: ['Staplers'] }] },
      },
      { id: 'vpn', radius: { secret: 'testing123', method: 'code' } },
      { id: 'directory', ldap: { secret: 'searching123' } },
    ],
    faq: [{ subcategories: [{ records: [{ question: 'Why?' }] }] }],
    people: [
      { email: 'bill@initech.test', role: 'SUPER_ADMIN', isManager: true },
      { firstName: 'Peter', role: 'TPS', manager: 'bill@initech.test', devices: [{ type: 'mobile' }] },
      { status: 'invited', devices: [], activationCodes: [{ issuedAt: '2026-05-01T07:00:00.000Z' }] },
    ],
  });
  const { messages } = (await portal.call(readOutbox, { query: { to: 'milton@initech.test' } })).body;
  expect(messages).toMatchObject([{ code: '123456', sentAt: '2026-05-01T07:00:00.000Z' }]);
});

test('keeps emails from a world dated in the past on every reset and restore', async () => {
  const seed: World = {
    now: '2020-05-01T08:00:00.000Z',
    organisations: [
      { code: 'initech', people: [{ email: 'milton@initech.test', status: 'invited', activationCodes: [{}] }] },
    ],
  };
  const mails = async () => (await portal.call(readOutbox, {})).body.messages.map(({ to }) => to);
  await portal.call(resetLab, { body: { seed } });
  await portal.call(resetLab, { body: { seed } });
  expect(await mails()).toEqual(['milton@initech.test']);
  const { snapshotId } = (await portal.call(takeSnapshot, { body: {} })).body;
  await portal.call(setClock, { body: { freezeAt: '2010-01-01T00:00:00Z' } });
  await portal.call(restoreSnapshot, { params: { snapshotId } });
  expect(await mails()).toEqual(['milton@initech.test']);
});

test('exports and imports pending invitations with their links', { tags: 'whole' }, async () => {
  await portal.call(resetLab, { body: {} });
  const { token } = await portal.signIn('super.admin@acme.test');
  const orgEmails = ['mara.lindholm@acme.test'];
  await portal.call(inviteUsers, { body: { orgEmails, type: 'mobile', sendEmail: true } }, { token });
  const [mail] = (await portal.call(readOutbox, { query: { to: 'mara.lindholm@acme.test' } })).body.messages;
  const listed = async (as: string) => (await portal.call(listInvitations, { query: {} }, { token: as })).body.Items;
  const before = await listed(token);
  const seed = await exported();
  await portal.call(resetLab, { body: { seed } });
  const again = await portal.signIn('super.admin@acme.test');
  expect(await listed(again.token)).toEqual(before);
  expect(before).toContainEqual(expect.objectContaining({ email: 'mara.lindholm@acme.test' }));
  expect(await (await fetch(mail?.links[0] ?? '')).json()).toMatchObject({ resultCode: codeOf('SUCCESS') });
  const unknown = {
    organisations: [{ code: 'a', people: [{ email: 'b@a.test', invitations: [{ invitedBy: 'c@a.test' }] }] }],
  };
  const { body } = await portal.call(resetLab, { body: { seed: unknown } });
  expect(body.issues).toMatchObject([{ path: 'seed.organisations.0.people.0.invitations.0.invitedBy' }]);
});

test('exports and imports directory data unchanged', async () => {
  const directoryAttributes = {
    title: 'Engineer',
    addresses: [{ locality: 'Austin' }],
    enterprise: { division: 'TPS' },
    extensions: { 'urn:initech:hr:2.0:User': { costCode: 'A-1', tags: ['red'] } },
  };
  const scimSchemas = [
    {
      id: 'hr',
      urn: 'urn:initech:hr:2.0:User',
      name: 'HR',
      attributes: [{ name: 'costCode' }, { name: 'tags', multiValued: true }],
      createdAt: '2026-01-01T00:00:00.000Z',
    },
  ];
  const times = { createdAt: '2026-01-01T00:00:00.000Z', changedAt: '2026-02-01T00:00:00.000Z' };
  const seed: World = {
    organisations: [
      {
        code: 'initech',
        roles: [
          { code: 'USER', changedAt: times.changedAt },
          { code: 'TPS', ...times },
        ],
        provisioning: { username: 'directory', password: 'of initech' },
        scimSchemas,
        people: [{ email: 'peter@initech.test', directoryAttributes }],
      },
    ],
  };
  await portal.call(resetLab, { body: { seed } });
  const world = await exported();
  expect(world.organisations).toMatchObject([
    {
      roles: [
        { code: 'USER', changedAt: times.changedAt },
        { code: 'TPS', ...times },
      ],
      scimSchemas,
      people: [{ directoryAttributes }],
    },
  ]);
  await portal.call(resetLab, { body: { seed: world } });
  expect(JSON.stringify(await exported())).toBe(JSON.stringify(world));
  const authorization = `Basic ${Buffer.from('directory:of initech').toString('base64')}`;
  const found = await fetch(`${portal.url}/scim/v2/initech/Users`, { headers: { authorization } });
  expect(await found.json()).toMatchObject({ Resources: [directoryAttributes.extensions] });
});

test('exports and imports lazily generated keys', {
  tags: 'whole',
}, async () => {
  await portal.call(resetLab, { body: {} });
  await portal.http.get('/saml/acme/travel-desk/metadata').expect(200);
  await portal.http.get('/oidc/acme/jwks').expect(200);
  const keysOf = ({ organisations }: World) => organisations?.map(({ keys }) => keys);
  const world = await exported();
  await portal.call(resetLab, { body: { seed: world } });
  expect(keysOf(await exported())).toEqual(keysOf(world));
});

test('exports and imports members who manage each other', async () => {
  const peopleOf = (world: World) =>
    world.organisations?.[0]?.people?.map(({ email, manager }) => ({ email, ...(manager && { manager }) }));
  const [peter, bill] = ['peter@initech.test', 'bill@initech.test'];
  const people = [
    { email: peter, manager: bill },
    { email: bill, manager: peter },
  ];
  const seed = defineWorld({ organisations: [{ code: 'initech', people }] });
  expect((await portal.call(resetLab, { body: { seed } })).body).toEqual({ resultCode: 0 });
  const world = await exported();
  expect(peopleOf(world)).toEqual(people);
  expect((await portal.call(resetLab, { body: { seed: world } })).body).toEqual({ resultCode: 0 });
  expect(peopleOf(await exported())).toEqual(people);
});

test('uses the device key from the world', async () => {
  await portal.call(resetLab, { body: { seed: small } });
  const person = (await portal.call(makePerson, { body: { org: 'initech' } })).body;
  const key = person.devices[0]?.privateKeyJwk;
  const seed: World = {
    organisations: [{ code: 'initech', people: [{ email: 'peter@initech.test', devices: [{ key }] }] }],
  };
  await portal.call(resetLab, { body: { seed } });
  const { devices } = (await portal.call(virtualDevices, { query: {} })).body;
  expect(devices).toMatchObject([{ primaryEmail: 'peter@initech.test', privateKeyJwk: key }]);
});

test('imports a demo export to the same rows and re-exports it identically, in a space too', async () => {
  await portal.call(resetLab, { body: {} });
  const world = await exported();
  const rows = rowsOf(portal);
  await portal.call(resetLab, { body: { seed: world } });
  // Compare as strings: the worlds are long and must match byte for byte.
  const text = JSON.stringify(world);
  expect(JSON.stringify(await exported()) === text).toBe(true);
  expect(rowsOf(portal)).toBe(rows);
  const { body: space } = await portal.call(makeSpace, { body: { seed: world } });
  const answer = await fetch(new URL('/api/lab/world', space.url));
  expect(JSON.stringify(Object(await answer.json()).world) === text).toBe(true);
});

/** Returns a portal's rows in an order independent of the database file. */
function rowsOf({ deps: { db } }: TestPortal): string {
  const { audit_events: _trail, ...tables } = dumpDatabase({ db, raw: db.$client, close() {} });
  const rows = Object.entries(tables).flatMap(([table, found]) =>
    found.map((row) => JSON.stringify([table, { ...Object(row), rowid: 0 }])),
  );
  return hash('sha256', rows.toSorted().join('\n'));
}

type Organisation = NonNullable<World['organisations']>[number];

/** World with one object of each type that has an optional ID. */
const full = defineWorld({
  organisations: [
    {
      code: 'initech',
      webhooks: [{ url: 'https://first.test/' }],
      applications: [{ id: 'printer', oidc: {} }],
      faq: [{ name: 'Help', subcategories: [{ name: 'Printer', records: [{ question: 'Why?', answer: 'Paper.' }] }] }],
      people: [
        {
          email: 'peter@initech.test',
          devices: [{}],
          invitations: [{ type: 'desktop' }],
          logins: [{ at: '-1h' }],
          identities: [{ issuer: 'https://login.test', subject: 'peter' }],
        },
      ],
    },
  ],
});

test.each<[string, (organisation: Organisation) => void]>([
  ['a webhook', ({ webhooks }) => webhooks?.unshift({ url: 'https://new.test/' })],
  [
    'a secret',
    ({ applications }) => applications?.find(({ id }) => id === 'printer')?.oidc?.secrets?.unshift({ name: 'New' }),
  ],
  ['a category', ({ faq }) => faq?.unshift({ name: 'New' })],
  ['a subcategory', ({ faq }) => faq?.[0]?.subcategories?.unshift({ name: 'New' })],
  ['a question', ({ faq }) => faq?.[0]?.subcategories?.[0]?.records?.unshift({ question: 'New?', answer: 'Yes.' })],
  ['an invitation', ({ people }) => people?.[0]?.invitations?.unshift({ type: 'desktop' })],
  ['a device', ({ people }) => people?.[0]?.devices?.unshift({ name: 'New' })],
  ['a sign-in', ({ people }) => people?.[0]?.logins?.unshift({ at: '-2h' })],
  ['an account', ({ people }) => people?.[0]?.identities?.unshift({ issuer: 'https://login.test', subject: 'new' })],
  [
    'a person with another’s former address',
    ({ people }) => {
      Object.assign(people?.[0] ?? {}, { email: 'pete@initech.test' });
      people?.push({ email: 'peter@initech.test' });
    },
  ],
])('assigns a unique ID to %s added to an export', async (_, write) => {
  await portal.call(resetLab, { body: { seed: full } });
  const world = structuredClone(await exported());
  for (const organisation of world.organisations ?? []) write(organisation);
  const { status, body } = await portal.call(resetLab, { body: { seed: world } });
  expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
  const ids = JSON.stringify(await exported()).match(/"id":"[^"]+"/g) ?? [];
  expect(ids.length).toBeGreaterThan(8);
  expect(new Set(ids).size).toBe(ids.length);
});

test('reports thousands of unknown names without comparing every pair of names', { tags: 'whole' }, async () => {
  const people = Array.from({ length: 4_000 }, (_, at) => ({
    email: `p${at}@initech.test`,
    manager: `q${at}@initech.test`,
  }));
  const { status, body } = await portal.call(resetLab, {
    body: { seed: { organisations: [{ code: 'initech', people }] } },
  });
  expect({ status, mistakes: body.issues?.length }).toEqual({ status: 400, mistakes: people.length });
  expect(body.issues?.[0]?.message).toContain('Did you mean p0@initech.test?');
  expect(body.issues?.at(-1)?.message).toBe('There is no member q3999@initech.test in initech.');
});

test('keeps data, faults, policies, clock and journal if a reset fails to write', async () => {
  await portal.call(resetLab, { body: { seed: small } });
  await portal.call(setClock, { body: { advance: '1h' } });
  await portal.call(addFault, { body: { match: { path: '/api/health' }, answer: { status: 503 } } });
  await portal.call(setPolicy, { body: { match: { email: 'peter@initech.test' }, answer: 'deny' } });
  const state = async () => ({
    world: await exported(),
    clock: (await portal.call(readClock, {})).body.now,
    faults: (await portal.call(readFaults, {})).body.faults,
    policies: (await portal.call(readPolicies, {})).body.policies,
    happened: (await portal.call(readJournal, { query: {} })).body.entries.length > 3,
  });
  const before = await state();
  const raw = portal.deps.db.$client;
  raw.exec(`CREATE TRIGGER broken BEFORE INSERT ON members BEGIN SELECT RAISE(ABORT, 'broken'); END`);
  expect((await portal.call(resetLab, { body: { seed: 'demo' } })).status).toBe(500);
  raw.exec('DROP TRIGGER broken');
  expect(await state()).toEqual(before);
  expect(before).toMatchObject({ faults: [{ times: 1 }], policies: [{ answer: 'deny' }], happened: true });
});

test('exports the same world as a YAML file', async () => {
  await portal.call(resetLab, { body: { seed: small } });
  const { status, text, headers } = await portal.http.get('/api/lab/world.yaml');
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/yaml; charset=utf-8' });
  expect(parse(text)).toEqual(await exported());
});

test('serves the world JSON Schema for editors', async () => {
  const { status, text } = await portal.http.get('/api/lab/world/schema');
  const schema = JSON.parse(text);
  expect({ status, required: schema.properties.organisations.items.required }).toEqual({
    status: 200,
    required: ['code'],
  });
  expect(schema.properties.organisations.items.properties.people.items.required).toEqual(['email']);
});

test('describes every field in the world JSON Schema', async () => {
  const undescribed: string[] = [];
  const read = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [name, field] of Object.entries(Object(part).properties ?? {}))
      if (!Object(field).description) undescribed.push(`${path}.${name}`);
    for (const [name, inner] of Object.entries(part)) read(inner, `${path}.${name}`);
  };
  const { text } = await portal.http.get('/api/lab/world/schema');
  read(JSON.parse(text), '');
  expect(undescribed).toEqual([]);
});
