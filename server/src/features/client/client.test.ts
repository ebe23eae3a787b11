import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { organisationRepo } from '@orchestrate/db';
import Fastify, { type FastifyInstance } from 'fastify';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerErrors } from '#platform/http/answers/answer-error.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { client } from './routes.ts';

let portal: TestPortal;
let folder: string;
let app: FastifyInstance;
let warnings: string[];
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<div id="root"></div>');
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, 'invite-template.csv'), 'Email');
  writeFileSync(join(folder, 'assets/main-abc123.js'), 'run()');
  warnings = [];
  app = Fastify({ logger: { level: 'warn', stream: { write: (line) => void warnings.push(line) } } });
  answerErrors(app, portal.deps);
  client(app, portal.deps, folder);
  await app.ready();
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

test.each([
  '/',
  '/acme',
  '/acme/sign-in?login=success',
  '/dashboard',
  '/manage-users/eyJhIjoxfQ==',
  '/static/link-invalid',
])('serves the client’s page at %s and requires revalidation', async (url) => {
  const { status, text, headers } = await request(app.server).get(url);
  expect([status, text]).toEqual([200, '<div id="root"></div>']);
  expect(headers['cache-control']).toBe('no-cache');
});

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('returns a page to programs only if they accept any type and the page exists', async () => {
  for (const accept of ['application/json', 'application/json, text/plain, */*', 'application/jwk-set+json']) {
    await request(app.server).get('/dashboard').set('accept', accept).expect(404);
  }
  for (const url of ['/dashboard', '/acme', '/acme/sign-up', '/nowhere/sign-in']) {
    await request(app.server).get(url).set('accept', '*/*').expect(200, '<div id="root"></div>');
  }
  for (const url of ['/nowhere', '/acme/nowhere', '/acme/sign-in/nowhere']) {
    const { status, body } = await request(app.server).get(url).set('accept', '*/*');
    expect([status, body.message]).toEqual([404, 'The requested URL was not found on this server']);
  }
});

test('returns 404 with the client’s page to a browser that opens an unknown page', async () => {
  for (const url of ['/acme/nowhere', '/oauth/authorize?client_id=x']) {
    const { status, text } = await request(app.server).get(url).set('accept', HTML);
    expect([status, text]).toEqual([404, '<div id="root"></div>']);
  }
  await request(app.server).get('/nowhere').set('accept', HTML).expect(200);
});

test.each([
  ['/oauth/token', '{orgCode}'],
  ['/oauth/authorize?client_id=x', '{orgCode}'],
  ['/oauth2/v1/token', '{orgCode}'],
  ['/realms/acme/protocol/openid-connect/token', 'acme'],
  ['/realms/acme', 'acme'],
  ['/acme/.well-known/openid-configuration', 'acme'],
  ['/acme/.well-known', 'acme'],
  ['/.well-known/openid-configuration', '{orgCode}'],
  ['/connect/token', '{orgCode}'],
  ['/v1/token', '{orgCode}'],
  ['/userinfo', '{orgCode}'],
])('names the issuer to a client of another identity provider at %s', async (url, orgCode) => {
  const issuer = `${portal.deps.publicUrl}/oidc/${orgCode}`;
  const message = `The OpenID issuer of an organisation is ${issuer}, and its endpoints are listed at ${issuer}/.well-known/openid-configuration.`;
  for (const [method, accept] of [
    ['GET', '*/*'],
    ['GET', 'application/json'],
    ['POST', '*/*'],
  ] as const) {
    const { status, body } = await new request.Test(app.server, method, url).set('accept', accept);
    expect({ status, ...body }).toMatchObject({ status: 404, resultName: 'ID_DOESNOT_EXIST' });
    expect(body.message).toContain(message);
  }
});

test('serves pages and files without logging warnings', async () => {
  for (const url of ['/acme', '/favicon.svg', '/assets/main-abc123.js']) await request(app.server).get(url).expect(200);
  expect(warnings).toEqual([]);
});

test('lets browsers cache hashed files forever and revalidate all others', async () => {
  const hashed = await request(app.server).get('/assets/main-abc123.js');
  expect(hashed.text).toBe('run()');
  expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  await request(app.server).get('/favicon.svg').expect('cache-control', 'public, max-age=86400');
  await request(app.server).get('/invite-template.csv').expect('cache-control', 'no-cache');
});

