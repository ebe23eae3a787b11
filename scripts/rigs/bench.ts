import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { radiusClient, radiusRequest } from '@orchestrate/server/testing/radius-client';
import { connectPortal } from '@orchestrate/server/testing-api';
import {
  createApp,
  health,
  listSpaces,
  makeSession,
  makeSpace,
  restoreSnapshot,
  SPACES_MAX,
  takeSnapshot,
  type World,
} from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { buildClient, buildServer } from '../build.ts';
import { type Duration, formatDuration, median, medianDuration } from './bench/duration.ts';
import { PORTAL_ENTRY, portalEnv, runPortalOf, startProgram } from './bench/programs.ts';
import { type Comparison, formatComparison, formatDocument, formatTable, type RowResult } from './bench/report.ts';
import { atLeast, atMost, type Measurement, type Row } from './bench/row.ts';
import { audit } from './bench/rows/audit.ts';
import { coldStart } from './bench/rows/cold-start.ts';
import { csvInvite } from './bench/rows/csv-invite.ts';
import { firstPaint } from './bench/rows/first-paint.ts';
import { growth } from './bench/rows/growth.ts';
import { journal } from './bench/rows/journal.ts';
import { oidc } from './bench/rows/oidc.ts';
import { reads } from './bench/rows/reads.ts';
import { saml } from './bench/rows/saml.ts';
import { scim } from './bench/rows/scim.ts';
import { scimCost } from './bench/rows/scim-cost.ts';
import { search } from './bench/rows/search.ts';
import { signIns } from './bench/rows/sign-ins.ts';
import { testInstance } from './bench/rows/test-instance.ts';
import { waits } from './bench/rows/waits.ts';

const MAX_SPACE_MS = 50;
const MAX_SPACE_MB = 15;
const MAX_SNAPSHOT_MS = 50;
const SNAPSHOTS = 7;
const MB = 1_000_000;

const spaces: Row = {
  name: 'spaces',
  title: 'Spaces and snapshots',
  about: `A server with a database file, in its own process. ${SPACES_MAX} spaces with the demo are created one after another over HTTP, and each space's health
endpoint is called once. The median excludes the first space, because it seeds the rows that the others copy. Memory per space is the growth of the process's resident
memory, divided by the ${SPACES_MAX} spaces. Then snapshots of the demo are taken and restored, medians of
${SNAPSHOTS}. No comparable product has this feature, so there is no comparison.`,
  run: timeSpaces,
};

async function timeSpaces(folder: string): Promise<Measurement[]> {
  const env = portalEnv(join(folder, 'portal.db'));
  const portal = await startProgram(PORTAL_ENTRY, { path: '/api/health', env, log: join(folder, 'log') });
  const call = createPortalCall({ baseUrl: portal.url });

  async function timedThere<Result>(work: () => Promise<Result>): Promise<[Result, Duration]> {
    const before = await portal.usage();
    const began = performance.now();
    const result = await work();
    const wall = performance.now() - began;
    return [result, { wall, cpu: ((await portal.usage()).cpu - before.cpu) / 1_000 }];
  }

  try {
    const restores: Duration[] = [];
    const snapshots: Duration[] = [];
    for (let time = 0; time < SNAPSHOTS; time += 1) {
      const [{ snapshotId }, taken] = await timedThere(() => call(takeSnapshot, { body: undefined }));
      snapshots.push(taken);
      restores.push((await timedThere(() => call(restoreSnapshot, { params: { snapshotId } })))[1]);
    }

    const { rss } = await portal.usage();
    const made: Duration[] = [];
    for (let time = 0; time < SPACES_MAX; time += 1) {
      const [{ url }, duration] = await timedThere(() => call(makeSpace, { body: {} }));
      made.push(duration);
      await createPortalCall({ baseUrl: url.replace('localhost', '127.0.0.1') })(health, {});
    }
    const [first, ...later] = made;
    const { spaces: there } = await call(listSpaces, {});
    if (!first || there.length !== SPACES_MAX) {
      throw new Error(`Expected ${SPACES_MAX} spaces, got ${there.length}.`);
    }
    const each = ((await portal.usage()).rss - rss) / SPACES_MAX / MB;
    return [
      within('a space, after the first', later, MAX_SPACE_MS),
      { what: 'the first space', ours: formatDuration(first) },
      {
        what: `memory per space with ${SPACES_MAX} spaces`,
        ours: `${each.toFixed(1)} MB`,
        ...atMost(MAX_SPACE_MB, [each], 'MB'),
      },
      within('a snapshot', snapshots, MAX_SNAPSHOT_MS),
      within('restoring it', restores, MAX_SNAPSHOT_MS),
    ];
  } finally {
    await portal.stop();
  }
}

