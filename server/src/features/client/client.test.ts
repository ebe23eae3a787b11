import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerErrors } from '../../platform/http/answers/answer-error.ts';
import { type TestPortal, testPortal } from '../../testing/test-portal.ts';
import { client } from './routes.ts';

let portal: TestPortal;
let folder: string;
let app: FastifyInstance;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<div id="root"></div>');
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, 'assets/main-abc123.js'), 'run()');
  app = Fastify();
  answerErrors(app, portal.deps);
  await client(app, folder);
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
])('%s is the client’s one page, asked about again every time', async (url) => {
  const { status, text, headers } = await request(app.server).get(url);
  expect([status, text]).toEqual([200, '<div id="root"></div>']);
  expect(headers['cache-control']).toBe('no-cache');
});

test('a file with a hash in its name may be kept for ever, any other is asked about again', async () => {
  const hashed = await request(app.server).get('/assets/main-abc123.js');
  expect(hashed.text).toBe('run()');
  expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  await request(app.server).get('/favicon.svg').expect('cache-control', 'no-cache');
});

test.each([
  '/assets/gone-1.js',
  '/assets/',
  '/gone.png',
  '/api/gone',
  '/ws/login',
  '/oidc/acme',
  '/docs/gone.json',
  '/../../package.json',
])('%s is not a page: not found', async (url) => {
  await request(app.server).get(url).expect(404);
});

test('only GET and HEAD lead to the page', async () => {
  await request(app.server).post('/dashboard').expect(404);
  await request(app.server).head('/dashboard').expect(200);
});

test('before the client is built, its address says how to build it', async () => {
  const unbuilt = Fastify();
  await client(unbuilt, join(folder, 'nowhere'));
  await unbuilt.ready();
  const { status, text } = await request(unbuilt.server).get('/acme/sign-in');
  expect([status, text]).toEqual([503, expect.stringContaining('npx -y pnpm@12 build')]);
  await unbuilt.close();
});

const ONLY_BEHIND_HTTPS = ['strict-transport-security', 'cross-origin-opener-policy', 'origin-agent-cluster'];

test('pages run only their own scripts, cannot be framed and send no referrer', async () => {
  for (const path of ['/acme/sign-in', '/docs']) {
    const { headers } = await portal.http.get(path);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-content-type-options']).toBe('nosniff');
    for (const name of ONLY_BEHIND_HTTPS) expect(headers).not.toHaveProperty(name);
  }
});

test('behind https a browser is told to stay on https', async () => {
  const secure = await testPortal({ config: { publicUrl: 'https://portal.example' } });
  const { headers } = await request(secure.app.server).get('/docs');
  expect(Object.keys(headers)).toEqual(expect.arrayContaining(ONLY_BEHIND_HTTPS));
  expect(headers['strict-transport-security']).toContain('max-age=31536000');
  const data = await request(secure.app.server).get('/api/health');
  expect(data.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  await secure.close();
});

test('a browser can neither run, frame nor cache data', async () => {
  for (const path of ['/api/health', '/api/nowhere']) {
    const { headers } = await portal.http.get(path);
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('no-store');
  }
});
