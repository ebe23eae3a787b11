import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { connect } from 'node:tls';
import { contract, login, loginLive } from '@orchestrate/shared';
import { createAuthenticator, createPortalCall, PortalUnreachable } from '@orchestrate/shared/authenticator';
import { expect, test, vi } from 'vitest';
import { connectPortal } from './connect-portal.ts';
import { startPortal } from './start-portal.ts';

test('reuses a portal’s exported world for another portal, a space and a reset', { tags: 'whole' }, async () => {
  await using first = await startPortal({ now: '2026-03-02T09:30:00Z' });
  await first.person({ org: 'acme', email: 'grace.hopper@acme.test' });
  const world = await first.world();
  expect(JSON.stringify(world)).toContain('grace.hopper@acme.test');

  await using second = await startPortal({ seed: world });
  expect(await second.world()).toEqual(world);
  await using space = await first.space({ seed: world });
  expect(await space.world()).toEqual(world);

  await first.reset();
  expect(JSON.stringify(await first.world())).not.toContain('grace.hopper@acme.test');
  await first.reset({ seed: world });
  expect(await first.world()).toEqual(world);
});

test('reports the invalid field of a refused control and suggests a correction', async () => {
  await using portal = await startPortal();
  const { email } = await portal.person({ org: 'acme' });
  const { token } = await portal.session({ email: 'super.admin@acme.test' });
  const misspelt: Record<string, () => Promise<unknown>> = {
    'Did you mean answer?': () => portal.policy({ match: { email }, anwser: 'deny' } as never),
    'Did you mean resultName?': () =>
      portal.fault({ match: { path: '/api/profile' }, answer: { resultNam: 'EXPIRED' } } as never),
    'Did you mean path?': () => portal.fault({ match: { paht: '/api/profile' }, answer: { status: 500 } } as never),
    'Did you mean advance?': () => portal.clock({ advence: '10m' } as never),
    'freezeAt and advance cannot be combined': () => portal.clock({ advance: '10m', freezeAt: '2030-01-01T00:00:00Z' }),
    'Did you mean HELPDESK_ADMIN?': () => portal.person({ org: 'acme', role: 'HELPDESK_ADMNI' }),
    'The roles are ': () => portal.person({ org: 'acme', role: 'X' }),
    'orgEmails: This field is required; type: This field is required': () =>
      portal.call(contract.inviteUsers, { body: {} } as never, { token }),
  };
  for (const [words, call] of Object.entries(misspelt)) {
    await expect(call(), words).rejects.toMatchObject({ status: 400, message: expect.stringContaining(words) });
  }
});

test.each<[string, Record<string, string>, string]>([
  ['is unknown', { CORS_ORIGNS: 'http://localhost:5173' }, 'Unknown setting CORS_ORIGNS. Did you mean CORS_ORIGINS?'],
  ['has no effect here', { PORT: '4000' }, 'PORT has no effect here: pass the option port instead.'],
  ['would have no effect on a database in memory', { DATABASE_FILE: 'data/other.db' }, 'its database is in memory'],
  ['conflicts with an option', { SEED: 'none' }, 'SEED and seed cannot be combined'],
])('refuses a setting that %s', async (_, env, sentence) => {
  await expect(startPortal({ seed: 'demo', env })).rejects.toThrow(sentence);
});

test('returns the certificate authority for other programs', async () => {
  await using portal = await startPortal({ env: { LDAPS_PORT: '0' } });
  const { token } = await portal.session({ email: 'super.admin@acme.test' });
  const params = { orgCode: 'acme' };
  const body = { ...params, integrationType: 'ldap' as const, name: 'Directory' };
  const { app } = await portal.call(contract.createApp, { params, body }, { token });
  const ca = readFileSync(portal.ca ?? '', 'utf8');
  const socket = connect({ port: app.ldapConfiguration?.tlsPort ?? 0, host: 'localhost', servername: hostname(), ca });
  await once(socket, 'secureConnect');
  expect(socket.authorized).toBe(true);
  socket.destroy();
  await using plain = await startPortal();
  expect(plain.ca).toBeUndefined();
});

test('serves HTTPS with a certificate authority whose key is never written to disk', async () => {
  await using portal = await startPortal({ env: { TLS: 'on' } });
  expect(portal.url).toMatch(/^https:/);
  const { status } = await portal.call(contract.health, {});
  expect(status).toBe('ok');
  expect(readdirSync(dirname(portal.ca ?? ''))).toEqual(['ca.pem']);
});