const within = (what: string, durations: readonly Duration[], maxMs: number): Measurement => ({
  what,
  ours: formatDuration(medianDuration(durations)),
  ...atMost(
    maxMs,
    durations.map(({ cpu }) => cpu),
    'ms',
  ),
});

const ROUNDS = 5;
const WARM_UP = 2_000;
const REQUESTS = 3_000;
/** Number of concurrent requests. A RADIUS client can have 256 in flight per port. */
const CONCURRENCY = 64;
const MIN_PER_SECOND = 1_000;

const radius: Row = {
  name: 'radius',
  title: 'RADIUS answers',
  about: `Access-Requests that are rejected immediately, because no member has the name: the portal verifies the packet, finds the application by its secret,
looks up the user and signs the rejection. ${CONCURRENCY} requests are in flight, from one port. The rate is per second of the portal's processor time, the median
of ${ROUNDS} rounds of ${REQUESTS} after ${WARM_UP} warm-up requests. The client's work is not counted.`,
  run: measureAnswers,
};

async function measureAnswers(folder: string): Promise<Measurement[]> {
  const portal = await startProgram(PORTAL_ENTRY, {
    path: '/api/health',
    env: { ...portalEnv(join(folder, 'portal.db')), RADIUS_PORT: '0' },
    log: join(folder, 'log'),
  });
  try {
    const { port, secret } = await gatewayOf(portal.url);
    await using client = await radiusClient(port);
    await ask(WARM_UP);
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await portal.usage();
      await ask(REQUESTS);
      const { cpu } = await portal.usage();
      rates.push(REQUESTS / ((cpu - before.cpu) / 1_000_000));
    }
    return [
      {
        what: 'rejected immediately',
        ours: `${Math.round(median(rates))} a second`,
        ...atLeast(MIN_PER_SECOND, rates, 'a second'),
      },
    ];

    async function ask(count: number): Promise<void> {
      const goal = client.received.length + count;
      for (let sent = 0; sent < count; ) {
        const few = Math.min(CONCURRENCY, count - sent);
        for (let at = 0; at < few; at += 1) {
          client.send(radiusRequest({ secret, name: 'nobody@acme.test', identifier: (sent + at) % 256 }));
        }
        sent += few;
        await client.until(goal - count + sent);
      }
    }
  } finally {
    await portal.stop();
  }
}

