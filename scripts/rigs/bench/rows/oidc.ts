import { createHash, randomBytes } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { getApp } from '@orchestrate/shared';
import { callPortal, signInToApplication } from '../call-portal.ts';
import { createDriver } from '../create-driver.ts';
import { median } from '../duration.ts';
import { PORTAL_ENTRY, type Program, portalEnv, scriptPath, startProgram } from '../programs.ts';
import { atLeast, type Measurement, type Row } from '../row.ts';

/** An application with a secret and one redirect URI. */
interface OidcClientOptions {
  /** The provider's issuer URL, e.g. `http://127.0.0.1:3000/oidc/acme`. */
  issuer: string;
  clientId: string;
  secret: string;
  callback: string;
  /**
   * Signs a user in on the provider's sign-in page with the browser's cookies. Returns the URL that continues the
   * flow.
   */
  signIn?: (page: URL, cookie: string) => Promise<string>;
}

/**
 * An OpenID Connect client used by a single browser. Does as little work as possible, because only the provider is
 * being measured.
 */
interface OidcClient {
  /** Follows redirects until the provider has created a session. */
  begin(): Promise<void>;
  /** Uses the session to get a code and exchange it for tokens, in two requests. */
  flow(): Promise<void>;
  close(): void;
}

function createOidcClient({ issuer, clientId, secret, callback, signIn }: OidcClientOptions): OidcClient {
  const agent = new Agent({ keepAlive: true });
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const authorization = `${issuer}/auth?${query}`;
  const credentials = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64');
  const jar = new Map<string, string>();

  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  function keep({ headers }: IncomingMessage): void {
    for (const header of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
  }

  async function codeOf(address: string): Promise<string> {
    const { response } = await send(agent, address, { method: 'GET', headers: { cookie: cookie() } });
    keep(response);
    const end = new URL(response.headers.location ?? '', address);
    const code = end.searchParams.get('code');
    if (end.href.startsWith(callback) && code) return code;
    if (end.origin !== new URL(issuer).origin) throw new Error(`The provider redirected the browser to ${end}.`);
    const isPage = end.searchParams.has('app') && signIn !== undefined;
    return codeOf(isPage ? new URL(await signIn(end, cookie()), end).href : end.href);
  }

  return {
    async begin() {
      await codeOf(authorization);
    },
    async flow() {
      const code = await codeOf(authorization);
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: callback,
        code_verifier: verifier,
      }).toString();
      const headers = {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
      };
      const { response, text } = await send(agent, `${issuer}/token`, { method: 'POST', headers }, body);
      if (response.statusCode !== 200) throw new Error(`The provider responded with ${response.statusCode}: ${text}`);
    },
    close: () => agent.destroy(),
  };
}

interface Sent {
  method: string;
  headers: Record<string, string | number>;
}

function send(
  agent: Agent,
  address: string,
  sent: Sent,
  body?: string,
): Promise<{ response: IncomingMessage; text: string }> {
  return new Promise((done, fail) => {
    const out = request(address, { agent, ...sent });
    out.once('error', fail).once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).once('error', fail);
      response.once('end', () => done({ response, text: Buffer.concat(parts).toString() }));
    });
    out.end(body);
  });
}

const ROUNDS = 7;
/** Warm-up flows. A count instead of a duration, because a busy machine needs longer to warm up. */
const WARM_UP = 800;
const FLOWS = 400;
/** Number of concurrent flows. */
const CONCURRENCY = 16;
const MIN_RATIO = 0.75;

const APP = { orgCode: 'acme', appId: 'team-wiki', callback: 'http://localhost:8080/oidc/callback' };

interface Load {
  perSecond: number;
  /** The server's processor time per flow, in microseconds. */
  cpuMicroseconds: number;
}

