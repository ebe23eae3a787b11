import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pack } from '../../../pack.ts';
import { type Duration, medianDuration, wordedDuration } from '../duration.ts';
import { median } from '../median.ts';
import { beside, PORTAL, portalEnv, startProgram } from '../programs.ts';
import type { Measurement, Row } from '../row.ts';

const ROUNDS = 5;
const MAX_RATIO = 1.5;
const MAX_FIRST_MS = 2_000;
const MAX_IDLE_BYTES = 110 * 2 ** 20;
/** Between the first answer and measuring memory. */
const IDLE_MS = 1_000;

type Name = 'portal' | 'packed' | 'oidcProvider' | 'fastify';

interface Start {
  start: Duration;
  /** Bytes of resident memory, once it has settled. */
  rss: number;
}

export const coldStart: Row = {
  name: 'cold-start',
  title: 'Cold start and idle memory',
  about: `From starting the process to the end of its first answer with status 200, and its resident memory ${IDLE_MS / 1_000} s
later. The portal has a seeded database on disk and everything on; oidc-provider and Fastify are alone, with one client and one
route, in memory. It is started from its sources, as in this workspace, and from the package as others install it, which is what
the image runs. ${ROUNDS} rounds of all in turn; medians, and the median of the rounds' ratios. The portal has started
before, as it has on every start but the first: Node then finds its files compiled (decision 018). Its first
start here may also have to strip and compile what has changed since; that process keeps about 25 MB more.`,
  run: compareStarts,
};

async function compareStarts(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const portal = () => startOnce(PORTAL, { path: '/api/health', env: portalEnv(join(folder, 'portal.db')), log });
  const command = await install(join(folder, 'installed'));
  const packed = () =>
    startOnce(command, { path: '/api/health', args: ['start'], env: portalEnv(join(folder, 'packed.db')), log });
  const oidcProvider = () =>
    startOnce(beside('bare/oidc-provider.mjs'), { path: '/.well-known/openid-configuration', log });
  const fastify = () => startOnce(beside('bare/fastify.mjs'), { path: '/health', log });

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
  const start = (name: Name) => wordedDuration(medianDuration(rounds.map((round) => round[name].start)));
  const rss = (name: Name) => median(rounds.map((round) => round[name].rss));
  const ratioTo = (name: Name, of: Name = 'portal') =>
    median(rounds.map((round) => round[of].start.cpu / round[name].start.cpu));
  return [
    {
      what: 'start, beside oidc-provider alone',
      ours: start('portal'),
      bare: start('oidcProvider'),
      ratio: ratioTo('oidcProvider'),
      target: { words: `≤ ${MAX_RATIO}`, isMet: ratioTo('oidcProvider') <= MAX_RATIO },
    },
    {
      what: 'start of the package, beside oidc-provider alone',
      ours: start('packed'),
      bare: start('oidcProvider'),
      ratio: ratioTo('oidcProvider', 'packed'),
      target: { words: `≤ ${MAX_RATIO}`, isMet: ratioTo('oidcProvider', 'packed') <= MAX_RATIO },
    },
    { what: 'start, beside a bare Fastify', ours: start('portal'), bare: start('fastify'), ratio: ratioTo('fastify') },
    {
      what: 'idle memory, beside oidc-provider alone',
      ours: inMB(rss('portal')),
      bare: inMB(rss('oidcProvider')),
      ratio: rss('portal') / rss('oidcProvider'),
      target: { words: `≤ ${MAX_IDLE_BYTES / 2 ** 20} MB`, isMet: rss('portal') <= MAX_IDLE_BYTES },
    },
    {
      what: 'idle memory of the package, beside oidc-provider alone',
      ours: inMB(rss('packed')),
      bare: inMB(rss('oidcProvider')),
      ratio: rss('packed') / rss('oidcProvider'),
      target: { words: `≤ ${MAX_IDLE_BYTES / 2 ** 20} MB`, isMet: rss('packed') <= MAX_IDLE_BYTES },
    },
    {
      what: 'idle memory, beside a bare Fastify',
      ours: inMB(rss('portal')),
      bare: inMB(rss('fastify')),
      ratio: rss('portal') / rss('fastify'),
    },
    {
      what: 'first start: migrates and seeds',
      ours: wordedDuration(first.start),
      target: { words: `≤ ${MAX_FIRST_MS / 1_000} s`, isMet: first.start.cpu <= MAX_FIRST_MS },
    },
    { what: 'idle memory after the first start', ours: inMB(first.rss) },
  ];
}

/** Packs the portal and installs it into a folder, as others do; returns the file of its command. */
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