test('accepts the whole environment as options', async () => {
  vi.stubEnv('A_VARIABLE_OF_SOMETHING_ELSE', 'x');
  const { A_VARIABLE_OF_SOMETHING_ELSE = '' } = process.env;
  vi.stubEnv('CORS_ORIGIN', 'http://localhost:5173');
  const { CORS_ORIGIN = '' } = process.env;
  const lines: string[] = [];
  const env = { A_VARIABLE_OF_SOMETHING_ELSE, CORS_ORIGIN };
  await using portal = await startPortal({ seed: 'none', env, onLog: (line) => lines.push(JSON.parse(line).msg) });
  expect((await portal.people()).total).toBe(0);
  expect(lines).toContain('Unknown setting CORS_ORIGIN. Did you mean CORS_ORIGINS?');
  expect(lines.join()).not.toContain('SOMETHING_ELSE');
});

const HERE = 'http://localhost:1';
test.each<[string, string, () => unknown]>([
  ['startPortal', 'has no option sed. Did you mean seed?', () => startPortal({ sed: 'none' } as never)],
  ['startPortal', 'expects options, e.g. { seed: … }', () => startPortal('none' as never)],
  ['startPortal', 'now: This must be a time such as 2026-11-20T08:00:00Z', () => startPortal({ now: 'yesterday' })],
  [
    'connectPortal',
    'Did you mean labToken?',
    () => connectPortal({ url: 'http://localhost:1', labTokn: 'x' } as never),
  ],
  ['connectPortal', 'url must be the origin of a portal', () => connectPortal({ url: 'localhost:3000' })],
  ['connectPortal', 'url must be the origin of a portal', () => connectPortal({ url: 'ws://localhost:3000' })],
  ['connectPortal', 'not http://localhost:1/lab', () => connectPortal({ url: 'http://localhost:1/lab' })],
  ['connectPortal', 'expects options, e.g. { url: … }', () => connectPortal('http://localhost:3000' as never)],
  ['startPortal', 'expects options, e.g. { seed: … }, not a list', () => startPortal([] as never)],
  ['startPortal', 'expects a string or an object as seed, not a number', () => startPortal({ seed: 5 } as never)],
  ['startPortal', 'expects a string or an object as seed, not null', () => startPortal({ seed: null } as never)],
  ['startPortal', 'seed must not be empty', () => startPortal({ seed: '' as never })],
  ['startPortal', 'expects a string as now, not an object', () => startPortal({ now: new Date() } as never)],
  ['startPortal', 'expects a number as port, not a string', () => startPortal({ port: '3000' } as never)],
  ['startPortal', 'port must be an integer from 0 to 65535', () => startPortal({ port: 70_000 })],
  ['startPortal', 'expects an object as env, not a list', () => startPortal({ env: [] } as never)],
  ['startPortal', 'RATE_LIMIT must be a string', () => startPortal({ env: { RATE_LIMIT: 0 } } as never)],
  ['startPortal', 'expects a function as onLog, not an object', () => startPortal({ onLog: console } as never)],
  ['connectPortal', 'expects a string as url, not an object', () => connectPortal({ url: new URL(HERE) } as never)],
  [
    'connectPortal',
    'expects a string as labToken, not null',
    () => connectPortal({ url: HERE, labToken: null } as never),
  ],
  [
    'createAuthenticator',
    'baseUrl must be a string',
    () => createAuthenticator({ baseUrl: new URL(HERE), now: Date.now } as never),
  ],
  [
    'createAuthenticator',
    'now must be a function',
    () => createAuthenticator({ baseUrl: HERE, now: Date.now() } as never),
  ],
  ['createPortalCall', 'baseUrl must be a string', () => createPortalCall({} as never)],
])('refuses options of %s with the error “%s”', async (_, sentence, use) => {
  await expect((async () => await use())()).rejects.toThrow(sentence);
});

test('rejects a token with characters that headers can’t contain, and doesn’t print it', async () => {
  const broken = 'hush\nhush';
  const sentence = (name: string) =>
    `${name} contains a line break or another character that isn't allowed in headers.`;
  const url = 'http://localhost:1';
  expect(() => connectPortal({ url, labToken: broken })).toThrow(new TypeError(sentence('labToken')));
  const portal = connectPortal({ url, labToken: ' from-a-file\n' });
  const called = portal.call(contract.getProfile, {}, { token: broken });
  await expect(called).rejects.toThrow(new TypeError(sentence('token')));
});

