import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createApp,
  getApp,
  getScimCredentials,
  type ReplyOf,
  resetLab,
  setClock,
  virtualDevices,
} from '@orchestrate/shared';
import fc from 'fast-check';
import { basicAuthHeader } from '../../basic.ts';
import { createDriver } from '../bench/create-driver.ts';
import { PORTAL_ENTRY, portalEnv, startProgram } from '../bench/programs.ts';
import { apiAttempt, channelAttempt } from './api-attempts.ts';
import type { Attempt } from './attempt.ts';
import { networkAttempt } from './network-attempts.ts';
import { unusualText } from './odd-fields.ts';
import { oidcAttempt } from './oidc-attempts.ts';
import { samlAttempt } from './saml-attempts.ts';
import { scimAttempt } from './scim-attempts.ts';
import { type Fixtures, sendAttempt } from './send-attempt.ts';

const REQUEST_LINES = [
  'GET / HTTP/1.1',
  'POST /api/user/login HTTP/1.1',
  'GET /ws/login?loginId=x HTTP/1.1',
  'G\0T / HTTP/1.1',
  'GET http://[::1 HTTP/1.1',
  'PRI * HTTP/2.0',
  'GET //%ff HTTP/1.0',
];
const HEADERS = [
  'Host: localhost',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 99',
  'Expect: 100-continue',
  `X: ${'y'.repeat(20_000)}`,
  'Bad Header',
  ' Folded: x',
  'Content-Type: application/json',
];

/** Input that barely resembles HTTP. */
const rawAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    line: fc.oneof(fc.constantFrom(...REQUEST_LINES), fc.string({ unit: 'binary-ascii', maxLength: 80 })),
    headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 6 }),
    body: fc.oneof(
      fc.constantFrom('', '5\r\nhello\r\n0\r\n\r\n', 'ffffffffffffffff\r\n', '{"a":'),
      fc.string({ unit: 'binary-ascii', maxLength: 60 }),
    ),
  })
  .map(({ line, headers, body }) => ({
    kind: 'raw',
    what: 'bytes',
    bytes: [line, ...headers, 'Connection: close', '', body].join('\r\n'),
  }));

const PAGES = [
  '/',
  '/acme',
  '/acme/sign-in',
  '/logos/acme',
  '/.well-known/jwks.json',
  '/docs',
  '/assets/x.js',
  '/api/oidc/callback',
  '/static/x',
  '/openapi.json',
];

/** URLs of pages and files, with unexpected components. */
const pageAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    page: fc.constantFrom(...PAGES),
    rest: unusualText,
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE1'),
  })
  .map(({ page, rest, method }) => ({
    kind: 'http',
    what: `page ${page}`,
    method: method === 'TRACE1' ? 'PROPFIND' : method,
    path: `${page}${page.includes('callback') ? '?' : '/'}${encodeURIComponent(rest.toWellFormed())}`.slice(0, 8_000),
    type: '',
    body: null,
    sender: 'anonymous',
  }));

/** Attempts at everything except the API: protocols, pages and raw bytes. */
const protocolAttempt: fc.Arbitrary<Attempt> = fc.oneof(
  { weight: 5, arbitrary: oidcAttempt },
  { weight: 4, arbitrary: samlAttempt },
  { weight: 6, arbitrary: scimAttempt },
  { weight: 3, arbitrary: pageAttempt },
  { weight: 2, arbitrary: rawAttempt },
);

export interface FuzzOptions {
  /** Number of requests after the warm-up. */
  requests: number;
  /** The same seed sends the same attempts in the same order. */
  seed: number;
  /** Time limit per response, in milliseconds. */
  patienceMs: number;
  /**
   * Number of requests before the first memory measurement. Memory grows for a few thousand requests as code is
   * loaded and compiled.
   */
  warmUp: number;
  /** Called after each round. */
  onProgress?: (sent: number) => void;
}

export interface FuzzReport {
  sent: number;
  /** Number of responses per status class. `0` means the portal closed the connection. */
  statuses: Record<string, number>;
  /** Share of signed-in users' calls that returned 401, from 0 to 1. */
  signedOut: number;
  /** Attempts with a 5xx response or no response within the time limit. */
  failures: { attempt: Attempt; problem: string }[];
  /** The portal's log lines that report a defect. */
  defects: string[];
  /** Longest response time, in milliseconds. */
  slowest: number;
  /** Heap in use after the warm-up and at the end, in bytes. */
  heap: { before: number; after: number };
}

const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  { weight: 12, arbitrary: apiAttempt },
  { weight: 2, arbitrary: channelAttempt },
  { weight: 8, arbitrary: protocolAttempt },
  { weight: 2, arbitrary: networkAttempt },
);

/**
 * Number of attempts between two resets. Few enough that damage from one attempt doesn't hide the effects of many
 * others.
 */
const ROUND = 1_000;
const CONCURRENCY = 12;
/** Signed-in users from both organisations: administrators of every role, managers and regular users. */
const PEOPLE = [
  'super.admin@acme.test',
  'super.admin@acme.test',
  'security.admin@acme.test',
  'helpdesk.admin@acme.test',
  'callcenter.admin@acme.test',
  'manager@acme.test',
  'user@acme.test',
  'admin@globex.test',
];

