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
import { signByNode } from '#platform/adapters/secrets.ts';
import { keyOriginOf } from '#platform/world-seed.ts';
import { runPortal } from '#process/run-portal.ts';
import { startSpace } from '#process/start-space.ts';
import { drive } from '#testing-api/connect-portal.ts';
import { type LiveClient, openChannel } from '#testing-api/live-client.ts';
import type { Portal } from '#testing-api/portal.ts';
import { checkAnswers } from './check-answers.ts';

/** Sockets for pages under test, because jsdom's don't work with Node's events. */
export { WebSocket } from 'ws';

/** Default time of tests: a Monday morning. */
export const TEST_NOW = Date.parse('2026-03-02T09:30:00.000Z');

export interface TestPortalOptions {
  seed?: Seed;
  /** Used instead of a seeded one in memory; closed with the portal. */
  database?: OpenDatabase;
  /** Time at which the clock is frozen, in milliseconds since the epoch. */
  now?: number;
  config?: Partial<Config>;
  /** Receives log lines as JSON. By default they are discarded. */
  onLog?: (line: string) => void;
  /** Registers additional routes, for tests of behaviour that all routes share. */
  register?: (app: FastifyInstance, deps: Deps) => void;
}

/** The server's response: a reply, or a refusal with its `resultName`. */
export interface TestAnswer<D extends EndpointDefinition> {
  status: number;
  headers: Record<string, string>;
  body: ReplyOf<D> & Partial<Omit<RefusalBody, 'resultCode'>>;
}

export interface Credentials {
  /** Access token. */
  token?: string;
  /** Version that the caller has read. */
  ifMatch?: string;
  /** Cookie header of the caller's browser, e.g. `name=value`. */
  cookie?: string;
}

/** A complete portal for a test: real HTTP and sockets, a seeded database in memory, a frozen clock. */
export interface TestPortal extends AsyncDisposable {
  /** Origin, e.g. `http://localhost:43210`. */
  url: string;
  app: FastifyInstance;
  deps: Deps;
  clock: LabClock;
  /** An authenticator that uses the portal's clock. */
  authenticator: Authenticator;
  /** Plain HTTP, for requests outside the contract or the types: `portal.http.get('/openapi.json')`. */
  http: Agent;
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
  /** Returns a seeded person's active device of this type; by default their phone, or else their computer. */
  device(email: string, type?: AppType): DeviceState;
  /** Signs a seeded person in the usual way: a code in the browser, approved on their simulated device. */
  signIn(email: string): Promise<AuthState>;
  /** The lab controls of the package: `portal.lab.fault({ … })`. Unlike `call`, they reject if refused. */
  lab: Portal;
  close(): Promise<void>;
}

/** Closed portals, reset for reuse: a reset takes a fifth of the time of a start. */
const idle: TestPortal[] = [];
let isReusing = false;

/**
 * From now on, `testPortal()` without options may return a portal that an earlier test of this worker has closed. Only
 * for tests that leave no requests pending; a page may still send some, so it needs its own portal.
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
    // A reset doesn't affect these.
    const { snapshots } = await lab.call(listSnapshots, {});
    const { spaces } = await lab.call(listSpaces, {});
    if (snapshots.length + spaces.length > 0) return end();
    Object.assign(deps, began);
    await lab.reset({ seed: 'demo' });
    // The reset has left its own event in the audit trail.
    resetDatabase(deps.db, 'demo', TEST_NOW);
    idle.push({ ...portal, close: end });
  };
  return { ...portal, close, [Symbol.asyncDispose]: close };
}

/** Starts a separate portal that ends when it is closed, for tests of the start, the end or spaces. */
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
      checkAnswers(app, deps);
      register?.(app, deps);
    },
  });
  const { clock, publicUrl: url } = deps;
  const lab = drive({ url, labToken: settings.labToken ?? undefined }, close);
  const authenticator = createAuthenticator({ baseUrl: url, now: clock.now, sign: signByNode });

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

/** Kept open between calls, because connecting costs as much as many calls. A closed portal closes its own. */
const connections = new Connections({ keepAlive: true });

async function call<const D extends EndpointDefinition>(
  url: string,
  entry: D,
  input: InputOf<D>,
  { token, ifMatch, cookie }: Credentials = {},
): Promise<TestAnswer<D>> {
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
  if (!found) throw new Error(`Nobody with the address ${email} has an active ${types[0]} device in the seed.`);
  const { zid, suid, orgCode, name, platform } = found.device;
  const { orgName, type, privateKey: privateKeyJwk } = found;
  return { zid, suid, orgCode, orgName, name, type, platform, email, privateKeyJwk };
}

/** A sign-in by QR code, as the browser shows it. */
export interface StartedQr {
  loginId: string;
  qid: string;
  /** The number to match, if the sign-in requires one. */
  matchNumber: string | undefined;
}

/** Starts a sign-in by QR code, to the portal or to an application. */
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

/** Approves a sign-in started by QR code, and returns its exchange token. */
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
  const begun = await beginQr(portal, phone.orgCode);
  const exchangeToken = await approveQr(portal, phone, begun);
  const { body } = await portal.call(login, { body: { loginId: begun.loginId, exchangeToken } });
  const { token, refreshToken, profile, orgId, role, modules } = body;
  if (!token || !refreshToken || !profile || !orgId || !role || !modules)
    throw new Error(`${email} was not signed in.`);
  return { token, refreshToken, profile, orgId, role, modules };
}
