import { join } from 'node:path';
import autocannon from 'autocannon';
import { median } from '../duration.ts';
import { fillMembers } from '../fill-members.ts';
import { PORTAL_ENTRY, type Program, portalEnv, startProgram } from '../programs.ts';
import {
  CONNECTIONS,
  directoryAuthorization,
  fetchJson,
  formatLoads,
  type LoadResult,
  load,
} from '../reads-under-load.ts';
import { atLeast, type Measurement, type Row } from '../row.ts';

const MIN_CREATE_RATIO = 0.6;
const USERS = 10_000;
const ROUNDS = 3;
const SECONDS = 2;
/** Users created per round. The first round is a warm-up. */
const CREATES = 2_000;

/** Best results of other SCIM servers with this many users in memory, in requests per second on two cores. */
const BEST = { create: 4_300, eq: 2_970, co: 540, list: 1_630 };

export const scim: Row = {
  name: 'scim',
  title: 'SCIM',
  about: `A portal with ${USERS.toLocaleString('en').replaceAll(',', ' ')} users on disk, called by a directory with ${CONNECTIONS} connections. Creates are single POSTs, each in its own
transaction with its search index and log entry; ${CREATES} per round. Reads: ${ROUNDS} rounds of ${SECONDS} s. The results are compared with the best of the
other servers, which store their users in memory: scimgateway with 4 300 creates, 2 970 \`eq\`, 540 \`co\` and 35 lists per second, WorkOS emulate with 1 630 lists.
The portal is ahead if its processor time allows a higher rate; the number of requests actually answered also depends on other load.`,
  run: measureScim,
};

async function measureScim(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const file = join(folder, 'portal.db');
  const seeding = await startProgram(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(file), log });
  await seeding.stop();
  fillMembers(file, USERS);
  const portal = await startProgram(PORTAL_ENTRY, { path: '/api/health', env: portalEnv(file), log });
  try {
    const authorization = await directoryAuthorization(portal);
    const users = '/scim/v2/acme/Users';
    const filtered = (filter: string) => `${users}?${new URLSearchParams({ filter })}`;
    const otherUser = await fetchJson<{ Resources: { userName: string }[] }>(portal, {
      path: `${users}?startIndex=${USERS / 2}&count=1`,
      authorization,
    });
    const userName = otherUser.Resources[0]?.userName ?? '';
    const read = async (what: string, path: string, best: number | undefined) => {
      const rounds: LoadResult[] = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await load(portal, { path, authorization }, SECONDS));
      return measurement(what, rounds, best);
    };
    return [
      await read('filter eq on userName', filtered(`userName eq "${userName}"`), BEST.eq),
      await read('filter co, 25 to 75 matches', filtered('name.familyName co "xley-br"'), BEST.co),
      await read('filter co, first 100 of over 1 000 matches', filtered('name.familyName co "mann"'), BEST.co),
      await read('list, first 20', `${users}?count=20`, BEST.list),
      await read('list, 100 from the middle', `${users}?startIndex=${USERS / 2}&count=100`, undefined),
      await creates(portal, authorization),
    ];
  } finally {
    await portal.stop();
  }
}

async function creates(portal: Program, authorization: string): Promise<Measurement> {
  const rounds: LoadResult[] = [];
  let made = 0;
  const next = () => {
    made += 1;
    return userNumber(made);
  };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = await portal.usage();
    const { requests, duration, non2xx, errors } = await autocannon({
      url: `${portal.url}/scim/v2/acme/Users`,
      connections: CONNECTIONS,
      amount: CREATES,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/scim+json' },
      requests: [{ setupRequest: (request) => ({ ...request, body: next() }) }],
    });
    const after = await portal.usage();
    if (non2xx > 0 || errors > 0) throw new Error(`Creating: ${non2xx} refusals, ${errors} errors.`);
    if (round > 0)
      rounds.push({ perSecond: requests.total / duration, cost: (after.cpu - before.cpu) / requests.total });
  }
  return measurement('create', rounds, BEST.create, MIN_CREATE_RATIO);
}

const userNumber = (number: number): string =>
  JSON.stringify({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: `new.person.${number}@acme.test`,
    externalId: `external-${number}`,
    name: { givenName: 'New', familyName: `Person ${number}` },
    emails: [{ value: `new.person.${number}@acme.test`, type: 'work', primary: true }],
    active: true,
  });

function measurement(what: string, rounds: readonly LoadResult[], best: number | undefined, minRatio = 1): Measurement {
  if (best === undefined) return { what, ours: formatLoads(rounds) };
  const ratios = rounds.map(({ cost }) => 1_000_000 / cost / best);
  return {
    what,
    ours: formatLoads(rounds),
    bare: `${best.toLocaleString('en').replaceAll(',', ' ')} req/s`,
    ratio: median(ratios),
    ...atLeast(minRatio, ratios),
  };
}
