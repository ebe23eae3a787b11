import { type OpenDatabase, type SeedName, virtualDeviceRepo } from '@orchestrate/db';
import { memoryDb } from '@orchestrate/db/testing';
import {
  type AuthState,
  addressOf,
  type ChannelDefinition,
  type EndpointDefinition,
  type InputOf,
  login,
  loginState,
  type QueryOf,
  type RefusalBody,
  type ReplyOf,
} from '@orchestrate/shared';
import { type Authenticator, createAuthenticator, type DeviceState } from '@orchestrate/shared/authenticator';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { buildApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { createDeps, type Deps } from '../deps.ts';
import { listen } from '../listen.ts';
import type { LabClock } from '../platform/adapters/clock.ts';
import { type LiveClient, openChannel } from './live-client.ts';

/** Sockets for pages under test: jsdom's do not work with Node's events. */
export { WebSocket } from 'ws';

/** The time of tests unless they say otherwise: a Monday morning. */
export const TEST_NOW = Date.parse('2026-03-02T09:30:00.000Z');

export interface TestPortalOptions {
  seed?: SeedName;
  /** Used instead of a seeded one in memory; closed with the portal. */
  database?: OpenDatabase;
  /** Where the clock stands, in milliseconds since the epoch. */
  now?: number;
  config?: Partial<Config>;
  /** Receives log lines, each a JSON text; by default they are dropped. */
  onLog?: (line: string) => void;
  /** Routes besides the portal's own, to test what all routes share. */
  register?: (app: FastifyInstance, deps: Deps) => void;
}

/** The server's answer: a reply, or a refusal with its `resultName`. */
export interface TestAnswer<D extends EndpointDefinition> {
  status: number;
  headers: Headers;
  body: ReplyOf<D> & Partial<Omit<RefusalBody, 'resultCode'>>;
}

export interface Credentials {
  /** Access token. */
  token?: string;
  /** The version that the caller has read. */
  ifMatch?: string;
}

/** A complete portal for a test: real HTTP and sockets, a seeded database in memory, a clock that stands still. */
export interface TestPortal {
  /** Origin, e.g. `http://localhost:43210`. */
  url: string;
  app: FastifyInstance;
  deps: Deps;
  clock: LabClock;
  /** A device core that uses the portal's clock. */
  authenticator: Authenticator;
  call<const D extends EndpointDefinition>(
    entry: D,
    input: InputOf<D>,
    credentials?: Credentials,
  ): Promise<TestAnswer<D>>;
  /** @throws UpgradeRefused */
  open<const C extends ChannelDefinition>(
    channel: C,
    query: QueryOf<C>,
    credentials?: Credentials,
  ): Promise<LiveClient<C>>;
  /** A seeded person's active device; a mobile one unless `type` says otherwise. */
  device(email: string, type?: 'mobile' | 'desktop'): DeviceState;
  /** Signs a seeded person in the usual way: a code in the browser, approved on their simulated device. */
  signIn(email: string): Promise<AuthState>;
  close(): Promise<void>;
}

export async function testPortal({
  seed = 'demo',
  now = TEST_NOW,
  database = memoryDb({ seed, now }),
  config,
  onLog,
  register,
}: TestPortalOptions = {}): Promise<TestPortal> {
  const settings: Config = {
    ...readConfig({ NODE_ENV: 'test', PORT: '0', DATABASE_FILE: ':memory:', SEED: seed, RATE_LIMIT: '0' }),
    ...config,
  };
  const log = onLog ? pino({ level: 'trace' }, { write: onLog }) : pino({ level: 'silent' });
  const deps = await createDeps({ config: settings, db: database.db, log, frozenAt: now });
  const app = await buildApp(deps);
  register?.(app, deps);
  const url = await listen(app, settings);
  deps.publicUrl = url;
  const { clock } = deps;
  const authenticator = createAuthenticator({ baseUrl: url, now: clock.now });

  const portal: TestPortal = {
    url,
    app,
    deps,
    clock,
    authenticator,
    call: (entry, input, credentials) => call(url, entry, input, credentials),
    open: (channel, query, { token } = {}) => openChannel(url, channel, query, token),
    device: (email, type = 'mobile') => seededDevice(deps, email, type),
    signIn: (email) => signIn(portal, email),
    async close() {
      await app.close();
      database.close();
    },
  };
  return portal;
}

async function call<const D extends EndpointDefinition>(
  url: string,
  entry: D,
  input: InputOf<D>,
  { token, ifMatch }: Credentials = {},
): Promise<TestAnswer<D>> {
  const { params, query, body: sent }: { params?: unknown; query?: unknown; body?: unknown } = input;
  const isJson = sent !== undefined && !(sent instanceof FormData);
  const response = await fetch(`${url}/api${addressOf(entry, { params, query })}`, {
    method: entry.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    body: sent instanceof FormData ? sent : isJson ? JSON.stringify(sent) : null,
    redirect: 'manual',
  });
  const text = await response.text();
  // A redirect has no other content, and a file isn't JSON.
  const isFile = response.headers.has('content-disposition');
  const body: TestAnswer<D>['body'] = JSON.parse((!isFile && text) || '{}');
  return { status: response.status, headers: response.headers, body };
}

function seededDevice({ db }: Deps, email: string, type: 'mobile' | 'desktop'): DeviceState {
  const found = virtualDeviceRepo.listVirtualDevices(db, { email }).find(({ device }) => device.type === type);
  if (!found) throw new Error(`Nobody with the address ${email} has an active ${type} device in the seed.`);
  const { zid, suid, orgCode, name, platform } = found.device;
  return { zid, suid, orgCode, orgName: found.orgName, name, type, platform, email, privateKeyJwk: found.privateKey };
}

async function signIn({ call, authenticator, device }: TestPortal, email: string): Promise<AuthState> {
  const phone = device(email);
  const begun = await call(login, { body: { orgCode: phone.orgCode, mode: 'QID' } });
  const { loginId = '', qid = '', matchNumber: number } = begun.body;
  const { challenge } = await authenticator.resolve(phone, qid);
  await authenticator.respond(phone, { challengeId: challenge.challengeId, decision: 'approve', number });
  const { exchangeToken = '' } = (await call(loginState, { params: { loginId } })).body;
  const { token, refreshToken, profile, orgId, role, modules } = (
    await call(login, { body: { loginId, exchangeToken } })
  ).body;
  if (!token || !refreshToken || !profile || !orgId || !role || !modules)
    throw new Error(`${email} was not signed in.`);
  return { token, refreshToken, profile, orgId, role, modules };
}