test('sends a compressed file if it exists and the browser accepts it', async () => {
  const path = join(folder, 'assets/main-abc123.js');
  writeFileSync(`${path}.br`, brotliCompressSync('run("br")'));
  writeFileSync(`${path}.gz`, gzipSync('run("gzip")'));
  writeFileSync(join(folder, 'favicon.svg.gz'), gzipSync('<svg id="gzip"/>'));
  const ask = (url: string, accepted: string) => request(app.server).get(url).set('accept-encoding', accepted);
  const encodingOf = async (url: string, accepted: string) => {
    const { headers } = await ask(url, accepted).expect(200).expect('vary', 'accept-encoding');
    return [headers['content-encoding'], headers['content-type']];
  };
  const script = 'application/javascript; charset=utf-8';
  expect(await encodingOf('/assets/main-abc123.js', 'gzip, deflate, br')).toEqual(['br', script]);
  expect(await encodingOf('/assets/main-abc123.js', 'gzip, br;q=0')).toEqual(['gzip', script]);
  expect(await encodingOf('/assets/main-abc123.js', 'identity')).toEqual([undefined, script]);
  expect((await ask('/assets/main-abc123.js', 'gzip')).text).toBe('run("gzip")');
  expect(await encodingOf('/favicon.svg', 'br, gzip')).toEqual(['gzip', 'image/svg+xml']);
  const page = 'text/html; charset=utf-8';
  expect(await encodingOf('/', 'gzip, br')).toEqual(['br', page]);
  expect(await encodingOf('/', 'gzip')).toEqual(['gzip', page]);
  expect(await encodingOf('/', 'identity')).toEqual([undefined, page]);
});

const SCREENS = {
  files: ['assets/shell-1.js', 'assets/words-en-1.js', 'assets/words-de-1.js'],
  screens: [
    {
      path: '/dashboard',
      code: [0],
      words: { en: [1], de: [2] },
      startReads: [{ path: '/api/profile' }],
      reads: [{ path: '/api/user' }],
    },
    { path: '/:orgId/sign-in', code: [], words: { en: [1], de: [2] }, startReads: [], reads: [] },
  ],
};

/** Writes a client with a page for a screen. */
async function buildScreens(): Promise<void> {
  await app.close();
  mkdirSync(join(folder, '.vite'));
  writeFileSync(join(folder, '.vite/screens.json'), JSON.stringify(SCREENS));
  writeFileSync(join(folder, 'index.html'), PAGE);
  app = Fastify();
  client(app, portal.deps, folder);
  await app.ready();
}

const PAGE = '<html lang="en"><head><!--start--><script>run("<!--")</script></head><div id="root"></div></html>';

const startOf = (page: string) =>
  JSON.parse(/<script type="application\/json" id="start">(.*?)<\/script>/s.exec(page)?.[1] ?? '');

test('names the files of the screen at an address in its page', async () => {
  await buildScreens();
  const { text } = await request(app.server).get('/dashboard?x=1');
  expect(text).toContain('<link rel="modulepreload" crossorigin href="/assets/shell-1.js">');
  const { words, reads, settings } = startOf(text);
  expect({ words, reads, settings }).toEqual({
    words: { en: ['/assets/words-en-1.js'], de: ['/assets/words-de-1.js'] },
    reads: [{ path: '/api/profile' }, { path: '/api/user' }],
    settings: undefined,
  });
  expect((await request(app.server).get('/manage-users')).text).not.toMatch(/modulepreload|id="start"/);
});

test('puts the public settings of the organisation in the address into its page', async () => {
  await buildScreens();
  const { text, headers } = await request(app.server).get('/ACME/sign-in');
  const { resultCode: _, ...settings } = (await portal.http.get('/api/org/settings?code=acme')).body;
  expect(startOf(text)).toMatchObject({ orgCode: 'ACME', settings });
  expect(text).toContain(`<html lang="en" style="--brand:${settings.color}`);
  await request(app.server)
    .get('/ACME/sign-in')
    .set('if-none-match', headers.etag ?? '')
    .expect(304, '');
  expect(startOf((await request(app.server).get('/nowhere/sign-in')).text).settings).toBeUndefined();

  portal.deps.isFaulty = () => true;
  expect(startOf((await request(app.server).get('/acme/sign-in')).text).settings).toBeUndefined();
  portal.deps.isFaulty = () => false;
});

test('displays the sign-in screen’s outlines until the client is loaded', async () => {
  await buildScreens();
  const lookAt = async (url: string) =>
    /<div id="root">(.*)<\/div><\/html>/s.exec((await request(app.server).get(url)).text)?.[1];
  expect(await lookAt('/acme/sign-in')).toMatch(
    /<h1><span lang="en">Sign in to Acme<\/span><span lang="de">Bei Acme anmelden<\/span><\/h1>/,
  );
  expect(await lookAt('/acme/sign-in?with=scan')).not.toContain('<h1>');
  expect(await lookAt('/nowhere/sign-in')).toBe('');
  expect(await lookAt('/dashboard')).toContain('<span lang="de" data-from="5">Guten Morgen</span>');
  expect(await lookAt('/manage-users')).not.toContain('<h1');
  organisationRepo.editOrganisation(portal.deps.db, 'globex', { name: '<b>"Globex"', title: '<i>' });
  expect(await lookAt('/globex/sign-in')).toContain('<b>&lt;</b>&lt;b&gt;&quot;Globex&quot;');
  organisationRepo.editOrganisation(portal.deps.db, 'globex', { logo: '/a"b' });
  const look = await lookAt('/globex/sign-in');
  expect(look).toContain('<img src="/a&quot;b" alt="">');
  expect(look).toContain('<span lang="en">&lt;i&gt;</span>');
});

