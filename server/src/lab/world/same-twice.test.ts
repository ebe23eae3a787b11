import { generateKeyPairSync, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { dumpDatabase } from '@orchestrate/db/testing';
import {
  createWebhook,
  listActivity,
  login,
  loginLive,
  makePerson,
  makeSpace,
  manageUser,
  readWorld,
  resetLab,
  signup,
  type World,
} from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { readConfig } from '#config.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { withoutTimers } from '#testing/helpers.ts';
import { spMetadata } from '#testing/metadata.ts';
import { startReceiver } from '#testing/receiver.ts';
import { TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';
import { startPortal } from '#testing-api/start-portal.ts';
import { readWorld as readGiven } from './read-world.ts';

const world: World = {
  randomSeed: 'one',
  organisations: [
    {
      code: 'initech',
      provisioning: {},
      webhooks: [{ url: 'https://hooks.test/' }],
      applications: [
        { id: 'printer', oidc: {}, provisioning: { url: 'https://scim.test/v2', enabled: false } },
        { id: 'mail', type: 'saml', saml: { metadata: spMetadata() } },
      ],
      faq: [{ name: 'Help' }],
      people: [
        { email: 'bill@initech.test', role: 'SUPER_ADMIN', devices: [{}, { type: 'desktop' }] },
        { email: 'peter@initech.test', manager: 'bill@initech.test', logins: [{ at: '-1h' }] },
        { email: 'milton@initech.test', status: 'invited', activationCodes: [{}] },
      ],
    },
  ],
};

/** Returns all of a portal's data except its session token key, which is always random. */
function dump({ deps: { db } }: TestPortal): Record<string, unknown[]> {
  const { signing_keys: _own, ...tables } = dumpDatabase({ db, raw: db.$client, close() {} });
  return tables;
}

/** Starts a portal and returns its rows and the keys its organisation publishes. */
async function boot(seed: World) {
  const portal = await testPortal({ seed: await readGiven(seed, readConfig({})), now: TEST_NOW });
  try {
    const before = dump(portal);
    const jwks = (await portal.http.get('/oidc/initech/jwks')).body;
    // The URL is part of signed content, and every boot uses a different port.
    portal.deps.publicUrl = 'https://portal.test';
    const saml = (await portal.http.get('/saml/initech/mail/metadata')).text;
    return { before, jwks, saml, after: dump(portal) };
  } finally {
    await portal.close();
  }
}

const TWICE =
  'Two boots with the same seed and frozen clock give identical dumps, ids, codes and JWKS; changing only the seed changes them.';

test(TWICE, async () => {
  const one = await boot(world);
  expect(one.jwks.keys).toHaveLength(2);
  expect(one.saml).toContain('X509Certificate');
  expect(await boot(world)).toEqual(one);
  const other = await boot({ ...world, randomSeed: 'two' });
  expect(other.jwks.keys.map(({ kid }: { kid: string }) => kid)).not.toEqual(
    one.jwks.keys.map(({ kid }: { kid: string }) => kid),
  );
  expect(other.saml).not.toBe(one.saml);
  const drawn = {
    members: 'suid',
    devices: 'zid',
    virtual_devices: 'privateKey',
    activation_codes: 'code',
    outbox: 'id',
    client_secrets: 'secret',
    scim_credentials: 'password',
    webhooks: 'secret',
    provisioning_targets: 'secret',
    faq_categories: 'id',
    login_history: 'id',
  };
  for (const [table, column] of Object.entries(drawn)) {
    const valuesOf = (rows: Record<string, unknown[]>) => rows[table]?.map((row) => Object(row)[column]) ?? [];
    expect(valuesOf(one.before).length, table).toBeGreaterThan(0);
    for (const value of valuesOf(other.before)) expect(valuesOf(one.before), `${table}.${column}`).not.toContain(value);
  }
});

test('exports key seeds so that keys generated later are identical', {
  tags: 'whole',
}, async () => {
  const portal = await testPortal({ seed: await readGiven(world, readConfig({})), now: TEST_NOW });
  const { body } = await portal.call(readWorld, {});
  const { body: space } = await portal.call(makeSpace, { body: { seed: body.world } });
  const jwks = await fetch(new URL('/oidc/initech/jwks', space.url));
  expect(await jwks.json()).toEqual((await portal.http.get('/oidc/initech/jwks')).body);
  await portal.close();
});

test('exports OpenID and SAML keys even before their first use', async () => {
  const now = '2026-11-20T08:20:00.000Z';
  const portal = await testPortal({ seed: await readGiven({ ...world, now }, readConfig({})), now: Date.parse(now) });
  const exported = async () => (await portal.call(readWorld, {})).body.world;
  const [before, file] = [await exported(), (await portal.http.get('/api/lab/world.yaml')).text];
  for (const path of ['/oidc/initech/jwks', '/saml/initech/mail/metadata']) await portal.http.get(path).expect(200);
  expect(await exported()).toEqual(before);
  expect((await portal.http.get('/api/lab/world.yaml')).text).toBe(file);
  const { keys } = before.organisations?.[0] ?? {};
  expect([keys?.oidc?.map(({ alg }) => alg).sort(), keys?.saml?.length]).toEqual([['ES256', 'RS256'], 1]);
  // Keys generated within the seed's first hour are identical, whenever they are generated.
  await portal.lab.reset();
  await portal.lab.clock({ advance: '30m' });
  await portal.http.get('/oidc/initech/jwks').expect(200);
  expect((await exported()).organisations?.[0]?.keys).toEqual(keys);
  await portal.close();
});

/**
 * Returns a device with a fixed key, because generating thousands of keys would take longer than everything being
 * measured.
 */
function deviceOf(type: 'mobile' | 'desktop') {
  const { x = '', y = '', d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  return { type, key: { kty: 'EC', crv: 'P-256', x, y, d } } as const;
}

/** Returns a world of three organisations with members, devices, applications, roles and every kind of branding. */
function largeWorld(people: number): World {
  const codes = ['initech', 'umbrella', 'hooli'];
  return {
    randomSeed: 'large',
    organisations: codes.map((code) => ({
      code,
      branding: {
        color: '#123456',
        bannerText: `Welcome to ${code}`,
        logo: { contentType: 'image/png', bytes: 'iVBORw0KGgo=' },
      },
      roles: [{ code: 'TPS', name: 'Reports', permissions: ['SEARCH_USER'] }],
      applications: [{ id: 'printer', oidc: { redirectUris: ['https://printer.test/'] } }],
      people: Array.from({ length: people }, (_, at) => ({
        email: `person${at}@${code}.test`,
        role: at % 50 === 0 ? 'TPS' : 'USER',
        devices: [deviceOf('mobile'), ...(at % 10 === 0 ? [deviceOf('desktop')] : [])],
        ...(at > 0 && { manager: `person${Math.floor(at / 10)}@${code}.test` }),
      })),
    })),
  };
}

test('acceptance 21: exports 3 × 5,000 people and imports them into an identical portal', {
  tags: 'whole',
}, async () => {
  const PEOPLE = 5_000;
  await using source = await startPortal({ seed: largeWorld(PEOPLE) });
  await using empty = await startPortal({ seed: 'none' });
  const exported = await source.world();
  await empty.reset({ seed: exported });
  const { organisations = [] } = exported;
  expect(organisations.map(({ people = [] }) => people.length)).toEqual([PEOPLE, PEOPLE, PEOPLE]);
  for (const { people = [], branding, roles, applications } of organisations) {
    expect(people.every(({ devices = [] }) => devices.length > 0)).toBe(true);
    expect([branding?.color, roles?.map(({ code }) => code), applications?.map(({ id }) => id)]).toEqual([
      '#123456',
      expect.arrayContaining(['TPS']),
      expect.arrayContaining(['printer']),
    ]);
  }
  expect(JSON.stringify(await empty.world()) === JSON.stringify(exported)).toBe(true);
});

/** Topics that apply to all objects, not to a single one. */
const GENERAL_TOPICS = Object.values(TOPIC).filter((topic) => typeof topic === 'string');

/**
 * Triggers activity in every subsystem and returns what each listener receives: channels, policies, the outbox, the
 * journal, the audit trail and webhooks.
 */
async function whatHappensIn({ call, open, lab, deps, device }: TestPortal) {
  const [email, as] = ['user@acme.test', 'super.admin@acme.test'];
  await lab.policy({ match: { email }, answer: 'approve', opens: true });
  const { loginId = '' } = (await call(login, { body: { orgCode: 'acme', mode: 'QID' } })).body;
  const channel = await open(loginLive, { loginId });
  let last = await channel.next();
  while (last.state !== 'success') last = await channel.next();
  channel.close();
  const person = { orgCode: 'acme', firstName: 'Nora', lastName: 'New', email: 'nora.new@acme.test' };
  await call(signup, { body: person });
  const [mail] = await lab.outbox({ to: person.email, wait: 5 });
  const { token } = await lab.session({ email: as });
  const hook = await startReceiver();
  const form = { url: hook.url, description: '', enabled: true, events: ['member.paused' as const] };
  await call(createWebhook, { body: form }, { token });
  await call(manageUser, { body: { suid: device(email).suid, action: 'pause' } }, { token });
  await hook.until(1);
  await hook.close();
  const { Items } = (await call(listActivity, { query: {} }, { token })).body;
  return {
    last: { ...last, exchangeToken: null },
    mail: mail?.subject,
    journal: (await lab.journal()).flatMap((entry) =>
      entry.kind === 'http' && !entry.path.startsWith('/api/lab/') ? entry.path : [],
    ),
    events: Items.map(({ action }) => action).filter((action) => !action.startsWith('lab.')),
    hooked: hook.received.map(({ body }) => JSON.parse(body).type),
    listeners: GENERAL_TOPICS.map((topic) => deps.bus.listeners(topic)),
  };
}

/** Returns a generator of reproducible random integers from 0 up to, but not including, `end`. */
function createDice(): (end: number) => number {
  let rolls = 0;
  return (end) => hash('sha256', `mutation ${rolls++}`, 'buffer').readUInt32LE(0) % end;
}

/**
 * Changes a portal 1,000 times: a few changes through the API, and the rest directly in arbitrary tables and columns,
 * which is faster.
 */
async function mutate(portal: TestPortal, roll: (end: number) => number): Promise<void> {
  for (let at = 0; at < 20; at += 1) await portal.call(makePerson, { body: { org: at % 2 ? 'acme' : 'globex' } });
  const raw = portal.deps.db.$client;
  const tables = Object.entries(dump(portal)).flatMap(([table, [row]]) => {
    const columns = Object.keys(Object(row)).filter((column) => column !== 'rowid');
    // Skip tables that can't be changed directly: triggers write the `member_` tables, and the audit trail rejects
    // changes.
    const isOpen = !table.startsWith('member_') && table !== 'audit_events';
    return isOpen && Object(row).orgCode !== undefined ? [{ table, columns }] : [];
  });
  raw.pragma('foreign_keys = OFF');
  for (let changes = 0; changes < 980; ) {
    const { table, columns } = tables[roll(tables.length)] ?? { table: '', columns: [] };
    const row = () => `(SELECT rowid FROM "${table}" ORDER BY rowid LIMIT 1 OFFSET ${roll(50)})`;
    const column = columns[roll(columns.length)];
    // Copy the value from another row, because an existing value is certain to be valid for the column.
    const other = `(SELECT "${column}" FROM "${table}" WHERE rowid = ${row()})`;
    const sql =
      roll(20) === 0
        ? `DELETE FROM "${table}" WHERE rowid = ${row()}`
        : `UPDATE OR IGNORE "${table}" SET "${column}" = ${other} WHERE rowid = ${row()} AND "${column}" IS NOT ${other}`;
    changes += raw.prepare(sql).run().changes;
    // Yield to the event loop. Otherwise, on a slow machine, idle server connections expire just as the next call
    // reuses them.
    await setImmediate();
  }
  raw.pragma('foreign_keys = ON');
}

test('acceptance 6: a reset after 1,000 random changes equals a fresh start', async () => {
  const portal = await testPortal();
  const boot = dump(portal);
  await mutate(portal, createDice());
  await withoutTimers(() => portal.call(resetLab, { body: {} }));
  const { audit_events: trail, ...state } = dump(portal);
  const { audit_events: _none, ...first } = boot;
  // The audit trail survives the reset, which it records once per organisation.
  expect(trail?.map((event) => Object(event).action)).toEqual(['lab.reset', 'lab.reset']);
  expect(state).toEqual(first);
  expect(JSON.stringify(state) === JSON.stringify(first)).toBe(true);
  const fresh = await testPortal();
  expect(await whatHappensIn(portal)).toEqual(await whatHappensIn(fresh));
  await portal.close();
  await fresh.close();
});
