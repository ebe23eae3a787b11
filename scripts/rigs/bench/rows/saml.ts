import { join } from 'node:path';
import { signInToApplication } from '../call-portal.ts';
import { median } from '../duration.ts';
import { PORTAL_ENTRY, type Program, portalEnv, scriptPath, startProgram } from '../programs.ts';
import { atLeast, type Measurement, type Row } from '../row.ts';

const ROUNDS = 5;
const WARM_UP = 300;
const ANSWERS = 150;
const MIN_RATIO = 0.8;

const APP = { orgCode: 'acme', appId: 'travel-desk' };

export const saml: Row = {
  name: 'saml',
  title: 'SAML responses',
  about: `The response to a sign-in that was approved on a phone, with a signed assertion and a signed message: the portal in its own
process, compared with samlify, the library that the portal signs with, alone on Node's HTTP server. samlify signs the same response with a key of the
same size, without users, applications or a database. ${ROUNDS} alternating rounds of ${ANSWERS} consecutive responses, after ${WARM_UP} warm-up responses; the steps
before the response are not counted. The ratio is processor time per response, the median of the rounds' ratios.`,
  run: compareAnswers,
};

/** A request for the SAML response: its URL and the browser's cookie. */
interface ResponseRequest {
  address: string;
  cookie: string;
}

async function compareAnswers(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const portal = await startProgram(PORTAL_ENTRY, {
    path: '/api/health',
    env: portalEnv(join(folder, 'portal.db')),
    log,
  });
  const bare = await startProgram(scriptPath('bare/saml-answers.mjs'), {
    path: '/health',
    env: { ANSWER: await answerOf(await approved(portal)) },
    log,
  });
  try {
    const signIns = async (count: number) => {
      const all: ResponseRequest[] = [];
      for (let made = 0; made < count; made += 1) all.push(await approved(portal));
      return all;
    };
    const alone = (count: number) => Array.from({ length: count }, () => ({ address: bare.url, cookie: '' }));
    await costOf(portal, await signIns(WARM_UP));
    await costOf(bare, alone(WARM_UP));
    const rounds: { ours: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const ours = await costOf(portal, await signIns(ANSWERS));
      rounds.push({ ours, bare: await costOf(bare, alone(ANSWERS)) });
    }
    const ratios = rounds.map((round) => round.bare / round.ours);
    const formatCost = (costs: number[]) => `${Math.round(median(costs))} µs each`;
    return [
      {
        what: 'compared with the library alone',
        ours: formatCost(rounds.map(({ ours }) => ours)),
        bare: formatCost(rounds.map((round) => round.bare)),
        ratio: median(ratios),
        ...atLeast(MIN_RATIO, ratios),
      },
    ];
  } finally {
    await Promise.all([portal.stop(), bare.stop()]);
  }
}

/** Starts a sign-in and approves it. Returns the request that fetches the SAML response. */
async function approved({ url }: Program): Promise<ResponseRequest> {
  const started = await fetch(`${url}/saml/${APP.orgCode}/${APP.appId}/sso`, { redirect: 'manual' });
  const cookie = started.headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ');
  const page = new URL(started.headers.get('location') ?? '', url);
  const appLoginId = page.searchParams.get('app') ?? '';
  const path = await signInToApplication(url, APP.orgCode, { appLoginId, cookie });
  return { address: new URL(path, url).href, cookie };
}

async function answerOf({ address, cookie }: ResponseRequest): Promise<string> {
  const text = await (await fetch(address, { headers: { cookie } })).text();
  const [, encoded] = /name="SAMLResponse" value="([^"]+)"/.exec(text) ?? [];
  if (encoded === undefined) throw new Error(`${address} returned no SAML response: ${text.slice(0, 300)}`);
  return Buffer.from(encoded.replaceAll('&#x2B;', '+'), 'base64').toString();
}

/** Returns the processor time per response, in microseconds. */
async function costOf(program: Program, requests: readonly ResponseRequest[]): Promise<number> {
  const before = await program.usage();
  for (const one of requests) await answerOf(one);
  return ((await program.usage()).cpu - before.cpu) / requests.length;
}
