import { hash } from 'node:crypto';
import { dumpOf } from '@orchestrate/db/testing';
import {
  defineWorld,
  getProfile,
  makePerson,
  makeSession,
  makeSpace,
  readOutbox,
  readWorld,
  resetLab,
  virtualDevices,
  type World,
} from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type TestPortal, testPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

const exported = async (from = portal): Promise<World> => (await from.call(readWorld, {})).body.world;

/** Two people, of whom nothing but the addresses is said. */
const small = defineWorld({
  organisations: [{ code: 'initech', people: [{ email: 'peter@initech.test' }, { email: 'bill@initech.test' }] }],
});

test('an organisation needs only a code, a person only an address: both can sign in', async () => {
  expect((await portal.call(resetLab, { body: { seed: small } })).body).toEqual({ resultCode: 0 });
  const { status, body } = await portal.call(makeSession, { body: { email: 'peter@initech.test' } });
  expect({ status, org: body.orgId }).toEqual({ status: 200, org: 'initech' });
  const profile = await portal.call(getProfile, {}, { token: body.token });
  expect(profile.body.profile).toMatchObject({ email: 'peter@initech.test', roleCode: 'USER' });
});

test('everything that a world says is so', async () => {
  const seed: World = {
    now: '2026-05-01T08:00:00.000Z',
    organisations: [
      {
        code: 'initech',
        name: 'Initech',
        branding: { color: '#123456' },
        roles: [{ code: 'TPS', name: 'Reports', permissions: ['SEARCH_USER'] }],
        applications: [
          {
            id: 'printer',
            oidc: { redirectUris: ['https://printer.initech.test/cb'], secrets: [{ secret: 'PC load letter' }] },
          },
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
    applications: [{ type: 'portal' }, { id: 'printer', oidc: { secrets: [{ secret: 'PC load letter' }] } }],
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

test('a device has the key that its world gives it', async () => {
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

test('an export of the demo imports to the same rows, and exports identically, also in a space', {
  timeout: 60_000,
}, async () => {
  await portal.call(resetLab, { body: {} });
  const world = await exported();
  const rows = rowsOf(portal);
  await portal.call(resetLab, { body: { seed: world } });
  // As texts: they are long, and equal to the byte.
  const text = JSON.stringify(world);
  expect(JSON.stringify(await exported()) === text).toBe(true);
  expect(rowsOf(portal)).toBe(rows);
  const { body: space } = await portal.call(makeSpace, { body: { seed: world } });
  const answer = await fetch(new URL('/api/lab/world', space.url));
  expect(JSON.stringify(Object(await answer.json()).world) === text).toBe(true);
});

/** What a world keeps is a set of rows: where they stand in the file does not matter. */
function rowsOf({ deps: { db } }: TestPortal): string {
  const { audit_events: _trail, ...tables } = dumpOf({ db, raw: db.$client, close() {} });
  const rows = Object.entries(tables).flatMap(([table, found]) =>
    found.map((row) => JSON.stringify([table, { ...Object(row), rowid: 0 }])),
  );
  return hash('sha256', rows.toSorted().join('\n'));
}

test('the same world as a file for SEED', async () => {
  await portal.call(resetLab, { body: { seed: small } });
  const { status, text, headers } = await portal.http.get('/api/lab/world.yaml');
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/yaml; charset=utf-8' });
  expect(parse(text)).toEqual(await exported());
});

test('editors get the JSON Schema of a world', async () => {
  const { status, text } = await portal.http.get('/api/lab/world/schema');
  const schema = JSON.parse(text);
  expect({ status, required: schema.properties.organisations.items.required }).toEqual({
    status: 200,
    required: ['code'],
  });
  expect(schema.properties.organisations.items.properties.people.items.required).toEqual(['email']);
});
