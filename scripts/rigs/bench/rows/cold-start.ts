import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pack } from '../../../pack.ts';
import { type Duration, formatDuration, median, medianDuration } from '../duration.ts';
import { PORTAL_ENTRY, portalEnv, scriptPath, startProgram } from '../programs.ts';
import { atMost, type Measurement, type Row } from '../row.ts';

const ROUNDS = 5;
const MAX_RATIO = 1.5;
const MAX_FIRST_MS = 2_000;
const MAX_IDLE_MB = 105;
/** Time from the first response to the memory measurement, in milliseconds. */
const IDLE_MS = 1_000;

type Name = 'portal' | 'packed' | 'oidcProvider' | 'fastify';

interface Start {
  start: Duration;
  /** Resident memory after `IDLE_MS`, in bytes. */
  rss: number;
}

export const coldStart: Row = {
  name: 'cold-start',
  title: 'Cold start and idle memory',
  about: `Time from starting the process to the end of its first response with status 200, and resident memory ${IDLE_MS / 1_000} s
later. The portal has a seeded database on disk and all features on; oidc-provider and Fastify run alone in memory, with one client and one
route. The portal runs both as \`pnpm start\` does in this workspace, including the check that the build is up to date, and from the installed
package, as in the image.
${ROUNDS} alternating rounds of all programs; medians, and the median of the rounds' ratios. The portal has been started
before, so Node finds its compiled files in the cache (decision 018), as on every start but the first.`,
  run: compareStarts,
};

async function compareStarts(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const portal = () => startOnce(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(join(folder, 'portal.db')), log });
  const command = await install(join(folder, 'installed'));
  const packed = () =>
    startOnce(command, { path: '/api/health', args: ['start'], env: portalEnv(join(folder, 'packed.db')), log });
  const oidcProvider = () =>
    startOnce(scriptPath('bare/oidc-provider.mjs'), { path: '/.well-known/openid-configuration', log });
  const fastify = () => startOnce(scriptPath('bare/fastify.mjs'), { path: '/health', log });

  const first = await portal();
  await packed();
  const rounds: { portal: Start; packed: Start; oidcProvider: Start; fastify: Start }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      portal: await portal(),
      packed: await packed(),
      oidcProvider: await oidcProvider(),
      fastify: await fastify(),
    });
  }
  const start = (name: Name) => formatDuration(medianDuration(rounds.map((round) => round[name].start)));
  const rss = (name: Name) => median(rounds.map((round) => round[name].rss));
  const ratiosTo = (name: Name, of: Name = 'portal') =>
    rounds.map((round) => round[of].start.cpu / round[name].start.cpu);
  const memory = (name: Name) => rounds.map((round) => round[name].rss / 2 ** 20);
  return [
    {
      what: 'start, compared with oidc-provider',
      ours: start('portal'),
      bare: start('oidcProvider'),
      ratio: median(ratiosTo('oidcProvider')),
      ...atMost(MAX_RATIO, ratiosTo('oidcProvider')),
    },
    {
      what: 'start of the package, compared with oidc-provider',
      ours: start('packed'),
      bare: start('oidcProvider'),
      ratio: median(ratiosTo('oidcProvider', 'packed')),
      ...atMost(MAX_RATIO, ratiosTo('oidcProvider', 'packed')),
    },
    {
      what: 'start, compared with a bare Fastify',
      ours: start('portal'),
      bare: start('fastify'),
      ratio: median(ratiosTo('fastify')),
    },
    {
      what: 'idle memory, compared with oidc-provider',
      ours: inMB(rss('portal')),
      bare: inMB(rss('oidcProvider')),
      ratio: rss('portal') / rss('oidcProvider'),
      ...atMost(MAX_IDLE_MB, memory('portal'), 'MB'),
    },
    {
      what: 'idle memory of the package, compared with oidc-provider',
      ours: inMB(rss('packed')),
      bare: inMB(rss('oidcProvider')),
      ratio: rss('packed') / rss('oidcProvider'),
      ...atMost(MAX_IDLE_MB, memory('packed'), 'MB'),
    },
    {
      what: 'idle memory, compared with a bare Fastify',
      ours: inMB(rss('portal')),
      bare: inMB(rss('fastify')),
      ratio: rss('portal') / rss('fastify'),
    },
    {
      what: 'first start, with migration and seed',
      ours: formatDuration(first.start),
      ...atMost(MAX_FIRST_MS / 1_000, [first.start.cpu / 1_000], 's'),
    },
    { what: 'idle memory after the first start', ours: inMB(first.rss) },
  ];
}

/** Packs the portal and installs it into a folder. Returns the path of the portal's command. */
async function install(folder: string): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const file = await pack(join(folder, 'packed'));
  await promisify(execFile)(npm, ['install', '--prefer-offline', '--no-audit', '--no-fund', file], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
  return join(folder, 'node_modules/orchestrate/bin/orchestrate.js');
}

async function startOnce(file: string, options: Parameters<typeof startProgram>[1]): Promise<Start> {
  const { start, usage, stop } = await startProgram(file, options);
  await delay(IDLE_MS);
  const { rss } = await usage();
  await stop();
  return { start, rss };
}

const inMB = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;