export const oidc: Row = {
  name: 'oidc',
  title: 'OpenID Connect: code and PKCE with an existing session',
  about: `Two requests, one for authorization with the session's cookie and one that exchanges the code and verifier for tokens, ${CONCURRENCY} flows at a time: the
portal in its own process with its database in a file, and oidc-provider alone with its memory adapter, the same features, one
client and one user. Both return an access, a refresh and an ID token, signed with 2 048-bit RS256, and both write the grant's records.
${ROUNDS} alternating rounds of ${FLOWS} flows, after ${WARM_UP} warm-up flows, each round in a new session, because the memory adapter slows down with the number of
tokens per session; the ratio is processor time per flow, the median of the rounds.`,
  run: compareFlows,
};

async function compareFlows(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const env = portalEnv(join(folder, 'portal.db'));
  const portal = await startProgram(PORTAL_ENTRY, { path: '/api/health', env, log });
  const secret = await secretOf(portal.url);
  const { appId: CLIENT_ID, callback: CALLBACK } = APP;
  const bare = await startProgram(scriptPath('bare/oidc-flows.mjs'), {
    path: '/.well-known/openid-configuration',
    env: { CLIENT_ID, CLIENT_SECRET: secret, CALLBACK },
    log,
  });
  const client = { clientId: APP.appId, secret, callback: APP.callback };
  const ours: OidcClientOptions = {
    ...client,
    issuer: `${portal.url}/oidc/${APP.orgCode}`,
    signIn: (page, cookie) =>
      signInToApplication(portal.url, APP.orgCode, { appLoginId: page.searchParams.get('app') ?? '', cookie }),
  };
  const theirs: OidcClientOptions = { ...client, issuer: bare.url };
  try {
    await load(portal, ours, WARM_UP);
    await load(bare, theirs, WARM_UP);
    const rounds: { ours: Load; bare: Load }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ ours: await load(portal, ours, FLOWS), bare: await load(bare, theirs, FLOWS) });
    }
    const ratios = rounds.map((round) => round.bare.cpuMicroseconds / round.ours.cpuMicroseconds);
    return [
      {
        what: 'compared with oidc-provider',
        ours: formatLoads(rounds.map((round) => round.ours)),
        bare: formatLoads(rounds.map((round) => round.bare)),
        ratio: median(ratios),
        ...atLeast(MIN_RATIO, ratios),
      },
    ];
  } finally {
    await Promise.all([portal.stop(), bare.stop()]);
  }
}

/** Reads the application's secret as an administrator. */
async function secretOf(url: string): Promise<string> {
  const driver = createDriver(url);
  const admin = (await driver.people(APP.orgCode)).find(({ email }) => email === 'super.admin@acme.test');
  if (!admin) throw new Error('The seed data has no Super Admin with a phone.');
  const { token } = (await driver.signIn(admin)).authState;
  driver.close();
  const { app } = await callPortal(url, getApp, `/orgs/${APP.orgCode}/apps/${APP.appId}`, { token });
  return app.oidcConfiguration?.clients.client_secret ?? '';
}

/** Runs `count` flows in a new session and measures the server's load. */
async function load(server: Program, options: OidcClientOptions, count: number): Promise<Load> {
  const client = createOidcClient(options);
  await client.begin();
  const before = await server.usage();
  const began = performance.now();
  let started = 0;
  async function oneAfterTheOther(): Promise<void> {
    while (started++ < count) await client.flow();
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, oneAfterTheOther));
  const seconds = (performance.now() - began) / 1_000;
  const after = await server.usage();
  client.close();
  return { perSecond: count / seconds, cpuMicroseconds: (after.cpu - before.cpu) / count };
}

function formatLoads(loads: readonly Load[]): string {
  const perSecond = median(loads.map((one) => one.perSecond));
  const cost = median(loads.map((one) => one.cpuMicroseconds));
  return `${Math.round(perSecond).toLocaleString('en').replaceAll(',', ' ')}/s, ${Math.round(cost)} µs each`;
}
