import { createHash, generateKeyPairSync } from 'node:crypto';
import type { OpenDatabase } from '@orchestrate/db';
import { memoryDb } from '@orchestrate/db/testing';
import { createSigningKey, readSetup, readWorld, setUp, virtualDevices, type World } from '@orchestrate/shared';
import { deviceOfVirtual } from '@orchestrate/shared/authenticator';
import { createRemoteJWKSet, importJWK, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#config.ts';
import { formatSetupCode } from '#features/setup/routes.ts';
import { readWorld as readGiven } from '#lab/world/read-world.ts';
import { deriveKey } from '#platform/adapters/drawn-keys.ts';
import { spMetadata } from '#testing/metadata.ts';
import { approveQr, beginQr, TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';

const ADMIN = 'super.admin@acme.test';
/** Configuration of a portal that other machines can reach, as in a container. */
const REACHABLE = { host: '0.0.0.0', labToken: 'Vq7Zt0cXb2LrYd9KfWm3' };

/** A local demo with the same seed as `target`. */
let own: TestPortal;
let target: TestPortal;
beforeAll(async () => {
  own = await testPortal();
  target = await testPortal({ config: REACHABLE });
});
afterAll(async () => {
  await own.close();
  await target.close();
});

/** Tries to sign in to a portal with a phone of another portal. */
async function signInWithPhoneOf(source: TestPortal, portal: TestPortal, email = ADMIN): Promise<string> {
  const started = await beginQr(portal);
  return approveQr(portal, source.device(email), started);
}

// covers: security T3, security 6.3.2
test("rejects a local demo's phone on a portal with the same seed that other machines can reach", async () => {
  const { zid, suid } = own.device(ADMIN);
  expect(target.device(ADMIN)).toMatchObject({ zid, suid });
  await expect(signInWithPhoneOf(own, target)).rejects.toMatchObject({ resultName: 'SIGNATURE_MISMATCH' });
  expect(await signInWithPhoneOf(target, target)).not.toBe('');
});

test('requires the lab token to list the phones of a portal that other machines can reach', async () => {
  const { devices } = await target.lab.call(virtualDevices, { query: {} });
  const phone = devices.find(({ primaryEmail, type }) => primaryEmail === ADMIN && type === 'mobile');
  const started = await beginQr(target);
  const device = phone && deviceOfVirtual(phone);
  if (!device) throw new Error('Expected a phone of the Super Admin.');
  expect(await approveQr(target, device, started)).not.toBe('');
  expect((await target.http.get('/api/lab/virtual-devices')).status).toBe(403);
});

/** Returns ID tokens for the target, signed with every key that can be computed from the source code. */
async function forgedIdTokens(): Promise<string[]> {
  const { keys } = (await target.http.get('/oidc/acme/jwks')).body as { keys: { kid: string }[] };
  const { organisations = [] } = (await own.call(readWorld, {})).body.world;
  const signing = organisations.flatMap((org) => org.keys?.oidc ?? []);
  const algorithms = ['RS256', 'ES256'] as const;
  const guessed = await Promise.all(
    algorithms.flatMap((alg) =>
      keys.map(async ({ kid }) => ({ alg, privateJwk: await deriveKey(alg, `\noidc acme ${alg} after ${kid}`) })),
    ),
  );
  return Promise.all(
    [...signing, ...guessed].flatMap(({ alg, privateJwk }) =>
      keys.map(async ({ kid }) =>
        new SignJWT({ sub: own.device(ADMIN).suid })
          .setProtectedHeader({ alg, kid })
          .setIssuer(`${target.url}/oidc/acme`)
          .setAudience('team-wiki')
          .sign(await importJWK({ ...privateJwk, alg }, alg)),
      ),
    ),
  );
}

async function verifiedBy(portal: TestPortal, tokens: readonly string[]): Promise<number> {
  const keys = createRemoteJWKSet(new URL(`${portal.url}/oidc/acme/jwks`));
  const results = await Promise.allSettled(tokens.map((token) => jwtVerify(token, keys)));
  return results.filter(({ status }) => status === 'fulfilled').length;
}

// covers: security T3, security 11.1.1, security 11.1.2
test('rejects ID tokens signed with keys of a local demo, even after a rotation and a reset', async () => {
  const kids = async (portal: TestPortal): Promise<string[]> =>
    (await portal.http.get('/oidc/acme/jwks')).body.keys.map(({ kid }: { kid: string }) => kid).toSorted();
  const before = await kids(target);
  expect(await verifiedBy(target, await forgedIdTokens())).toBe(0);
  const { token } = await target.lab.session({ email: ADMIN });
  await target.call(createSigningKey, { body: { alg: 'RS256' } }, { token });
  await target.call(createSigningKey, { body: { alg: 'ES256' } }, { token });
  expect(await kids(target)).toHaveLength(4);
  expect(await verifiedBy(target, await forgedIdTokens())).toBe(0);
  // A reset must keep the key IDs, so applications that cache the key set keep working.
  await target.lab.reset();
  expect(await kids(target)).toEqual(before);
  expect(await verifiedBy(target, await forgedIdTokens())).toBe(0);
});

const GRANTING = new Set(['secret', 'clientSecret', 'password', 'privateKey', 'certificate', 'd', 'p', 'q']);

/**
 * Returns the values in a world that grant access. Includes invitation IDs, because each ID is the hash of its link.
 */
function granting(value: unknown, within = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const isGranting = GRANTING.has(name) || (within === 'invitations' && name === 'id');
    if (typeof part === 'string') return isGranting ? [part] : [];
    return granting(part, Array.isArray(value) ? within : name);
  });
}

