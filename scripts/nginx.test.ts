import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Agent, request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { connectPortal, type Portal } from '@orchestrate/server/testing-api';
import { type EndpointDefinition, getLoginHistory, login, loginLive, type ReplyOf } from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { findNginx } from './install-from-debian.ts';

const EXAMPLE = join(import.meta.dirname, '../examples/nginx');
const NAMES = ['blue', 'green'] as const;
type Name = (typeof NAMES)[number];

const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
const running: ChildProcess[] = [];
const ca = () => readFileSync(join(folder, 'portal.pem'));
let port = 0;
let portals: Record<Name, Portal>;

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Runs the portal as the example's README does. Resolves to its own address, without nginx. */
async function startBehindNginx(name: Name, own: number): Promise<Portal> {
  mkdirSync(join(folder, name));
  const env = {
    PATH: process.env.PATH,
    PORT: String(own),
    DATABASE_FILE: join(folder, name, 'portal.db'),
    PUBLIC_URL: `https://${name}.localhost:${port}`,
    TRUSTED_PROXIES: '127.0.0.1',
    LAB_TOKEN: `token-of-the-${name}-portal`,
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.js'), '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const complaint = text(child.stderr);
  for await (const _ of createInterface({ input: child.stdout }))
    return connectPortal({ url: `http://127.0.0.1:${own}`, labToken: env.LAB_TOKEN });
  throw new Error(await complaint);
}

beforeAll(async () => {
  const nginx = findNginx();
  if (!nginx) return;
  const [blue = 0, green = 0, shared = 0] = await freePorts(3);
  port = shared;
  const subject = ['-subj', '/CN=portals', '-addext', 'subjectAltName=DNS:blue.localhost,DNS:green.localhost'];
  const files = ['-keyout', join(folder, 'portal.key'), '-out', join(folder, 'portal.pem')];
  const openssl = spawn('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '30',
    ...files,
    ...subject,
  ]);
  expect(await once(openssl, 'exit')).toEqual([0, null]);
  const configuration = readFileSync(join(EXAMPLE, 'nginx.conf'), 'utf8')
    .replaceAll('8443', String(port))
    .replace('3001', String(blue))
    .replace('3002', String(green));
  writeFileSync(join(folder, 'nginx.conf'), `daemon off;\n${configuration}`);
  const [first, second] = await Promise.all([startBehindNginx('blue', blue), startBehindNginx('green', green)]);
  portals = { blue: first, green: second };
  const server = spawn(nginx, ['-p', folder, '-c', 'nginx.conf'], { stdio: ['ignore', 'inherit', 'pipe'] });
  running.push(server);
  const log = text(server.stderr);
  await vi
    .waitFor(async () => expect((await call('blue', '/health')).status).toBe(200), { timeout: 10_000 })
    .catch(async (reason) => {
      server.kill();
      throw new Error(await log, { cause: reason });
    });
});

afterAll(async () => {
  for (const child of running.filter(({ exitCode }) => exitCode === null)) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Every name is this machine, as in browsers. */
const lookup: NonNullable<ConstructorParameters<typeof Agent>[0]>['lookup'] = (_name, options, done) =>
  options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

interface Response {
  status: number | undefined;
  body: string;
}

function call(
  name: string,
  path: string,
  { body, headers }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Response> {
  return new Promise((done, fail) => {
    const sent = request(
      `https://${name}.localhost:${port}${path}`,
      {
        ca: ca(),
        lookup,
        agent: false,
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json', ...headers },
      },
      async (response) => done({ status: response.statusCode, body: await text(response) }),
    );
    sent.once('error', fail).end(body && JSON.stringify(body));
  });
}

async function post<const D extends EndpointDefinition>(name: Name, entry: D, body: object): Promise<ReplyOf<D>> {
  return JSON.parse(
    (await call(name, `/api${entry.path}`, { body, headers: { 'x-forwarded-for': '203.0.113.9' } })).body,
  );
}

const hasNginx = findNginx() !== undefined;

test.skipIf(!hasNginx)('nginx serves two portals by host name, and no other name', async () => {
  for (const name of NAMES) {
    const metadata = JSON.parse((await call(name, '/oidc/acme/.well-known/openid-configuration')).body);
    expect(metadata.issuer).toBe(`https://${name}.localhost:${port}/oidc/acme`);
  }
  await portals.blue.person({ org: 'acme', email: 'only@acme.test' });
  const emails = async (portal: Portal) => JSON.stringify((await portal.world()).organisations);
  expect(await emails(portals.blue)).toContain('only@acme.test');
  expect(await emails(portals.green)).not.toContain('only@acme.test');
  await expect(call('red', '/health')).rejects.toThrow();
});

test.skipIf(!hasNginx)('a sign-in through nginx follows its WebSocket and records the real address', async () => {
  for (const name of NAMES) {
    const portal = portals[name];
    await portal.policy({ match: { email: 'user@acme.test' }, answer: 'approve', opens: true });
    const { loginId = '' } = await post(name, login, { orgCode: 'acme', mode: 'QID' });
    const socket = new WebSocket(`wss://${name}.localhost:${port}${loginLive.path}?loginId=${loginId}`, {
      ca: ca(),
      lookup,
      origin: `https://${name}.localhost:${port}`,
    });
    const exchangeToken = await new Promise<string>((done, fail) => {
      socket.on('error', fail).on('message', (message) => {
        const state = JSON.parse(String(message));
        if (state.exchangeToken) done(state.exchangeToken);
      });
    });
    socket.terminate();
    const { token } = await post(name, login, { loginId, exchangeToken });
    const { records } = await portal.call(getLoginHistory, { query: {} }, { token });
    expect(records[0]?.ip).toBe('127.0.0.1');
  }
});
