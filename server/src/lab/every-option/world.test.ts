import { createPublicKey } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { contract, type PasskeyCreationOptions, type World, world } from '@orchestrate/shared';
import { createAuthenticator } from '@orchestrate/shared/authenticator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { machineNow } from '#platform/adapters/clock.ts';
import { coseKey, type SoftwarePasskey, softwareAuthenticator } from '#testing/passkey.ts';
import { type Receiver, startReceiver } from '#testing/receiver.ts';
import type { Portal } from '../../testing-api/portal.ts';
import { startPortal } from '../../testing-api/start-portal.ts';
import { optionsIn } from './options-testing.ts';
import { ADA, ADMIN, baseWorld, GRACE, type Keys, otherValues, SECRETS, withOther } from './world-testing.ts';

/** Fields that only an export contains, by the reason. */
const EXPORT_ONLY: Readonly<Record<string, string>> = {
  'organisations.webhooks.failingSince': 'The portal disables the webhook after three days of failures.',
  'organisations.provider.configuredBy': 'Only linking the own account through the provider depends on it.',
  'organisations.people.devices.platform': 'The device reports it, and the portal only stores it.',
  'organisations.people.logins.device': 'Lists show the name of the device at that time.',
  'organisations.people.identities.approvedAt': 'Only a sign-in through the provider checks it.',
  'organisations.people.devices.passkey.backedUp': 'Each sign-in replaces it with the state that the passkey reports.',
  'organisations.people.identities.subject': 'Only a sign-in through the provider compares it.',
};
/** Fields whose other values are refused, by the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  'organisations.keys.saml.expiresAt': 'The certificate expires at ',
};

let receiver: Receiver;
let portal: Portal;
let keys: Keys;
let passkey: SoftwarePasskey;
let values: Record<string, unknown>;
let before: Record<string, unknown>;
beforeAll(async () => {
  receiver = await startReceiver();
  const url = new URL(receiver.url).origin;
  portal = await startPortal({ seed: 'none', env: { RADIUS_PORT: '0', LDAP_PORT: '0' } });
  const other = await keysOf('other');
  const own = await keysOf('own');
  keys = { oidc: own.oidc, saml: [...own.saml, ...other.saml] };
  passkey = softwareAuthenticator(portal.url).create(CREATION);
  values = otherValues(url, other);
  before = await observe(base());
}, 60_000);
afterAll(async () => {
  await portal.close();
  await receiver.close();
});

const CREATION = {
  rp: { id: 'localhost', name: 'Acme' },
  user: { id: 'YWRh', name: ADA, displayName: 'Ada' },
  challenge: 'Y2hhbGxlbmdl',
  pubKeyCredParams: [{ type: 'public-key' as const, alg: -7 }],
} as PasskeyCreationOptions;

function base() {
  const { id: credentialId, publicKey: spki } = passkey.keys();
  const publicKey = coseKey(createPublicKey({ key: Buffer.from(spki, 'base64url'), format: 'der', type: 'spki' }));
  const { origin } = new URL(receiver.url);
  return baseWorld(origin, { keys, passkey: { credentialId, publicKey: publicKey.toString('base64') } });
}

/** Returns keys that the portal generates for a world. */
async function keysOf(randomSeed: string): Promise<Keys> {
  const seed = { ...baseWorld('http://localhost'), randomSeed };
  await portal.reset({ seed: seed as World });
  await fetch(`${portal.url}/oidc/acme/jwks`);
  await portal.tokens({ client: 'wiki', as: ADA });
  await fetch(`${portal.url}/saml/acme/expenses/metadata`);
  return Object((await portal.world()).organisations?.[0]).keys;
}