// covers: security 1.2.3
test('does not let an organisation’s texts end the script element that contains them', async () => {
  await buildScreens();
  const evil = '</script><script>alert(1)</script><!-- $& \u2028';
  organisationRepo.editOrganisation(portal.deps.db, 'acme', { bannerText: evil });
  const { text } = await request(app.server).get('/acme/sign-in');
  expect(text.match(/<script/g)).toHaveLength(2);
  expect(startOf(text).settings.bannerText).toBe(evil);
});

test('decompresses a file that exists only compressed if the client doesn’t accept that', async () => {
  writeFileSync(join(folder, 'assets/packed-abc123.js.br'), brotliCompressSync('run("packed")'));
  const ask = (accepted: string) =>
    request(app.server).get('/assets/packed-abc123.js').set('accept-encoding', accepted).set('range', 'bytes=0-2');
  const { text, headers } = await ask('gzip').expect(200);
  expect(text).toBe('run("packed")');
  expect(headers).toMatchObject({
    'content-type': 'application/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  expect(headers['content-encoding']).toBeUndefined();
  await ask('gzip')
    .set('if-none-match', headers.etag ?? '')
    .expect(304, '');
  await request(app.server).head('/assets/packed-abc123.js').set('accept-encoding', 'identity').expect(200);
});

test('returns 304 for an unchanged file and serves ranges', async () => {
  const { headers } = await request(app.server).get('/favicon.svg').expect(200);
  await request(app.server)
    .get('/favicon.svg')
    .set('if-none-match', headers.etag ?? '')
    .expect(304, '');
  await request(app.server).get('/assets/main-abc123.js').set('range', 'bytes=0-2').expect(206, 'run');
  await request(app.server).get('/assets/main-abc123.js').set('range', 'bytes=90-').expect(416);
});

test.each([
  '/assets/gone-1.js',
  '/assets/',
  '/assets',
  '/assets/../index.html',
  '/%2e%2e/package.json',
  '/assets/%2e%2e/favicon.svg',
  '/assets//main-abc123.js',
  '/.hidden.js',
  '/gone.png',
  '/api/gone',
  '/ws/login',
  '/oidc/acme',
  '/docs/gone.json',
  '/../../package.json',
])('returns 404 for %s', async (url) => {
  await request(app.server).get(url).expect(404);
});

test.each([
  ['/manage-users/%%%', 200],
  ['/%', 200],
  ['/acme/%E0%A4%A?q=%', 404],
] as const)('serves the client’s page for %s', async (url, expected) => {
  const { status, headers } = await portal.http.get(url).set('accept', HTML);
  // The portal returns 503 if the client hasn't been built, so accept both statuses.
  expect([expected, 503]).toContain(status);
  expect(headers['content-type']).toMatch(/^text\/(?:html|plain)/);
});

// covers: security 13.4.1, security 13.4.3, security 13.4.4
test('serves the page to GET and HEAD only', async () => {
  await request(app.server).post('/dashboard').expect(404);
  await request(app.server).head('/dashboard').expect(200);
});

test('explains how to build the client if it hasn’t been built', async () => {
  const unbuilt = Fastify();
  client(unbuilt, portal.deps, join(folder, 'nowhere'));
  await unbuilt.ready();
  const { status, text } = await request(unbuilt.server).get('/acme/sign-in');
  expect([status, text]).toEqual([503, expect.stringContaining('npx -y pnpm@12 build')]);
  await unbuilt.close();
});

const ONLY_BEHIND_HTTPS = ['strict-transport-security', 'cross-origin-opener-policy', 'origin-agent-cluster'];

// covers: security 1.2.3, security 1.3.2, security 3.4.3, security 3.4.4, security 3.4.5, security 14.2.3
test('restricts pages to their own scripts, forbids framing and sends no referrer', async () => {
  for (const path of ['/acme/sign-in', '/docs']) {
    const { headers } = await portal.http.get(path);
    const policy = headers['content-security-policy'] ?? '';
    // Allows the page's own inline scripts by hash, if the client has been built.
    expect(policy).toMatch(/script-src 'self'(?: 'sha256-[\w+/]{43}='){0,2};/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-content-type-options']).toBe('nosniff');
    for (const name of ONLY_BEHIND_HTTPS) expect(headers).not.toHaveProperty(name);
  }
});

// covers: security 3.4.1, security 12.1.1, security 12.1.2, security 12.2.1, security 12.2.2
test('sends HSTS to browsers behind https', async () => {
  const secure = await testPortal({ config: { publicUrl: 'https://portal.example' } });
  const { headers } = await request(secure.app.server).get('/docs');
  expect(Object.keys(headers)).toEqual(expect.arrayContaining(ONLY_BEHIND_HTTPS));
  expect(headers['strict-transport-security']).toContain('max-age=31536000');
  const data = await request(secure.app.server).get('/api/health');
  expect(data.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  await secure.close();
});

// covers: security 3.2.1, security 3.4.6, security 14.3.2
test('prevents browsers from running, framing or caching data responses', async () => {
  for (const path of ['/api/health', '/api/nowhere']) {
    const { headers } = await portal.http.get(path);
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('no-store');
  }
});
