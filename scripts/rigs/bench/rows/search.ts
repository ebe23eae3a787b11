import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReplyOf, searchUsers } from '@orchestrate/shared';
import { median } from '../duration.ts';
import { COMMON_SEARCH, fillMembers, PREFIX_SEARCH, RARE_SEARCH } from '../fill-members.ts';
import { PORTAL_ENTRY, type Program, portalEnv, scriptPath, startProgram } from '../programs.ts';
import {
  adminAuthorization,
  CONNECTIONS,
  fetchJson,
  formatLoads,
  type LoadResult,
  load,
  type ReadRequest,
} from '../reads-under-load.ts';
import { atLeast, atMost, type Measurement, type Row } from '../row.ts';
import { percentile, timeRequests } from '../time-requests.ts';

const SIZES = [1_000, 100_000, 1_000_000] as const;
const ROUNDS = 3;
const SECONDS = 1;
/** Number of single requests per round and size. */
const TIMED = 300;
const PAGE = 20;
const LATER_PAGE = 100;
const MIN_RATIO = 0.5;
const MAX_GROWTH = 3;

const ANY = { field: 'any' };
/** Searches that the bare server doesn't support. */
const OWN = [
  { name: 'any field, a first name', path: 'search', query: { ...ANY, q: 'Marta' } },
  { name: 'any field, a full name', path: 'search', query: { ...ANY, q: 'Marta Lehmann' } },
  { name: 'any field, a common text', path: 'search', query: { ...ANY, q: COMMON_SEARCH.q } },
  { name: 'any field, a rare text', path: 'search', query: { ...ANY, q: RARE_SEARCH.q } },
  { name: 'counted, common', path: 'search/count', query: { ...ANY, q: COMMON_SEARCH.q } },
  { name: 'counted, rare', path: 'search/count', query: { ...ANY, q: RARE_SEARCH.q } },
  { name: 'sorted, rare', path: 'search', query: { ...ANY, q: RARE_SEARCH.q, sort: 'lastName' } },
] as const;

export const search: Row = {
  name: 'search',
  title: 'GET user/search',
  about: `The portal with a session, compared with a bare Fastify that runs one prepared SELECT over the same FTS5 trigram index,
joined with all displayed fields, without authentication. ${SIZES.map(inWords).join(', ')} members of one organisation, each size with its own
portal and bare server, all running at the same time and called alternately. Pages of ${PAGE}; the later page is the ${LATER_PAGE}th, or the last full one
if there are fewer. The prefix matches every sixteenth member, the common text two in fifteen, the rare one 25 to 75 members in total.
Features that only the portal has (any field, counting, sorting) are timed with ${SIZES.slice(-2).map(inWords).join(' and ')} members.
${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s; the ratio is processor time per request, the median of the rounds' ratios. The 95th
percentile is computed from ${ROUNDS * TIMED} single requests to each portal, sent alternately.`,
  run: compareSearches,
};

interface Size {
  members: number;
  portal: Program;
  bare: Program;
  authorization: string;
}

async function compareSearches(folder: string): Promise<Measurement[]> {
  const sizes: Size[] = [];
  try {
    for (const members of SIZES) sizes.push(await prepare(folder, members));
    const compared: Measurement[] = [];
    for (const { name, what } of [
      { name: 'prefix', what: PREFIX_SEARCH },
      { name: 'common text', what: COMMON_SEARCH },
      { name: 'rare text', what: RARE_SEARCH },
    ]) {
      const search = `/api/user/search?${new URLSearchParams(what)}`;
      compared.push(...(await compare(`${name}, first page`, sizes, async () => search)));
      if (what !== RARE_SEARCH)
        compared.push(...(await compare(`${name}, later page`, sizes, (size) => later(size, search))));
    }
    for (const { name, path, query } of OWN) {
      compared.push(await timed(name, sizes.slice(-2), `/api/user/${path}?${new URLSearchParams(query)}`));
    }
    return compared;
  } finally {
    await Promise.all(sizes.flatMap(({ portal, bare }) => [portal.stop(), bare.stop()]));
  }
}

/** Starts a portal and a bare server, each with its own database with `members` members. */
async function prepare(folder: string, members: number): Promise<Size> {
  const log = join(folder, 'log');
  const file = join(folder, 'members.db');
  const seeding = await startProgram(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(file), log });
  await seeding.stop();
  fillMembers(file, members);
  const copy = (name: string) => {
    const path = join(folder, `${name}-${members}.db`);
    // The database's secrets are sealed with the key in the `.key` file next to it, so copy both files.
    for (const part of ['', '.key']) copyFileSync(`${file}${part}`, `${path}${part}`);
    return path;
  };
  const portal = await startProgram(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(copy('portal')), log });
  const bare = await startProgram(scriptPath('bare/search.mjs'), {
    path: `/api/user/search?${new URLSearchParams(PREFIX_SEARCH)}`,
    env: { DATABASE_FILE: copy('bare') },
    log,
  });
  return { members, portal, bare, authorization: await adminAuthorization(portal) };
}

