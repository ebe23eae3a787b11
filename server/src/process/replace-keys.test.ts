import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@orchestrate/db';
import { VERSION_0_1_0, writeVersion010 } from '@orchestrate/db/testing';
import { createSigningKey, login, loginState, refresh, type VirtualDevice } from '@orchestrate/shared';
import { createAuthenticator, deviceOfVirtual } from '@orchestrate/shared/authenticator';
import { decodeJwt } from 'jose';
import request from 'supertest';
import { expect, test } from 'vitest';
import { phoneOf, providePortalProcesses } from '#testing/portal-process.ts';
import type { Portal } from '#testing-api/portal.ts';

const ADMIN = 'super.admin@acme.test';
/** Settings of a portal that other machines can reach, as in a container. */
const REACHABLE = { HOST: '0.0.0.0', LAB_TOKEN: 'Vq7Zt0cXb2LrYd9KfWm3' };

const portals = providePortalProcesses('keys-');
const { start, startEnd } = portals;
const replaceKeys = (...args: string[]) => portals.orchestrate(['replace-keys', ...args]);
const adminPhone = (portal: Portal) => phoneOf(portal, ADMIN);

/** Approves a sign-in with a phone's key and returns the login ID and token that a browser exchanges for a session. */
async function approve({ url, call }: Portal, phone: VirtualDevice) {
  const device = deviceOfVirtual(phone);
  if (!device) throw new Error('Expected a device that signs.');
  const authenticator = createAuthenticator({ baseUrl: url, now: Date.now });
  const { loginId = '', qid = '', matchNumber: number } = await call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const { challenge } = await authenticator.resolve(device, qid);
  await authenticator.respond(device, { challengeId: challenge.challengeId, decision: 'approve', number });
  return { loginId, exchangeToken: (await call(loginState, { params: { loginId } })).exchangeToken };
}

const signIn = async (portal: Portal, phone: VirtualDevice) => (await approve(portal, phone)).exchangeToken;

const refusal = () =>
  `This portal is reachable from other machines (HOST, PUBLIC_URL, BACKCHANNEL_URL, TRUSTED_PROXIES), but anyone can compute the keys in ${portals.file} because they are derived from public names. Run \`npx -y pnpm@12 orchestrate replace-keys\` with the same settings, then start again.\n`;

const secretsOf = async (portal: Portal): Promise<string[]> => {
  const { organisations = [] } = await portal.world();
  return organisations.flatMap(({ provider, provisioning, applications = [], keys }) => [
    ...[provider?.clientSecret ?? [], provisioning?.password ?? []].flat(),
    ...applications.flatMap(({ oidc }) => (oidc?.secrets ?? []).flatMap(({ secret }) => secret ?? [])),
    ...(keys?.saml ?? []).map(({ certificate }) => certificate),
    ...(keys?.oidc ?? []).map(({ id }) => id),
  ]);
};

test('requires `replace-keys` before a local portal can become reachable from other machines', async () => {
  const local = await start();
  const known = await adminPhone(local.portal);
  expect(await signIn(local.portal, known)).toBeDefined();
  const secrets = await secretsOf(local.portal);
  expect(secrets).toHaveLength(12);
  await local.end();

  for (const env of [{ PUBLIC_URL: 'https://portal.example' }, { ...REACHABLE, LAB: 'off' }])
    expect(await startEnd(env)).toEqual({ code: 1, stdout: '', stderr: refusal() });

  const { code, stdout, stderr } = await replaceKeys();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ {2}\d{3} simulated phones: new keys/m);
  for (const line of ['4 client secrets', '1 SCIM passwords', '4 OpenID Connect keys', '2 SAML certificates'])
    expect(stdout).toContain(`  ${line}: `);

  const reachable = await start(REACHABLE);
  await expect(signIn(reachable.portal, known)).rejects.toMatchObject({ resultName: 'SIGNATURE_MISMATCH' });
  expect(await signIn(reachable.portal, await adminPhone(reachable.portal))).toBeDefined();
  const replaced = await secretsOf(reachable.portal);
  expect(replaced).toHaveLength(12);
  expect(replaced.filter((secret) => secrets.includes(secret))).toEqual([]);
  await reachable.end();
  expect((await replaceKeys()).stdout).toContain('Nothing to replace');
});