/** Imports a world. Returns what its users, administrators and programs see. */
async function observe(seed: World): Promise<Record<string, unknown>> {
  await portal.reset({ seed });
  receiver.received.length = 0;
  const found: Record<string, unknown> = {};
  await portal.clock({ advanceSeconds: 0, tokens: 'lab' });
  const session = await portal.session({ email: ADMIN }).catch(({ resultName }: { resultName: string }) => resultName);
  if (typeof session === 'string') return { session };
  const { token, orgId } = session;
  const { people } = await portal.people();
  const ada = people.find(({ email, role }) => email !== ADMIN && role !== 'SUPER_ADMIN' && !/^grace@/.test(email));
  const suid = ada?.suid ?? '';
  const basic = `Basic ${btoa(`${SECRETS.username}:${SECRETS.password}`)}`;
  const call = async (path: string, init: RequestInit = {}, authorization = `Bearer ${token}`) => {
    const response = await fetch(portal.url + path, {
      ...init,
      redirect: 'manual',
      headers: { authorization, ...init.headers },
    });
    const type = response.headers.get('content-type');
    const text = await response.text();
    found[`${init.method ?? 'GET'} ${path.replaceAll(suid, 'SUID')} ${Object.keys(found).length}`] = [
      response.status,
      response.headers.get('location'),
      /^image/.test(type ?? '') ? [type, text.length] : withoutRandom(text),
    ];
    return text;
  };
  const apps = JSON.parse(await call(`/api/orgs/${orgId}/apps`)).apps as { appId: string }[];
  for (const { appId } of apps) {
    const at = `/api/orgs/${orgId}/apps/${appId}`;
    for (const path of ['', '/provisioning', `/preview?suid=${suid}`, '/sign-ins']) await call(at + path);
  }
  const webhooks = await call('/api/org/webhooks');
  for (const path of READS) await call(path.replace('ORG', orgId).replace('SUID', suid));
  for (const auth of [basic, `Bearer ${SECRETS.directory}`]) {
    for (const path of ['Users', 'Groups', 'Schemas']) await call(`/scim/v2/${orgId}/${path}`, {}, auth);
  }
  for (const [, logo = ''] of JSON.stringify(found).matchAll(/\\"logo\\":\\"([^"\\]+)/g))
    await call(new URL(logo, portal.url).pathname);
  await call(`/api/user/activate?token=${SECRETS.invitation}`);
  const manager = await portal.session({ email: GRACE });
  for (const path of ['profile', 'user/reportee', 'org/login-options'])
    await call(`/api/${path}`, {}, `Bearer ${manager.token}`);
  // Programs and people use the secrets of the world.
  const asJson = (body: object) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const redirects = { redirect_uris: ['https://planner.test/callback'] };
  const registered = JSON.parse(await call(`/oidc/${orgId}/reg`, asJson(redirects), `Bearer ${SECRETS.registration}`));
  found.registration = Object.keys(registered);
  delete found[Object.keys(found).find((name) => name.startsWith(`POST /oidc/${orgId}/reg`)) ?? ''];
  await call(`/oidc/${orgId}/reg/wiki`, {}, `Bearer ${SECRETS.registered}`);
  for (const { id } of JSON.parse(webhooks).webhooks) {
    const { secret } = JSON.parse(await call(`/api/org/webhooks/${id}/secret`));
    found.webhookSecret = secret;
  }
  const adding = await beginPasskeyOf(ada?.email ?? '');
  found.otherPasskeys = adding?.excludeCredentials;
  found.passkey = await signInByPasskey(orgId, adding?.user.id ?? '');
  const authenticator = createAuthenticator({ baseUrl: portal.url, now: machineNow });
  const device = { name: 'Phone', type: 'mobile' as const, platform: 'Android' };
  const [{ code: activationCode = '000000' } = {}] = await portal.outbox({ to: ada?.email ?? ADA });
  const activation = { orgCode: orgId, email: ada?.email ?? '', activationCode, device };
  found.activation = await resultOf(authenticator.activate(activation));
  await call('/api/user/manage', asJson({ suid, action: ada?.status === 'inactive' ? 'unpause' : 'pause' }));
  await portal.settled();
  found.provisioned = receiver.received.find(({ headers }) => headers.authorization)?.headers.authorization;
  found.people = people;
  found.devices = await portal.devices();
  found.outbox = (await portal.outbox()).map(({ subject, to, code }) => [subject, to, code]);
  return found;
}
const resultOf = (call: Promise<{ resultCode: number }>) =>
  call.then(
    ({ resultCode }) => resultCode,
    ({ resultName }: { resultName: string }) => resultName,
  );