const codesIn = ({ organisations = [] }: World): (string | undefined)[] =>
  organisations.flatMap(({ people = [] }) =>
    people.flatMap(({ activationCodes = [] }) => activationCodes.map(({ code }) => code)),
  );

const inCommon = (one: readonly string[], other: readonly string[]): string[] =>
  one.filter((value) => other.includes(value));

// covers: security 13.3.1
test('shares no demo key, secret or code with a local portal, even after a reset', async () => {
  const [known, reached] = [await own.lab.world(), await target.lab.world()];
  expect(granting(known).length).toBeGreaterThan(300);
  expect(granting(reached)).toHaveLength(granting(known).length);
  expect(inCommon(granting(known), granting(reached))).toEqual([]);
  // There are only a million codes, so some can be equal by chance.
  const isSame = codesIn(known).map((code, at) => code === codesIn(reached)[at]);
  expect(isSame.length).toBeGreaterThan(20);
  expect(isSame.filter(Boolean).length).toBeLessThan(3);
  await target.lab.reset();
  expect(inCommon(granting(known), granting(await target.lab.world()))).toEqual([]);
});

const WORLD: World = {
  randomSeed: 'ours',
  organisations: [
    {
      code: 'initech',
      provisioning: {},
      webhooks: [{ url: 'https://hooks.test/' }],
      applications: [
        { id: 'printer', oidc: {}, provisioning: { url: 'https://scim.test/v2', enabled: false } },
        { id: 'mail', type: 'saml', saml: { metadata: spMetadata() } },
        { id: 'gateway', type: 'radius', radius: {} },
        { id: 'files', type: 'ldap', ldap: {} },
        { id: 'given', oidc: { secrets: [{ name: 'Given', secret: 'a-secret-that-the-file-gives' }] } },
      ],
      people: [
        { email: 'bill@initech.test', role: 'SUPER_ADMIN', devices: [{}, { type: 'desktop' }] },
        { email: 'milton@initech.test', status: 'invited', activationCodes: [{}], invitations: [{ type: 'mobile' }] },
      ],
    },
  ],
};