test('ends sessions and pending sign-ins that predate `replace-keys`', async () => {
  const local = await start();
  const exchanged = async () => {
    const { loginId, exchangeToken = '' } = await approve(local.portal, await adminPhone(local.portal));
    return local.portal.call(login, { body: { loginId, exchangeToken } });
  };
  const [byPhone, byProvider] = [await exchanged(), await exchanged()];
  const approved = await approve(local.portal, await adminPhone(local.portal));
  await local.end();
  // Simulates a sign-in through an external provider, which leaves no approving device on the session.
  const database = openDatabase({ file: portals.file, keys: { current: null, previous: null } });
  const { sid } = decodeJwt(byProvider.token ?? '');
  expect(database.raw.prepare('UPDATE sessions SET zid = NULL WHERE sid = ?').run(sid).changes).toBe(1);
  database.close();
  expect((await replaceKeys()).stdout).toContain('All sessions, remembered browsers and pending sign-ins have ended');

  const { portal } = await start(REACHABLE);
  const { loginId, exchangeToken = '' } = approved;
  await expect(portal.call(login, { body: { loginId, exchangeToken } })).rejects.toMatchObject({
    resultName: 'EXPIRED',
  });
  for (const { refreshToken = '' } of [byPhone, byProvider])
    await expect(portal.call(refresh, { body: { refreshToken } })).rejects.toMatchObject({
      resultName: 'INVALID_SESSION',
    });
});

test('prints a setup code when it starts without the lab after `replace-keys`', {
  tags: 'whole',
}, async () => {
  await (await start()).end();
  await replaceKeys();
  const { setupCode } = await start({ ...REACHABLE, LAB: 'off', NODE_ENV: 'production' });
  expect(setupCode).toMatch(/^\w{4}-/);
});

test('lets a portal become reachable again after it created a key while local', {
  tags: 'whole',
}, async () => {
  const reachable = await start(REACHABLE);
  const known = await adminPhone(reachable.portal);
  await reachable.end();
  const local = await start();
  expect(await adminPhone(local.portal)).toEqual(known);
  const { token } = await local.portal.session({ email: ADMIN });
  const { signingKeys } = await local.portal.call(createSigningKey, { body: { alg: 'ES256' } }, { token });
  await local.end();
  const again = await start({ ...REACHABLE, LAB: 'off' });
  const { body } = await request(again.portal.url).get('/oidc/acme/jwks');
  expect(body.keys.map(({ kid }: { kid: string }) => kid).toSorted()).toEqual(
    signingKeys.map(({ kid }) => kid).toSorted(),
  );
});

test('refuses to become reachable again if a reset while local derived keys from names', {
  tags: 'whole',
}, async () => {
  await (await start(REACHABLE)).end();
  const local = await start();
  await local.portal.reset();
  await local.end();
  expect(await startEnd(REACHABLE)).toMatchObject({ code: 1, stderr: refusal() });
});

test('requires `replace-keys` before a portal with a 0.1.0 database can become reachable', {
  tags: 'whole',
}, async () => {
  writeVersion010(portals.file);
  expect(await startEnd(REACHABLE)).toMatchObject({ code: 1, stderr: refusal() });
  expect((await replaceKeys()).code).toBe(0);
  const { portal } = await start(REACHABLE);
  const secrets = await secretsOf(portal);
  // Secrets that an administrator created are random, so they aren't replaced.
  expect(secrets).toEqual(expect.arrayContaining([VERSION_0_1_0.scim.password, ...VERSION_0_1_0.oidcKeyIds]));
  expect(await signIn(portal, await adminPhone(portal))).toBeDefined();
});

test('lets a portal that started empty become reachable at any time', { tags: 'whole' }, async () => {
  await (await start({ SEED: 'none' })).end();
  expect((await start({ ...REACHABLE, SEED: 'none' })).setupCode).toBeDefined();
});

test('generates equal keys and secrets for local portals only', async () => {
  const boot = async (name: string, env: NodeJS.ProcessEnv) => {
    const { portal, end } = await start({ ...env, DATABASE_FILE: join(portals.folder, name) });
    const known = [(await adminPhone(portal)).privateKeyJwk.d, ...(await secretsOf(portal))];
    await end();
    return known;
  };
  const seed = join(portals.folder, 'world.yaml');
  writeFileSync(
    seed,
    'now: 2026-11-20T08:00:00.000Z\norganisations: [{ code: acme, provisioning: {}, people: [{ email: super.admin@acme.test }] }]\n',
  );
  const local = await boot('one.db', { SEED: seed });
  expect(await boot('two.db', { SEED: seed })).toEqual(local);
  const reachable = await Promise.all(['three.db', 'four.db'].map((name) => boot(name, { SEED: seed, ...REACHABLE })));
  expect(new Set([local, ...reachable].flat()).size).toBe(3 * local.length);
});

test('refuses unknown options and a missing database file', async () => {
  expect(await replaceKeys('--all')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('does not accept --all'),
  });
  expect(await replaceKeys()).toEqual({
    code: 1,
    stdout: '',
    stderr: `Database ${portals.file} doesn't exist. Set DATABASE_FILE to the portal's database.\n`,
  });
  expect(await replaceKeys('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
});
