import { Agent as Connections } from 'node:http';
import { type OpenDatabase, resetDatabase, type Seed, virtualDeviceRepo } from '@orchestrate/db';
import { memoryDb } from '@orchestrate/db/testing';
import {
  type AppType,
  type AuthState,
  addressOf,
  type ChannelDefinition,
  type EndpointDefinition,
  type InputOf,
  listSnapshots,
  listSpaces,
  login,
  loginState,
  type QueryOf,
  type RefusalBody,
  type ReplyOf,
} from '@orchestrate/shared';
import { type Authenticator, createAuthenticator, type DeviceState } from '@orchestrate/shared/authenticator';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import request, { type Agent } from 'supertest';
import { type Config, readConfig } from '#config.ts';
import type { Deps } from '#deps.ts';
import type { LabClock } from '#platform/adapters/clock.ts';
import { signWithNode } from '#platform/adapters/secrets.ts';
import { keyOriginOf } from '#platform/world-seed.ts';
import { runPortal } from '#process/run-portal.ts';
import { startSpace } from '#process/start-space.ts';
import { drive } from '#testing-api/connect-portal.ts';
import { type LiveClient, openChannel } from '#testing-api/live-client.ts';
import type { Portal } from '#testing-api/portal.ts';
import { checkResponses } from './check-answers.ts';

/** A WebSocket for pages under test, because jsdom's doesn't work with Node's events. */
export { WebSocket } from 'ws';

/** Default time in tests, a Monday morning. */
export const TEST_NOW = Date.parse('2026-03-02T09:30:00.000Z');

export interface TestPortalOptions {
  seed?: Seed;
  /** Replaces the default seeded in-memory database. Closed along with the portal. */
  database?: OpenDatabase;
  /** Time at which the clock is frozen, in milliseconds since the epoch. */
  now?: number;
  config?: Partial<Config>;
  /** Receives each log line as JSON. By default, log lines are discarded. */
  onLog?: (line: string) => void;
  /** Registers additional routes for tests of behaviour that all routes share. */
  register?: (app: FastifyInstance, deps: Deps) => void;
}

/** The server's response: a successful reply, or a refusal with its `resultName`. */
export interface TestResponse<D extends EndpointDefinition> {
  status: number;
  headers: Record<string, string>;
  body: ReplyOf<D> & Partial<Omit<RefusalBody, 'resultCode'>>;
}

export interface Credentials {
  /** Access token. */
  token?: string;
  /** Entity tag of the version the client has read. */
  ifMatch?: string;
  /** Cookie header of the client's browser, e.g. `name=value`. */
  cookie?: string;
}

/** A complete portal for tests, with real HTTP and sockets, a seeded in-memory database and a frozen clock. */
export interface TestPortal extends AsyncDisposable {
  /** Origin of the portal, e.g. `http://localhost:43210`. */
  url: string;
  app: FastifyInstance;
  deps: Deps;
  clock: LabClock;
  /** An authenticator that uses the portal's clock. */
  authenticator: Authenticator;
  /** Plain HTTP client for requests outside the contract or its types: `portal.http.get('/openapi.json')`. */
  http: Agent;
  call<const D extends EndpointDefinition>(
    entry: D,
    input: InputOf<D>,
    credentials?: Credentials,
  ): Promise<TestResponse<D>>;
  /** Opens a channel. @throws UpgradeRefused */
  open<const C extends ChannelDefinition>(
    channel: C,
    query: QueryOf<C>,
    credentials?: Credentials,
  ): Promise<LiveClient<C>>;
  /**
   * Returns a seeded person's active device of this type. Defaults to their phone or, if they have none, their
   * computer.
   */
  device(email: string, type?: AppType): DeviceState;
  /** Signs a seeded person in with a code in the browser that they approve on their simulated device. */
  signIn(email: string): Promise<AuthState>;
  /** The package's lab controls: `portal.lab.fault({ … })`. Unlike `call`, they reject if refused. */
  lab: Portal;
  close(): Promise<void>;
}

/** Closed portals that are reset for reuse. A reset takes a fifth of the time needed to start a portal. */
const idle: TestPortal[] = [];
let isReusing = false;

/**
 * Lets `testPortal()` without options return a portal closed by an earlier test in this worker. Use this only for
 * tests that leave no requests pending. Pages may still send requests, so tests with pages need their own portals.
 */
export function reusePortals(): void {
  isReusing = true;
}

export async function testPortal(options?: TestPortalOptions): Promise<TestPortal> {
  if (options || !isReusing) return startTestPortal(options);
  const portal = idle.pop() ?? (await startTestPortal());
  const { deps, lab, close: end } = portal;
  const began = { ...deps };
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    // A reset doesn't remove snapshots and spaces.
    const { snapshots } = await lab.call(listSnapshots, {});
    const { spaces } = await lab.call(listSpaces, {});
    if (snapshots.length + spaces.length > 0) return end();
    Object.assign(deps, began);
    await lab.reset({ seed: 'demo' });
    // Removes the audit event recorded by the reset itself.
    resetDatabase(deps.db, 'demo', TEST_NOW);
    idle.push({ ...portal, close: end });
  };
  return { ...portal, close, [Symbol.asyncDispose]: close };
}

