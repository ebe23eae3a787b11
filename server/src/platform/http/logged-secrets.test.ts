import {
  clientSecretRepo,
  oidcKeyRepo,
  resetDatabase,
  samlKeyRepo,
  scimCredentialsRepo,
  signingKeyRepo,
  virtualDeviceRepo,
  webhookRepo,
} from '@orchestrate/db';
import * as contract from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterAll, expect, test, vi } from 'vitest';
import { foreignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import { authorize, errorOf, exchange, relyingParty } from '#protocols/oidc/relying-party-testing.ts';
import { setScene, signInBy } from '#protocols/saml/service-provider-testing.ts';
import { directoryOf } from '#protocols/scim/testing.ts';
import { testBrowser } from '#testing/browser.ts';
import { activateFrom, beginPush, memberByEmail, setOrganisation } from '#testing/device.ts';
import { writesOf } from '#testing/driving/writes.ts';
import { beginByPasskey, registerPasskey } from '#testing/passkey.ts';
import { watchSecrets } from '#testing/secrets.ts';
import { approveQr, beginQr, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
const LAB_TOKEN = 'the-token-of-this-lab-for-tests';

/** Uses real time, because the service provider library ignores the lab clock. */
const now = Date.now();
const secrets = watchSecrets();
const lines: string[] = [];
const portal = await testPortal({ now, onLog: (line) => lines.push(line), config: { labToken: LAB_TOKEN } });
// The provider library warns on every start that this setup is not for production.
vi.spyOn(console, 'warn').mockReturnValue(undefined);
const foreign = await foreignProvider(`${portal.url}/api/oidc/callback`);
const { db } = portal.deps;

afterAll(async () => {
  secrets.stop();
  await foreign.close();
  await portal.close();
});

/** Collects all secrets that the portal currently stores in readable form, to search the logs for them later. */
function keepInMind(): void {
  const texts = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(texts);
  const stored = [
    ...clientSecretRepo.listClientSecrets(db, 'acme', 'team-wiki').map(({ secret }) => secret),
    scimCredentialsRepo.findScimCredentials(db, 'acme')?.password ?? '',
    ...webhookRepo.listWebhooks(db, 'acme').map(({ secret }) => secret),
    ...virtualDeviceRepo.listVirtualDevices(db).map(({ privateKey }) => privateKey.d),
    ...[...signingKeyRepo.listSigningKeys(db, 'session'), ...oidcKeyRepo.listOidcKeys(db, 'acme')].flatMap(
      ({ privateJwk }) => texts(privateJwk),
    ),
    // Compare line by line, because a log may truncate the key. Skip lines that also occur in the certificate,
    // because they contain only the public modulus.
    ...samlKeyRepo.listSamlKeys(db, 'acme').flatMap(({ privateKey, certificate }) =>
      privateKey
        .split('\n')
        .slice(1, -2)
        .filter((line) => !certificate.includes(line)),
    ),
  ];
  for (const secret of stored.filter(({ length }) => length > 16)) secrets.add(secret);
}

/** Signs the user in to an application and uses the tokens in both valid and invalid requests. */
async function useOpenId(): Promise<void> {
  const config = await relyingParty(portal);
  const browser = testBrowser(portal, USER);
  const authorization = await authorize(config, browser);
  const tokens = await exchange(config, authorization);
  await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '');
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  await client.tokenIntrospection(config, renewed.access_token);
  expect(await errorOf(exchange(config, authorization))).toBe('invalid_grant');
  expect(await errorOf(client.refreshTokenGrant(config, 'a-refresh-token-that-never-was'))).toBe('invalid_grant');
  const wrong = await relyingParty(portal, { auth: client.ClientSecretPost('not the secret of this client') });
  expect(await errorOf(client.refreshTokenGrant(wrong, renewed.refresh_token ?? ''))).toBe('invalid_client');
}

async function useSaml(): Promise<void> {
  const scene = await setScene(now, { portal });
  const provider = await scene.provider();
  const { fields } = await signInBy(scene, await provider.getAuthorizeUrlAsync('/where-it-began', undefined, {}));
  const { profile } = await provider.validatePostResponseAsync(fields);
  if (profile) await scene.browser.open(await provider.getLogoutUrlAsync(profile, '', {}));
  for (const key of [scene.keys.privateKey]) secrets.add(key.split('\n')[1] ?? '');
  await scene.browser.open(`${scene.issuer}/sso?SAMLRequest=bm90LWEtcmVxdWVzdA&RelayState=where-it-began`);
}

async function signInInEveryWay(): Promise<void> {
  const phone = portal.device(USER);
  const auth = await portal.signIn(USER);
  const renewed = await portal.call(contract.refresh, { body: { refreshToken: auth.refreshToken } });
  await portal.call(contract.refresh, { body: { refreshToken: 'a-refresh-token-that-never-was' } });
  await portal.call(contract.getProfile, {}, { token: `${renewed.body.token}x` });
  await beginPush(portal, memberByEmail(portal, 'acme', USER).primaryAttr);
  const [waiting] = await portal.authenticator.pending(phone);
  await portal.authenticator.respond(phone, { challengeId: waiting?.challengeId ?? '', decision: 'deny' });

  setOrganisation(portal, 'acme', { webAuthnEnabled: 1 });
  const { passkey } = await registerPasskey(portal, auth.token);
  const started = await beginByPasskey(portal);
  await portal.call(contract.approveByPasskey, {
    body: { loginId: started.loginId, credential: passkey.use(started.options) },
  });

  const remembered = await beginQr(portal);
  const exchangeToken = await approveQr(portal, phone, remembered);
  const { agent } = testBrowser(portal);
  await agent.post('/api/user/login').send({ loginId: remembered.loginId, exchangeToken });
  await agent.post('/api/user/login').send({ orgCode: 'acme', mode: 'COOKIE' });
  const live = await portal.open(contract.loginLive, { loginId: remembered.loginId });
  await live.next();
  live.close();
}

/** All journal entries so far, by sequence number. */
const happened = new Map<number, string>();

async function readJournal(): Promise<void> {
  for (;;) {
    const after = Math.max(0, ...happened.keys());
    const query = { after, limit: contract.JOURNAL_PAGE_MAX };
    const { entries } = (await portal.call(contract.readJournal, { query }, { token: LAB_TOKEN })).body;
    for (const entry of entries) happened.set(entry.seq, JSON.stringify(entry));
    if (entries.length < contract.JOURNAL_PAGE_MAX) return;
  }
}

/** Tables that store secrets. */
const STORAGE = [
  'outbox',
  'activation_codes',
  'one_time_codes',
  'invitations',
  'client_secrets',
  'webhooks',
  'scim_credentials',
  'portal_oidc',
  'saml_keys',
  'sessions',
  'refresh_tokens',
  'oidc_models',
  'challenges',
  'external_sign_ins',
  'remembered_browsers',
  'passkeys',
];

/** Makes every write to these tables fail while the function runs. */
async function whileNothingIsKept(during: () => Promise<unknown>): Promise<void> {
  const forEach = (sql: (table: string, event: string) => string) =>
    db.$client.exec(STORAGE.flatMap((table) => ['INSERT', 'UPDATE'].map((event) => sql(table, event))).join(''));
  forEach(
    (table, event) =>
      `CREATE TRIGGER broken_${table}_${event} BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, 'broken'); END;`,
  );
  await during().catch(() => undefined);
  forEach((table, event) => `DROP TRIGGER broken_${table}_${event};`);
}

// covers: security 16.2.5
test('logs and journals no secrets for any write or protocol call, successful or not', async () => {
  for (const { prepare } of writesOf(portal, foreign)) {
    resetDatabase(db, 'demo', now);
    portal.clock.freeze(now);
    const perform = await prepare();
    await whileNothingIsKept(perform);
    // The write was rolled back, so it can be performed again. All other calls may fail, because only their log
    // output matters here.
    await perform().catch(() => undefined);
    keepInMind();
    await readJournal();
  }
  resetDatabase(db, 'demo', now);
  portal.clock.freeze(now);
  await signInInEveryWay();
  await useOpenId();
  await useSaml();
  keepInMind();

  const wrongPassword = `Basic ${Buffer.from('scim-acme:not-the-password-at-all').toString('base64')}`;
  await directoryOf(portal, 'acme', wrongPassword).get('/Users');
  await directoryOf(portal).send('POST', '/Users', '{"password": "a password that a directory sends", ');
  await directoryOf(portal).send('POST', '/Users', { userName: 'x', password: 'a password that a directory sends' });
  await portal.call(contract.readOutbox, { query: {} }, { token: LAB_TOKEN });
  await portal.call(contract.readOutbox, { query: {} }, { token: 'no-token-of-this-lab-at-all' });
  await portal.call(contract.openActivationLink, { query: { token: 'a-token-that-nobody-was-mailed' } });
  await activateFrom(portal, '203.0.113.9', { email: USER, activationCode: '918273' });
  for (const secret of ['918273', LAB_TOKEN, 'a password that a directory sends']) secrets.add(secret);

  await readJournal();
  const defects = lines.filter((line) => line.includes('"defect"'));
  expect(defects.length).toBeGreaterThan(5);
  expect(defects.filter((line) => /params|values/.test(line))).toEqual([]);
  expect(lines.length).toBeGreaterThan(500);
  expect(secrets.seen.size).toBeGreaterThan(300);
  expect(happened.size).toBeGreaterThan(500);
  for (const output of [lines, [...happened.values()]]) {
    const text = output.join('\n');
    expect(secrets.in(text).map((secret) => output.find((line) => line.includes(secret)))).toEqual([]);
  }
});
