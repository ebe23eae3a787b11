import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { getProfile, getUser } from '@orchestrate/shared';
import { median } from '../duration.ts';
import { PORTAL_ENTRY, type Program, portalEnv, scriptPath, startProgram } from '../programs.ts';
import { adminAuthorization, CONNECTIONS, fetchJson, formatLoads, type LoadResult, load } from '../reads-under-load.ts';
import { atLeast, type Measurement, type Row } from '../row.ts';

const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_SECONDS = 2;
const MIN_RATIO = 0.5;

export const reads: Row = {
  name: 'reads',
  title: 'GET profile, GET user',
  about: `The portal with a session, compared with a bare Fastify that runs the same prepared SELECTs (for GET user, also the one for
devices) and returns the same JSON without authentication. Each runs in its own process; autocannon uses ${CONNECTIONS} connections from a
third. ${ROUNDS} alternating rounds of ${SECONDS} s. The ratio is processor time per request, because on a busy machine the requests per
second mostly reflect the other load; the median of the rounds' ratios. Nothing is written meanwhile, so the portal reads a session
once and caches it until the next write (decision 018); the first call after a write costs about twice as much.`,
  run: compareReads,
};

async function compareReads(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const file = join(folder, 'portal.db');
  const seeding = await startProgram(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(file), log });
  await seeding.stop();
  const copy = join(folder, 'bare.db');
  copyFileSync(file, copy);

  const portal = await startProgram(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(file), log });
  const authorization = await adminAuthorization(portal);
  const paths = [getProfile, getUser].map(({ path }) => `/api${path}`);
  const [profile, user] = await Promise.all(paths.map((path) => fetchJson(portal, { path, authorization })));
  const bare = await startProgram(scriptPath('bare/reads.mjs'), {
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
  const reading = { path, authorization };
  for (const program of [portal, bare]) sizes.push(JSON.stringify(await fetchJson(program, reading)).length);
  for (const program of [portal, bare]) await load(program, reading, WARM_UP_SECONDS);
  const rounds: { ours: LoadResult; theirs: LoadResult }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await load(portal, reading, SECONDS);
    rounds.push({ ours, theirs: await load(bare, reading, SECONDS) });
  }
  const ratios = rounds.map(({ ours, theirs }) => theirs.cost / ours.cost);
  return {
    what: `GET ${path.replace('/api/', '')}, ${sizes.join(' and ')} bytes`,
    ours: formatLoads(rounds.map(({ ours }) => ours)),
    bare: formatLoads(rounds.map(({ theirs }) => theirs)),
    ratio: median(ratios),
    ...atLeast(MIN_RATIO, ratios),
  };
}