/** Returns the path of a later result page. */
async function later({ portal, authorization }: Size, search: string): Promise<string> {
  let path = search;
  for (let page = 1; page < LATER_PAGE; page += 1) {
    const next = await nextPage(portal, path, authorization, search);
    if (!next) break;
    path = next;
  }
  return path;
}

async function nextPage(
  portal: Program,
  path: string,
  authorization: string,
  search: string,
): Promise<string | undefined> {
  const { LastEvaluatedKey } = await fetchJson<ReplyOf<typeof searchUsers>>(portal, { path, authorization });
  if (!LastEvaluatedKey) return undefined;
  const next = `${search}&lastItem=${encodeURIComponent(JSON.stringify(LastEvaluatedKey))}`;
  const { Items } = await fetchJson<ReplyOf<typeof searchUsers>>(portal, { path: next, authorization });
  return Items.length === PAGE ? next : undefined;
}

interface Round {
  ours: LoadResult;
  theirs: LoadResult;
  /** The portal's response times for single requests, in milliseconds. */
  times: number[];
}

interface PortalTiming {
  size: Size;
  reading: ReadRequest;
  rounds: Round[];
}

async function ask(size: Size, pathOf: (size: Size) => Promise<string>): Promise<PortalTiming> {
  return { size, reading: { path: await pathOf(size), authorization: size.authorization }, rounds: [] };
}

async function compare(
  what: string,
  sizes: readonly Size[],
  pathOf: (size: Size) => Promise<string>,
): Promise<Measurement[]> {
  const responses = await Promise.all(sizes.map((size) => ask(size, pathOf)));
  for (const { size, reading } of responses) await requireSame(size, reading);
  for (let round = 0; round < ROUNDS; round += 1) {
    const times = await timeRequests(
      responses.map(({ size, reading }) => ({ program: size.portal, reading })),
      TIMED,
    );
    for (const [index, { size, reading, rounds }] of responses.entries()) {
      const ours = await load(size.portal, reading, SECONDS);
      const theirs = await load(size.bare, reading, SECONDS);
      rounds.push({ times: times[index] ?? [], ours, theirs });
    }
  }
  const measured = responses.map(({ size, rounds }) => measurement(`${what}, ${inWords(size.members)}`, rounds));
  return [...measured, growth(what, responses.at(0)?.rounds ?? [], responses.at(-1)?.rounds ?? [])];
}

/** Throws if the servers return different responses, which would make the comparison meaningless. */
async function requireSame({ portal, bare }: Size, reading: ReadRequest): Promise<void> {
  const [ours, theirs] = [await fetchJson(portal, reading), await fetchJson(bare, reading)].map((one) =>
    JSON.stringify(one),
  );
  if (ours !== theirs)
    throw new Error(`${reading.path} returns different responses:
${ours}
${theirs}`);
}

function measurement(what: string, rounds: readonly Round[]): Measurement {
  const ratios = rounds.map(({ ours, theirs }) => theirs.cost / ours.cost);
  return {
    what,
    ours: formatLoads(rounds.map(({ ours }) => ours)),
    bare: formatLoads(rounds.map(({ theirs }) => theirs)),
    ratio: median(ratios),
    ...atLeast(MIN_RATIO, ratios),
  };
}

/** Times a search that only the portal supports, with few and with many members. */
async function timed(what: string, sizes: readonly Size[], path: string): Promise<Measurement> {
  const requests = sizes.map(({ portal, authorization }) => ({ program: portal, reading: { path, authorization } }));
  const [few, many] = await timeRequests(requests, ROUNDS * TIMED);
  return grown(
    what,
    few ?? [],
    many ?? [],
    sizes.map(({ members }) => members),
  );
}

const growth = (what: string, few: readonly Round[], many: readonly Round[]): Measurement =>
  grown(
    what,
    few.flatMap(({ times }) => times),
    many.flatMap(({ times }) => times),
    [SIZES[0], SIZES[2]],
  );

function grown(what: string, few: number[], many: number[], [less = 0, more = 0]: readonly number[]): Measurement {
  const [small, large] = [percentile(95, few), percentile(95, many)];
  const ratio = large / small;
  return {
    what: `${what}, 95th percentile: ${inWords(more)} compared with ${inWords(less)}`,
    ours: `${large.toFixed(2)} ms`,
    bare: `${small.toFixed(2)} ms`,
    ratio,
    ...atMost(MAX_GROWTH, [ratio]),
  };
}

function inWords(members: number): string {
  return members.toLocaleString('en').replaceAll(',', ' ');
}