/** Signs in with the passkey, whose counter is 3. */
async function signInByPasskey(orgCode: string, userHandle: string) {
  const begun = await portal.call(contract.login, { body: { orgCode, mode: 'WEBAUTHN' } }).catch(() => undefined);
  if (!begun?.passkey) return undefined;
  const body = { loginId: begun.loginId ?? '', credential: passkey.use(begun.passkey, { counter: 3, userHandle }) };
  return resultOf(portal.call(contract.approveByPasskey, { body }));
}

/** Returns the options for adding a passkey, which list the member's passkeys. */
async function beginPasskeyOf(email: string) {
  const session = await portal.session({ email }).catch(() => undefined);
  if (!session) return undefined;
  const { token } = session;
  const adding = await portal.call(contract.beginPasskey, { body: {} }, { token }).catch(() => undefined);
  return adding?.options;
}

/** Removes the ID of the request, and the administrator's sign-in, whose ID is random. */
const withoutRandom = (text: string) =>
  text.replaceAll(/"requestId":"[^"]*"|"port":\d+|\{"id":"[^{}]*super\.admin@acme\.test"[^{}]*\}/g, '');

const READS = [
  '/api/user/apps',
  '/api/org/api-resources',
  '/api/org/registration-tokens',
  '/api/org/idp',
  '/api/org/groups',
  '/api/user/invitations',
  '/api/user?suid=SUID',
  '/api/user/loginhistory?suid=SUID',
  '/api/user/external-identities?suid=SUID',
  '/api/user/search',
  '/api/user/reportee',
  '/api/org/roleslist',
  '/api/user/role/AUDITOR',
  '/api/scim/basicauth',
  '/api/scim/tokens',
  '/api/scim/schemas',
  '/api/oidc/configuration',
  '/api/faq',
  '/api/org/mails',
  '/api/org/settings?code=ORG',
  '/api/org/session',
  '/api/org/login-options',
  '/api/org/security',
  '/api/health',
  '/oidc/ORG/jwks',
  '/saml/ORG/expenses/metadata',
  '/ORG/sign-in',
];

const FIELDS = [...new Set(optionsIn(world).map((option) => option.split(': ')[0] ?? ''))].filter(
  (name) => name !== '$schema',
);

test('has another value for every field of a world', () => {
  expect(Object.keys(values).sort()).toEqual([...FIELDS].sort());
});

test('observes the same twice', async () => {
  expect(await observe(base())).toEqual(before);
});

// Without the tag `whole`, only a sample of the fields is tested.
const SAMPLE = FIELDS.filter((_, index) => index % 40 === 0);
const others = FIELDS.filter((path) => !SAMPLE.includes(path));
test.each(SAMPLE)('%s changes what a client sees', prove);
test.each(others)('%s changes what a client sees', { tags: 'whole' }, prove);

async function prove(path: string): Promise<void> {
  const changed = base();
  withOther(changed, path, values[path]);
  if (path in REFUSED) {
    const refusal = portal.reset({ seed: changed });
    await expect(refusal).rejects.toMatchObject({
      issues: [{ message: expect.stringContaining(REFUSED[path] ?? '') }],
    });
    return;
  }
  const after = await observe(changed);
  if (!(path in EXPORT_ONLY)) return expect(isDeepStrictEqual(after, before)).toBe(false);
  expect(after).toEqual(before);
  await portal.reset({ seed: changed });
  const exported = await portal.world();
  await portal.reset({ seed: base() });
  expect(exported).not.toEqual(await portal.world());
}