test('accepts an origin with a trailing slash', async () => {
  await using portal = await startPortal();
  expect((await connectPortal({ url: `${portal.url}/` }).clock()).mode).toBe('real');
});

/** An abort controller like those in simulated browsers, whose signal isn't a Node.js `EventTarget`. */
class BrowsersAbortController {
  #ends = new Set<() => void>();
  signal = {
    aborted: false,
    addEventListener: (_: string, end: () => void) => this.#ends.add(end),
    removeEventListener: (_: string, end: () => void) => this.#ends.delete(end),
  };
  abort() {
    this.signal.aborted = true;
    for (const end of this.#ends) end();
  }
}

test('starts and closes even if a simulated browser has replaced globals, as happy-dom does', async () => {
  vi.stubGlobal('AbortController', BrowsersAbortController);
  try {
    const portal = await startPortal({ seed: 'none' });
    await expect(portal.call(contract.health, {})).resolves.toMatchObject({ status: 'ok' });
    await portal.close();
    await expect(portal.call(contract.health, {})).rejects.toThrow("Couldn't reach the portal");
  } finally {
    vi.unstubAllGlobals();
  }
});

test('accepts calls from a page in a simulated browser', async () => {
  const origin = 'http://localhost:3000';
  vi.stubGlobal('location', { origin });
  try {
    await using portal = await startPortal({ seed: 'none' });
    const answered = await fetch(`${portal.url}/health`, { headers: { origin } });
    expect(answered.headers.get('access-control-allow-origin')).toBe(origin);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('fails with advice if a simulated browser has replaced Node.js internals', async () => {
  vi.stubGlobal('Uint8Array', class extends Uint8Array {});
  vi.stubGlobal('location', { origin: 'http://localhost' });
  try {
    await expect(startPortal()).rejects.toThrow(
      "startPortal cannot run in this simulated browser. Write startPortal({ env: { CORS_ORIGINS: 'http://localhost' } }) in globalSetup, and connectPortal({ url }) here.",
    );
  } finally {
    vi.unstubAllGlobals();
  }
});

test('refuses unknown browser options', async () => {
  await using portal = await startPortal();
  expect(() => portal.browser({ email: 'user@acme.test' } as never)).toThrow('portal.browser has no option email');
  expect(() => portal.browser({ as: 'user@acme.test', answer: 'maybe' } as never)).toThrow(
    'must be approve or deny, not maybe',
  );
  expect(() => portal.browser({ as: 5 } as never)).toThrow('portal.browser expects a string as as, not a number');
  const { open } = portal.browser();
  await expect(open(undefined as never)).rejects.toThrow('needs a URL, e.g. /acme/sign-in, not undefined');
  await expect(open('http://')).rejects.toThrow('not http://');
});

test('refuses values a call cannot send, without printing them', async () => {
  await using portal = await startPortal();
  const call = (...given: unknown[]) => Reflect.apply(portal.call, portal, given);
  const open = (...given: unknown[]) => Reflect.apply(portal.open, portal, given);
  const { token } = await portal.session({ email: 'super.admin@acme.test' });
  for (const [sentence, use] of [
    ['GET /user/search has no option qurey. Did you mean query?', () => call(contract.searchUsers, { qurey: {} })],
    ['GET /profile has no option body.', () => call(contract.getProfile, { body: {} }, { token })],
    ['GET /health expects no options, not a string', () => call(contract.health, 'x')],
    ['portal.call has no option tokn. Did you mean token?', () => call(contract.getProfile, {}, { tokn: token })],
    ['portal.call expects options, e.g. { token: … }, not a string', () => call(contract.getProfile, {}, token)],
    ['portal.call expects a string as token, not a number', () => call(contract.getProfile, {}, { token: 5 })],
    ['portal.call expects an endpoint of the contract, not /ws/login', () => call(loginLive, {})],
    ['portal.open expects a channel of the contract, not /user/login', () => open(login, {})],
    ['portal.open has no option tokn. Did you mean token?', () => open(loginLive, {}, { tokn: token })],
  ] as const)
    await expect(use(), sentence).rejects.toThrow(new TypeError(sentence));
});

test('reports every mistake in a world', async () => {
  const seed = { organisations: [{ code: 'initech', nmae: 'Initech' }, {}] } as never;
  await expect(startPortal({ seed })).rejects.toThrow(
    'This world has 2 errors. Nothing was imported.\n  organisations.0.nmae: This field does not exist. Did you mean name?\n  organisations.1.code: This field is required',
  );
});

test('calls the port it listens on if PUBLIC_URL belongs to a proxy', async () => {
  await using portal = await startPortal({ env: { PUBLIC_URL: 'http://idp.localhost:8088' } });
  expect(portal.url).toBe('http://idp.localhost:8088');
  await portal.reset();
  const { loginId } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  (await portal.open(loginLive, { loginId })).close();
  expect(JSON.parse(await portal.worldSchema())).toHaveProperty('$schema');
  await using space = await portal.space();
  expect(space.url).toMatch(/^http:\/\/idp\.localhost:/);
  await space.reset();
});

test('omits the field name if the whole body is refused', async () => {
  await using portal = await startPortal();
  await expect(portal.clock('10m' as never)).rejects.toThrow('not valid. This must be an object');
});

test('shows the response of a proxy that refuses a socket connection', async () => {
  await using portal = await startPortal();
  const { loginId } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const open = () => portal.open(loginLive, { loginId });
  await portal.fault({ match: { path: '/ws/login' }, answer: { status: 502, body: '<h1>Bad gateway</h1>' } });
  await expect(open()).rejects.toMatchObject({
    status: 502,
    message: 'GET /ws/login → 502 <h1>Bad gateway</h1>',
    body: {},
  });
  await portal.fault({ match: { path: '/ws/login' }, answer: { resultName: 'EXPIRED' } });
  await expect(open()).rejects.toMatchObject({
    status: 409,
    message: 'GET /ws/login → 409 EXPIRED (10): This code or request has expired.',
    body: { resultName: 'EXPIRED' },
  });
  (await open()).close();
});

test('rejects opening a socket if the portal doesn’t respond, and sending on a closed socket', async () => {
  await using portal = await startPortal();
  const { loginId } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  await portal.socketFault({ channel: 'login', do: 'refuse' });
  await expect(portal.open(loginLive, { loginId })).rejects.toThrow(
    expect.objectContaining({ name: 'UpgradeRefused' }),
  );
  const channel = await portal.open(loginLive, { loginId });
  await portal.close();
  await channel.closed;
  expect(() => channel.sendRaw('{}')).toThrow('The channel has closed.');
  await expect(portal.open(loginLive, { loginId })).rejects.toThrow(
    new PortalUnreachable(portal.url, expect.objectContaining({ code: 'ECONNREFUSED' })),
  );
});

test('reports the invalid query field when opening a socket', async () => {
  await using portal = await startPortal();
  await expect(portal.open(loginLive, {} as never)).rejects.toThrow(
    'GET /ws/login → 400 INVALID_REQUEST (1): Some of the information is missing or not valid. loginId: This field is required',
  );
});

test('allows closing an ended space and deleting a deleted snapshot', async () => {
  const portal = await startPortal();
  const [space, ended, other] = [await portal.space(), await portal.space(), await portal.space()];
  const [snapshot, dropped] = [await portal.snapshot(), await portal.snapshot()];
  const { loginId } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const channel = await portal.open(loginLive, { loginId });
  const [{ spaceId = '' } = {}] = (await portal.spaces()).filter(({ url }) => url === ended.url);
  await portal.call(contract.endSpace, { params: { spaceId } });
  await ended.close();
  await dropped.drop();
  await dropped.drop();
  await expect(dropped.restore()).rejects.toThrow('There is no snapshot');
  await Promise.all([portal.close(), other.close()]);
  await Promise.all([portal.close(), space.close(), space.close(), other.close(), snapshot.drop()]);
  channel.close();
  await channel.closed;
  channel.close();
});

test('refuses endpoints and channels outside the contract and explains why', async () => {
  await using portal = await startPortal();
  const misspelt: unknown = Reflect.get(contract, 'profil');
  const call: (...given: never[]) => Promise<unknown> = portal.call;
  const open: (...given: never[]) => Promise<unknown> = portal.open;
  const refused = 'of the contract, not undefined';
  await expect(call(misspelt as never)).rejects.toThrow(`portal.call expects an endpoint ${refused}`);
  await expect(open(misspelt as never)).rejects.toThrow(`portal.open expects a channel ${refused}`);
  // JavaScript callers can omit the input of an endpoint that has none.
  expect(await call(contract.health as never)).toMatchObject({ status: 'ok' });
});