test.each(['at startup', 'after a reset', 'in a space'])(
  'shares only the file’s own secrets with a local portal using the same file (%s)',
  async (when) => {
    const seed = await readGiven(WORLD, readConfig({}));
    await using local = await testPortal({ seed });
    await using other = await testPortal({ config: REACHABLE, ...(when === 'at startup' && { seed }) });
    if (when === 'after a reset') await other.lab.reset({ seed: WORLD });
    const space = when === 'in a space' ? await other.lab.space({ seed: WORLD }) : undefined;
    const [world, ofLocal] = [await (space ?? other.lab).world(), await local.lab.world()];
    const [known, reached] = [granting(ofLocal), granting(world)];
    expect(known.length).toBeGreaterThan(12);
    expect(inCommon(known, reached)).toEqual(['a-secret-that-the-file-gives']);
    // Any preimage of an invitation's hash works as its link, so the hashed text must not be computable from names.
    const invited = world.organisations?.[0]?.people?.find(({ status }) => status === 'invited');
    const link = `orchestrate world secret ours\ninvitation ${invited?.id} 0`;
    const hash = createHash('sha256').update(link).digest('base64url');
    expect([known.includes(hash), reached.includes(hash)]).toEqual([true, false]);
  },
);

/** Creates a database as older versions did, without recording the source of its keys. */
function olderDatabase(options: Parameters<typeof memoryDb>[0]): OpenDatabase {
  const database = memoryDb(options);
  database.raw.exec('UPDATE worlds SET keysFrom = NULL');
  return database;
}

test('refuses to expose an older database to other machines if its keys derive from names', async () => {
  const database = olderDatabase({ now: TEST_NOW });
  await expect(testPortal({ database, config: REACHABLE })).rejects.toThrow('orchestrate replace-keys');
  await using local = await testPortal({ database });
  expect(await signInWithPhoneOf(local, local)).not.toBe('');
});

test('accepts a database without keys derived from names, and marks it as checked', async () => {
  const { x = '', y = '', d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const devices = [{ key: { kty: 'EC', crv: 'P-256', x, y, d } as const }];
  const seed = await readGiven(
    { organisations: [{ code: 'acme', people: [{ email: ADMIN, devices }] }] },
    readConfig({}),
  );
  for (const database of [
    memoryDb({ seed, now: TEST_NOW }),
    olderDatabase({ now: TEST_NOW, keysFrom: 'installation' }),
  ]) {
    await using portal = await testPortal({ database, config: REACHABLE });
    expect(await signInWithPhoneOf(portal, portal)).not.toBe('');
    expect(database.raw.prepare('SELECT keysFrom FROM worlds').pluck().get()).toBe('installation');
  }
});

// covers: security 11.5.1
test('generates unpredictable keys on a local portal that other machines could once reach', async () => {
  await using portal = await testPortal({ database: memoryDb({ now: TEST_NOW, keysFrom: 'installation' }) });
  const published = async () => (await portal.http.get('/oidc/acme/jwks')).body.keys as { kid: string; x?: string }[];
  const before = await published();
  const { token } = await portal.lab.session({ email: ADMIN });
  await portal.call(createSigningKey, { body: { alg: 'ES256' } }, { token });
  const after = ['', ...before.map(({ kid }) => kid)];
  const known = await Promise.all(after.map((kid) => deriveKey('ES256', `\noidc acme ES256 after ${kid}`)));
  const keys = (await published()).filter(({ x }) => x !== undefined);
  expect(keys).toHaveLength(2);
  expect(keys.filter(({ x }) => known.some((key) => key.x === x))).toEqual([]);
});

test.each([
  ['without the lab', { lab: false }],
  ['while the lab is closed', { labToken: null }],
])('admits the first administrator %s only with the setup code', async (_, config) => {
  await using portal = await testPortal({ config: { host: '0.0.0.0', ...config } });
  await expect(signInWithPhoneOf(own, portal)).rejects.toMatchObject({ resultName: 'SIGNATURE_MISMATCH' });
  expect((await portal.call(readSetup, {})).body).toMatchObject({ isOpen: true, isEmpty: false });
  const form = { orgCode: 'acme', firstName: 'Avery', lastName: 'Lindqvist', email: ADMIN };
  const { body } = await portal.call(setUp, { body: { code: formatSetupCode(portal.deps), ...form } });
  expect(body).toMatchObject({ orgCode: 'acme', type: 'mobile' });
  const { device } = await portal.authenticator.activate({
    orgCode: 'acme',
    email: ADMIN,
    activationCode: body.activationCode,
    device: { name: 'Own phone', type: 'mobile', platform: 'Android 16' },
  });
  expect(await approveQr(portal, device, await beginQr(portal))).not.toBe('');
});