async function gatewayOf(url: string): Promise<{ port: number; secret: string }> {
  const { token } = await createPortalCall({ baseUrl: url })(makeSession, { body: { email: 'super.admin@acme.test' } });
  const body = { orgCode: 'acme', integrationType: 'radius' as const, name: 'Gateway' };
  const call = createPortalCall({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
  const { app } = await call(createApp, { params: { orgCode: 'acme' }, body });
  const { port = null, secret = '' } = app.radiusConfiguration ?? {};
  if (port === null) throw new Error("The portal's RADIUS port is off.");
  return { port, secret };
}

const CODES = ['initech', 'umbrella', 'hooli'];
const PEOPLE = 5_000;
const MAX_MS = 10_000;

const worlds: Row = {
  name: 'worlds',
  title: 'World export and import',
  about: `${CODES.length} organisations with ${PEOPLE} people each, every person with a role, a manager and a device, exported as a world from one server and
imported into another, both with a database file and in their own processes. The client's work in between only counts towards the wall-clock time.
No comparable product has this feature, so there is no comparison.`,
  run: timeWorlds,
};

async function timeWorlds(folder: string): Promise<Measurement[]> {
  const start = (name: string) =>
    startProgram(PORTAL_ENTRY, {
      path: '/api/health',
      env: portalEnv(join(folder, `${name}.db`)),
      log: join(folder, 'log'),
    });
  const [source, empty] = [await start('source'), await start('empty')];
  try {
    const [from, to] = [connectPortal({ url: source.url }), connectPortal({ url: empty.url })];
    await from.reset({ seed: largeWorld() });
    await to.reset({ seed: 'none' });
    const used = async () => (await source.usage()).cpu + (await empty.usage()).cpu;
    const before = await used();
    const began = performance.now();
    await to.reset({ seed: await from.world() });
    const wall = performance.now() - began;
    const duration = { wall, cpu: ((await used()) - before) / 1_000 };
    return [
      {
        what: `${CODES.length} × ${PEOPLE} people`,
        ours: formatDuration(duration),
        ...atMost(MAX_MS / 1_000, [duration.cpu / 1_000], 's'),
      },
    ];
  } finally {
    await Promise.all([source.stop(), empty.stop()]);
  }
}

const largeWorld = (): World => ({
  randomSeed: 'large',
  organisations: CODES.map((code) => ({
    code,
    branding: { color: '#123456' },
    roles: [{ code: 'LEAD', permissions: ['SEARCH_USER'] }],
    applications: [{ id: 'wiki', oidc: { redirectUris: ['https://wiki.test/'] } }],
    people: Array.from({ length: PEOPLE }, (_, at) => ({
      email: `person${at}@${code}.test`,
      role: at % 50 === 0 ? 'LEAD' : 'USER',
      ...(at > 0 && { manager: `person${Math.floor(at / 10)}@${code}.test` }),
    })),
  })),
});

const ROWS: readonly Row[] = [
  coldStart,
  firstPaint,
  testInstance,
  spaces,
  waits,
  worlds,
  journal,
  reads,
  search,
  signIns,
  oidc,
  saml,
  radius,
  csvInvite,
  scim,
  scimCost,
  audit,
  growth,
];
const DOCUMENT = join(import.meta.dirname, '../../docs/benchmarks.md');

const { row: wanted, compare: revision } = parseArgs({
  options: { row: { type: 'string' }, compare: { type: 'string' } },
}).values;
const chosen = wanted === undefined ? ROWS : ROWS.filter(({ name }) => name === wanted);
if (revision !== undefined && chosen.length > 0 && chosen.every(({ runsSources }) => runsSources)) {
  console.error(`${wanted} imports the portal's modules, so it can't be compared with another version.`);
  process.exit(1);
}
if (chosen.length === 0) {
  console.error(`There is no row ${wanted}. Choose one of: ${ROWS.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

await Promise.all([buildClient(), buildServer()]);

const processors = cpus();
const surroundings = {
  cores: processors.length,
  processor: processors[0]?.model.trim() ?? 'unknown',
  memoryGB: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
  load: loadavg()[0] ?? 0,
  now: new Date(),
};

/**
 * Runs a row in its own folder. If the row fails, the folder is kept, because it contains the programs' error output.
 */
async function run(row: Row): Promise<RowResult> {
  console.error(`${row.title} …`);
  const folder = mkdtempSync(join(tmpdir(), `orchestrate-bench-${row.name}-`));
  const load = loadavg()[0] ?? 0;
  const measurements = await row.run(folder);
  rmSync(folder, { recursive: true });
  return { row, load, measurements };
}

if (revision !== undefined) await compareWith(revision);
else {
  const results: RowResult[] = [];
  for (const row of chosen) results.push(await run(row));
  console.log(`\n${formatTable(results)}\n`);
  if (chosen === ROWS) {
    writeFileSync(DOCUMENT, formatDocument(results, surroundings));
    console.log('Written to docs/benchmarks.md.');
  }
}

/** Runs every chosen row with this version and with another one of the repository, twice in turn. */
async function compareWith(revision: string): Promise<void> {
  const root = join(import.meta.dirname, '../..');
  const other = join(mkdtempSync(join(tmpdir(), 'orchestrate-bench-')), 'revision');
  const inherited: ExecFileSyncOptions = { stdio: ['ignore', 2, 2] };
  execFileSync('git', ['worktree', 'add', '--detach', other, revision], { cwd: root, ...inherited });
  try {
    const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
    const install = ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'];
    execFileSync(npx, install, { cwd: other, shell: process.platform === 'win32', ...inherited });
    execFileSync(process.execPath, ['scripts/start.js', '--help'], { cwd: other, ...inherited });
    const comparisons: Comparison[] = [];
    for (const row of chosen.filter(({ runsSources }) => !runsSources)) {
      const comparison = { row, ours: [] as RowResult[], theirs: [] as RowResult[] };
      for (let time = 0; time < 2; time += 1) {
        runPortalOf(root);
        comparison.ours.push(await run(row));
        runPortalOf(other);
        comparison.theirs.push(await run(row));
      }
      comparisons.push(comparison);
    }
    console.log(`\n${formatComparison(comparisons, revision)}\n`);
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', other], { cwd: root, ...inherited });
  }
}