/** Starts a separate portal that stops when it is closed, for tests of startup, shutdown or spaces. */
export async function startTestPortal({
  seed = 'demo',
  now = TEST_NOW,
  database: given,
  config,
  onLog,
  register,
}: TestPortalOptions = {}): Promise<TestPortal> {
  const settings: Config = {
    ...readConfig({ NODE_ENV: 'test', PORT: '0', DATABASE_FILE: ':memory:', RATE_LIMIT: '0' }),
    seed,
    ...config,
  };
  const database = given ?? memoryDb({ seed, now, keysFrom: keyOriginOf(settings) });
  const log = onLog ? pino({ level: 'trace' }, { write: onLog }) : pino({ level: 'silent' });
  const { app, deps, close } = await runPortal({
    config: settings,
    database,
    log,
    frozenAt: now,
    startSpace,
    prepare(app, deps) {
      checkResponses(app, deps);
      register?.(app, deps);
    },
  });
  const { clock, publicUrl: url } = deps;
  const lab = drive({ url, labToken: settings.labToken ?? undefined }, close);
  const authenticator = createAuthenticator({ baseUrl: url, now: clock.now, sign: signWithNode });

  const portal: TestPortal = {
    url,
    app,
    deps,
    clock,
    authenticator,
    http: request(url),
    call: (entry, input, credentials) => call(url, entry, input, credentials),
    open: (channel, query, { token } = {}) => openChannel(url, channel, query, token),
    device: (email, type) => seededDevice(deps, email, type),
    signIn: (email) => signIn(portal, email),
    lab,
    close: lab.close,
    [Symbol.asyncDispose]: lab.close,
  };
  return portal;
}

/**
 * Connections are kept open between calls because connecting costs as much as many calls. A closed portal closes its
 * own connections.
 */
const connections = new Connections({ keepAlive: true });

async function call<const D extends EndpointDefinition>(
  url: string,
  entry: D,
  input: InputOf<D>,
  { token, ifMatch, cookie }: Credentials = {},
): Promise<TestResponse<D>> {
  const { params, query, body: sent }: { params?: unknown; query?: unknown; body?: unknown } = input;
  const sending = new request.Test(url, entry.method, `/api${addressOf(entry, { params, query })}`);
  if (url.startsWith('http:')) sending.agent(connections);
  if (token !== undefined) sending.set('authorization', `Bearer ${token}`);
  if (ifMatch !== undefined) sending.set('if-match', ifMatch);
  if (cookie !== undefined) sending.set('cookie', cookie);
  if (sent instanceof FormData) {
    for (const [name, value] of sent) {
      if (typeof value === 'string') sending.field(name, value);
      else
        sending.attach(name, Buffer.from(await value.arrayBuffer()), { filename: value.name, contentType: value.type });
    }
  } else if (sent !== undefined) sending.type('json').send(JSON.stringify(sent));
  const { status, headers, body } = await sending;
  return { status, headers, body };
}

function seededDevice({ db }: Deps, email: string, wanted?: AppType): DeviceState {
  const devices = virtualDeviceRepo.listVirtualDevices(db, { email });
  const types: readonly AppType[] = wanted ? [wanted] : ['mobile', 'desktop'];
  const [found] = types.flatMap((type) => {
    const one = devices.find(({ device }) => device.type === type);
    return one ? [{ ...one, type }] : [];
  });
  if (!found) throw new Error(`No member with the address ${email} has an active ${types[0]} device in the seed.`);
  const { zid, suid, orgCode, name, platform } = found.device;
  const { orgName, type, privateKey: privateKeyJwk } = found;
  return { zid, suid, orgCode, orgName, name, type, platform, email, privateKeyJwk };
}

/** A QR code sign-in, as shown in the browser. */
export interface StartedQr {
  loginId: string;
  qid: string;
  /** Number to match, if the sign-in requires one. */
  matchNumber: string | undefined;
}

/** Starts a QR code sign-in to the portal or an application. */
export async function beginQr(
  { call }: TestPortal,
  orgCode = 'acme',
  { appLoginId, cookie }: { appLoginId?: string; cookie?: string } = {},
): Promise<StartedQr> {
  const credentials = cookie === undefined ? {} : { cookie };
  const { body } = await call(login, { body: { orgCode, mode: 'QID', appLoginId } }, credentials);
  const { loginId = '', qid = '', matchNumber } = body;
  return { loginId, qid, matchNumber };
}

/** Approves a QR code sign-in and returns its exchange token. */
export async function approveQr(
  { call, authenticator }: TestPortal,
  device: DeviceState,
  { loginId, qid, matchNumber: number }: StartedQr,
): Promise<string> {
  const { challenge } = await authenticator.resolve(device, qid);
  await authenticator.respond(device, { challengeId: challenge.challengeId, decision: 'approve', number });
  return (await call(loginState, { params: { loginId } })).body.exchangeToken ?? '';
}

async function signIn(portal: TestPortal, email: string): Promise<AuthState> {
  const phone = portal.device(email);
  const started = await beginQr(portal, phone.orgCode);
  const exchangeToken = await approveQr(portal, phone, started);
  const { body } = await portal.call(login, { body: { loginId: started.loginId, exchangeToken } });
  const { token, refreshToken, profile, orgId, role, modules } = body;
  if (!token || !refreshToken || !profile || !orgId || !role || !modules) throw new Error(`${email} wasn't signed in.`);
  return { token, refreshToken, profile, orgId, role, modules };
}
