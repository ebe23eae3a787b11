import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { getProfile, getUser } from '@orchestrate/shared';
import autocannon from 'autocannon';
import { createDriver } from '../create-driver.ts';
import { median } from '../median.ts';
import { beside, PORTAL, type Program, portalEnv, startProgram } from '../programs.ts';
import type { Measurement, Row } from '../row.ts';

const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_SECONDS = 2;
const CONNECTIONS = 20;
const MIN_RATIO = 0.5;
const WHO = 'super.admin@acme.test';

/** One server under load. */
interface Load {
  perSecond: number;
  /** Processor time of the server per request, in microseconds. */
  cost: number;
}

export const reads: Row = {
  name: 'reads',
  title: 'GET profile, GET user',
  about: `The portal with a session against a bare Fastify that makes the same prepared SELECT (for GET user, also that of the
devices) and answers with the same JSON, without asking who calls. Each in a process of its own; ${CONNECTIONS} connections of autocannon from a
third. ${ROUNDS} rounds of ${SECONDS} s, in turn. The ratio is that of processor time per request, since on a busy machine the requests per
second say more about the neighbours; the median of the rounds' ratios. Nothing is written meanwhile, so the portal reads a session
once and remembers it until something is (decision 012); the first call after a write costs about twice as much.`,
  run: compareReads,
};

async function compareReads(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const file = join(folder, 'portal.db');
  const seeding = await startProgram(PORTAL, { path: '/api/health', env: portalEnv(file), log });
  await seeding.stop();
  const copy = join(folder, 'bare.db');
  copyFileSync(file, copy);

  const portal = await startProgram(PORTAL, { path: '/api/health', env: portalEnv(file), log });
  const authorization = `Bearer ${await tokenOf(portal)}`;
  const paths = [getProfile, getUser].map(({ path }) => `/api${path}`);
  const [profile, user] = await Promise.all(paths.map((path) => answerOf(`${portal.url}${path}`, authorization)));
  const bare = await startProgram(beside('bare/reads.mjs'), {
    path: '/api/profile',
    env: { DATABASE_FILE: copy, ANSWERS: JSON.stringify({ profile, user }) },
    log,
  });
  try {
    const compared: Measurement[] = [];
    for (const path of paths) compared.push(await compare(path, { portal, bare, authorization }));
    return compared;
  } finally {
    await Promise.all([portal.stop(), bare.stop()]);
  }
}

interface Compared {
  portal: Program;
  bare: Program;
  authorization: string;
}

async function compare(path: string, { portal, bare, authorization }: Compared): Promise<Measurement> {
  const sizes = [];
  for (const { url } of [portal, bare])
    sizes.push(JSON.stringify(await answerOf(`${url}${path}`, authorization)).length);
  for (const program of [portal, bare]) await load(program, path, authorization, WARM_UP_SECONDS);
  const rounds: { ours: Load; theirs: Load }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await load(portal, path, authorization, SECONDS);
    rounds.push({ ours, theirs: await load(bare, path, authorization, SECONDS) });
  }
  const ratio = median(rounds.map(({ ours, theirs }) => theirs.cost / ours.cost));
  return {
    what: `GET ${path.replace('/api/', '')}, ${sizes.join(' and ')} bytes`,
    ours: worded(rounds.map(({ ours }) => ours)),
    bare: worded(rounds.map(({ theirs }) => theirs)),
    ratio,
    target: { words: `≥ ${MIN_RATIO}`, isMet: ratio >= MIN_RATIO },
  };
}

async function load(program: Program, path: string, authorization: string, duration: number): Promise<Load> {
  const before = await program.usage();
  const { requests, non2xx, errors } = await autocannon({
    url: `${program.url}${path}`,
    connections: CONNECTIONS,
    duration,
    headers: { authorization },
  });
  const after = await program.usage();
  if (non2xx > 0 || errors > 0) throw new Error(`${path} under load: ${non2xx} refusals, ${errors} errors.`);
  return { perSecond: requests.total / duration, cost: (after.cpu - before.cpu) / requests.total };
}

async function tokenOf({ url }: Program): Promise<string> {
  const driver = createDriver(url);
  try {
    const person = (await driver.people('acme')).find(({ email }) => email === WHO);
    if (!person) throw new Error(`The seed has no ${WHO}.`);
    return (await driver.signIn(person)).authState.token;
  } finally {
    driver.close();
  }
}

async function answerOf(address: string, authorization: string): Promise<object> {
  const response = await fetch(address, { headers: { authorization } });
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  const answer: object = JSON.parse(await response.text());
  return answer;
}

function worded(loads: readonly Load[]): string {
  const perSecond = Math.round(median(loads.map((one) => one.perSecond)));
  const cost = median(loads.map((one) => one.cost));
  return `${perSecond.toLocaleString('en').replaceAll(',', ' ')} req/s, ${cost.toFixed(1)} µs each`;
}
