import { hash } from 'node:crypto';
import { dumpOf } from '@orchestrate/db/testing';
import {
  listActivity,
  login,
  loginLive,
  makePerson,
  makeSpace,
  readWorld,
  resetLab,
  signup,
  type World,
} from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { TOPIC } from '../../platform/live/bus.ts';
import { spMetadata } from '../../testing/metadata.ts';
import { TEST_NOW, type TestPortal, testPortal } from '../../testing/test-portal.ts';
import { readWorld as readGiven } from './read-world.ts';

const world: World = {
  randomSeed: 'one',
  organisations: [
    {
      code: 'initech',
      provisioning: {},
      webhooks: [{ url: 'https://hooks.test/' }],
      applications: [
        { id: 'printer', oidc: {} },
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

/** Everything in a portal but the key of its own session tokens, which is always random. */
function dump({ deps: { db } }: TestPortal): Record<string, unknown[]> {
  const { signing_keys: _own, ...tables } = dumpOf({ db, raw: db.$client, close() {} });
  return tables;
}

/** What a boot gives: rows, and the keys that the organisation publishes. */
async function boot(seed: World) {
  const portal = await testPortal({ seed: await readGiven(seed), now: TEST_NOW });
  try {
    const before = dump(portal);
    const jwks = (await portal.http.get('/oidc/initech/jwks')).body;
    const saml = (await portal.http.get('/saml/initech/mail/metadata')).text.replaceAll(portal.url, '');
    return { before, jwks, saml, after: dump(portal) };
  } finally {
    await portal.close();
  }
}

const TWICE =
  'Two boots with the same seed and frozen clock give identical dumps, ids, codes and JWKS; changing only the seed changes them.';

test(TWICE, { timeout: 60_000 }, async () => {
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
    faq_categories: 'id',
    login_history: 'id',
  };
  for (const [table, column] of Object.entries(drawn)) {
    const valuesOf = (rows: Record<string, unknown[]>) => rows[table]?.map((row) => Object(row)[column]) ?? [];
    expect(valuesOf(one.before).length, table).toBeGreaterThan(0);
    for (const value of valuesOf(other.before)) expect(valuesOf(one.before), `${table}.${column}`).not.toContain(value);
  }
});

test('what a key was drawn from is exported too: keys that are made later are the same', {
  timeout: 60_000,
}, async () => {
  const portal = await testPortal({ seed: await readGiven(world), now: TEST_NOW });
  const { body } = await portal.call(readWorld, {});
  const { body: space } = await portal.call(makeSpace, { body: { seed: body.world } });
  const jwks = await fetch(new URL('/oidc/initech/jwks', space.url));
  expect(await jwks.json()).toEqual((await portal.http.get('/oidc/initech/jwks')).body);
  await portal.close();
});

/** Three organisations with people, devices, applications, roles and branding of every kind. */
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
        ...(at > 0 && { manager: `person${Math.floor(at / 10)}@${code}.test` }),
      })),
    })),
  };
}

const LARGE =
  'Exporting 3 tenants with 5,000 users, devices, apps, roles and branding and importing into an empty server gives an identical export, in < 10 s.';

// As large as the sentence with PEOPLE=5000; smaller here, because other tests are waiting.
test(LARGE, { timeout: 120_000 }, async ({ annotate }) => {
  const people = Number(process.env.PEOPLE ?? 400);
  const [source, empty] = [await testPortal({ seed: 'none' }), await testPortal({ seed: 'none' })];
  await source.call(resetLab, { body: { seed: largeWorld(people) } });
  const began = performance.now();
  const { body: exported } = await source.call(readWorld, {});
  const { status } = await empty.call(resetLab, { body: { seed: exported.world } });
  const took = performance.now() - began;
  expect(status).toBe(200);
  const again = (await empty.call(readWorld, {})).body.world;
  expect(again.organisations?.map(({ people = [] }) => people.length)).toEqual([people, people, people]);
  expect(JSON.stringify(again) === JSON.stringify(exported.world)).toBe(true);
  await annotate(`${3 * people} people exported and imported in ${Math.round(took)} ms`);
  await Promise.all([source.close(), empty.close()]);
});

/** What those who listen hear: channels, policies, the outbox, the journal and the audit trail. */
async function whatHappensIn({ call, open, lab, deps }: TestPortal) {
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
  const { Items } = (await call(listActivity, { query: {} }, { token })).body;
  return {
    last: { ...last, exchangeToken: null },
    mail: mail?.subject,
    journal: (await lab.journal()).flatMap((entry) =>
      entry.kind === 'http' && !entry.path.startsWith('/api/lab/') ? entry.path : [],
    ),
    events: Items.map(({ action }) => action).filter((action) => !action.startsWith('lab.')),
    listeners: deps.bus.listeners(TOPIC.reset),
  };
}

const RESET =
  'After 1,000 random mutations `POST reset` returns in < 200 ms and the state dump is byte-identical to the dump after boot; listeners, events and hooks work exactly as on a fresh start';

/** Repeatable whole numbers below `end`. */
function createDice(): (end: number) => number {
  let rolls = 0;
  return (end) => hash('sha256', `mutation ${rolls++}`, 'buffer').readUInt32LE(0) % end;
}

test(RESET, { timeout: 120_000 }, async ({ annotate }) => {
  const portal = await testPortal();
  const boot = dump(portal);
  const roll = createDice();
  const raw = portal.deps.db.$client;
  const tables = Object.entries(boot).flatMap(([table, rows]) =>
    Object(rows[0]).orgCode !== undefined && !table.startsWith('member_') ? [table] : [],
  );
  // Some through the front door, the rest in any table and column, faster than any call.
  for (let at = 0; at < 20; at += 1) await portal.call(makePerson, { body: { org: at % 2 ? 'acme' : 'globex' } });
  raw.pragma('foreign_keys = OFF');
  for (let at = 0; at < 980; at += 1) {
    const table = tables[roll(tables.length)];
    const place = `rowid = (SELECT rowid FROM "${table}" ORDER BY rowid LIMIT 1 OFFSET ${roll(50)})`;
    if (roll(4) === 0) raw.exec(`DELETE FROM "${table}" WHERE ${place}`);
    else if (table === 'members') raw.exec(`UPDATE members SET firstName = firstName || ${roll(9)} WHERE ${place}`);
    else if (table === 'login_history') raw.exec(`UPDATE login_history SET timestamp = ${roll(9_999)} WHERE ${place}`);
    else raw.exec(`UPDATE "${table}" SET orgCode = orgCode WHERE ${place}`);
  }
  raw.pragma('foreign_keys = ON');
  expect(dump(portal)).not.toEqual(boot);
  const began = performance.now();
  await portal.call(resetLab, { body: {} });
  const took = performance.now() - began;
  const { audit_events: trail, ...state } = dump(portal);
  const { audit_events: _none, ...first } = boot;
  // Of the reset itself, one event for each organisation.
  expect(trail).toHaveLength(2);
  expect(state).toEqual(first);
  await annotate(`reset in ${Math.round(took)} ms`);
  const fresh = await testPortal();
  expect(await whatHappensIn(portal)).toEqual(await whatHappensIn(fresh));
  await portal.close();
  await fresh.close();
});
