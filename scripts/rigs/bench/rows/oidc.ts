import { join } from 'node:path';
import { getApp } from '@orchestrate/shared';
import { askPortal } from '../ask-portal.ts';
import { createDriver } from '../create-driver.ts';
import { median } from '../median.ts';
import { createOidcClient, type OidcClientOptions } from '../oidc-client.ts';
import { beside, PORTAL, type Program, portalEnv, startProgram } from '../programs.ts';
import type { Measurement, Row } from '../row.ts';
import { signInToApplication } from '../sign-in-to-application.ts';

const ROUNDS = 7;
/** A number of flows, not a duration: on a busy machine the code would not get warm in time. */
const WARM_UP = 800;
const FLOWS = 400;
/** Flows under way at the same time. */
const AT_ONCE = 16;
const MIN_RATIO = 0.9;

const APP = { orgCode: 'acme', appId: 'team-wiki', callback: 'http://localhost:8080/oidc/callback' };

interface Load {
  perSecond: number;
  /** Processor time of the server per flow, in microseconds. */
  cpuMicroseconds: number;
}

export const oidc: Row = {
  name: 'oidc',
  title: 'OpenID Connect: code and PKCE with a session',
  about: `Two requests, authorization with the session's cookie and the code with its verifier for tokens, ${AT_ONCE} flows at a time: the
portal in a process of its own with its database in a file, and oidc-provider alone with its memory adapter, the same features, one
client and one person. Both give an access, a refresh and an ID token, signed with RS256 and 2 048 bits, and both write its claims.
${ROUNDS} rounds of ${FLOWS} flows in turn, after ${WARM_UP}, each round in a new session, because the memory adapter takes longer the more tokens
one has; the ratio of processor time per flow, the median of the rounds.`,
  run: compareFlows,
};

async function compareFlows(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const env = portalEnv(join(folder, 'portal.db'));
  const portal = await startProgram(PORTAL, { path: '/api/health', env, log });
  const secret = await secretOf(portal.url);
  const { appId: CLIENT_ID, callback: CALLBACK } = APP;
  const bare = await startProgram(beside('bare/oidc-flows.mjs'), {
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
    const ratio = median(rounds.map((round) => round.bare.cpuMicroseconds / round.ours.cpuMicroseconds));
    return [
      {
        what: 'beside oidc-provider alone',
        ours: worded(rounds.map((round) => round.ours)),
        bare: worded(rounds.map((round) => round.bare)),
        ratio,
        target: { words: `≥ ${MIN_RATIO}`, isMet: ratio >= MIN_RATIO },
      },
    ];
  } finally {
    await Promise.all([portal.stop(), bare.stop()]);
  }
}

/** As the portal shows it to people who configure the application. */
async function secretOf(url: string): Promise<string> {
  const driver = createDriver(url);
  const admin = (await driver.people(APP.orgCode)).find(({ email }) => email === 'super.admin@acme.test');
  if (!admin) throw new Error('The seed has no Super Admin with a phone.');
  const { token } = (await driver.signIn(admin)).authState;
  driver.close();
  const { app } = await askPortal(url, getApp, `/orgs/${APP.orgCode}/apps/${APP.appId}`, { token });
  return app.oidcConfiguration?.clients.client_secret ?? '';
}

/** Flows of one new session. */
async function load(server: Program, options: OidcClientOptions, count: number): Promise<Load> {
  const client = createOidcClient(options);
  await client.begin();
  const before = await server.usage();
  const began = performance.now();
  let begun = 0;
  async function oneAfterTheOther(): Promise<void> {
    while (begun++ < count) await client.flow();
  }
  await Promise.all(Array.from({ length: AT_ONCE }, oneAfterTheOther));
  const seconds = (performance.now() - began) / 1_000;
  const after = await server.usage();
  client.close();
  return { perSecond: count / seconds, cpuMicroseconds: (after.cpu - before.cpu) / count };
}

function worded(loads: readonly Load[]): string {
  const perSecond = median(loads.map((one) => one.perSecond));
  const cost = median(loads.map((one) => one.cpuMicroseconds));
  return `${Math.round(perSecond).toLocaleString('en').replaceAll(',', ' ')}/s, ${Math.round(cost)} µs each`;
}