/** Sends hostile requests to a portal in its own process, and records the portal's reactions. */
export async function runFuzz({ requests, seed, patienceMs, warmUp, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-fuzz-'));
  const log = join(folder, 'log');
  const env = {
    ...portalEnv(join(folder, 'portal.db')),
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    RATE_LIMIT: '0',
    RADIUS_PORT: '0',
    LDAP_PORT: '0',
  };
  const portal = await startProgram(PORTAL_ENTRY, { path: '/api/health', env, log });
  const driver = createDriver(portal.url);
  const report: FuzzReport = {
    sent: 0,
    statuses: {},
    signedOut: 0,
    failures: [],
    defects: [],
    slowest: 0,
    heap: { before: 0, after: 0 },
  };
  const ofPeople = { calls: 0, refused: 0 };

  async function call(method: string, path: string, { token, body }: { token?: string; body?: object } = {}) {
    const response = await fetch(`${portal.url}/api${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return JSON.parse(await response.text());
  }

  /** Resets the portal and signs in all users. */
  async function freshFixtures(): Promise<Fixtures> {
    await call(resetLab.method, resetLab.path);
    const people = [...(await driver.people('acme')), ...(await driver.people('globex'))];
    const tokens: string[] = [];
    for (const email of PEOPLE) {
      const person = people.find((candidate) => candidate.email === email);
      if (person) tokens.push((await driver.signIn(person)).authState.token);
    }
    const [token = ''] = tokens;
    const { devices }: ReplyOf<typeof virtualDevices> = await call(virtualDevices.method, virtualDevices.path);
    const victim = devices.find(({ primaryEmail, orgCode }) => orgCode === 'acme' && !PEOPLE.includes(primaryEmail));
    if (!victim) throw new Error('The demo has no other user to attack.');
    const { username, password } = await call(getScimCredentials.method, getScimCredentials.path, { token });
    const path = getApp.path.replace(':orgCode', 'acme').replace(':appId', 'team-wiki');
    const { app } = await call(getApp.method, path, { token });
    const network = async (integrationType: 'radius' | 'ldap'): Promise<ReplyOf<typeof createApp>['app']> => {
      const body = { orgCode: 'acme', integrationType, name: `Our ${integrationType}` };
      return (await call(createApp.method, createApp.path.replace(':orgCode', 'acme'), { token, body })).app;
    };
    const { radiusConfiguration } = await network('radius');
    const { ldapConfiguration } = await network('ldap');
    const { client_id, client_secret } = app.oidcConfiguration.clients;
    return {
      url: portal.url,
      tokens,
      victim,
      directory: basicAuthHeader(username, password),
      application: basicAuthHeader(client_id, client_secret),
      network: {
        radius: radiusConfiguration?.port ?? 0,
        ldap: ldapConfiguration?.port ?? 0,
        secret: radiusConfiguration?.secret ?? '',
      },
    };
  }

  async function sendOne(fixtures: Fixtures, attempt: Attempt): Promise<void> {
    try {
      const { status, took } = await sendAttempt(fixtures, attempt, patienceMs);
      report.slowest = Math.max(report.slowest, took);
      const kind = status === 0 ? '0' : `${Math.floor(status / 100)}xx`;
      report.statuses[kind] = (report.statuses[kind] ?? 0) + 1;
      if ('sender' in attempt && typeof attempt.sender === 'object') {
        ofPeople.calls += 1;
        ofPeople.refused += Number(status === 401);
      }
      // RFC 7644 §3.11 makes 501 the correct status for `/Me`, which the portal doesn't support.
      if (status >= 500 && status !== 501) report.failures.push({ attempt, problem: `returned ${status}` });
    } catch (reason) {
      report.failures.push({ attempt, problem: reason instanceof Error ? reason.message : String(reason) });
    }
    report.sent += 1;
  }

  async function sendRound(attempts: Attempt[]): Promise<void> {
    const fixtures = await freshFixtures();
    const queue = attempts.values();
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (const next of queue) await sendOne(fixtures, next);
      }),
    );
    onProgress?.(report.sent);
  }

  /** Sends rounds, each with its own seed, until `total` attempts have been sent. */
  async function sendUntil(total: number, firstSeed: number): Promise<void> {
    for (let round = 0; report.sent < total; round += 1) {
      const numRuns = Math.min(ROUND, total - report.sent);
      await sendRound(fc.sample(attempt, { numRuns, seed: firstSeed + round }));
    }
  }

  /** Returns the heap memory in use after all short-lived data has expired, in bytes. */
  async function heapAtRest(): Promise<number> {
    await call(setClock.method, setClock.path, { body: { advanceSeconds: 7_200 } });
    await call(resetLab.method, resetLab.path);
    return portal.heap();
  }

  try {
    await sendUntil(warmUp, seed - Math.ceil(warmUp / ROUND));
    report.heap.before = await heapAtRest();
    await sendUntil(warmUp + requests, seed);
    report.heap.after = await heapAtRest();
  } finally {
    driver.close();
    await portal.stop();
  }
  report.signedOut = ofPeople.refused / Math.max(1, ofPeople.calls);
  report.defects = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('defect') || line.includes('failed'));
  rmSync(folder, { recursive: true });
  return report;
}
