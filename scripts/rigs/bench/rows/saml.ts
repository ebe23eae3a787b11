import { join } from 'node:path';
import { median } from '../median.ts';
import { beside, PORTAL, type Program, portalEnv, startProgram } from '../programs.ts';
import type { Measurement, Row } from '../row.ts';
import { signInToApplication } from '../sign-in-to-application.ts';

const ROUNDS = 5;
const WARM_UP = 300;
const ANSWERS = 150;
const MIN_RATIO = 0.8;

const APP = { orgCode: 'acme', appId: 'travel-desk' };

export const saml: Row = {
  name: 'saml',
  title: 'SAML responses',
  about: `The answer to one sign-in of a person whom a phone has approved, with assertion and message signed: the portal in a process of
its own against samlify, the library with which it signs, alone on Node's own HTTP server, which signs the portal's own answer with a key of the
same size and knows no person, no application and no database. ${ROUNDS} rounds of ${ANSWERS} answers in turn, one after the other, after ${WARM_UP}; what
precedes an answer is not counted. The ratio is that of processor time per answer, the median of the rounds' ratios.`,
  run: compareAnswers,
};

/** An address, and the cookie of the browser that asks for it. */
interface Asked {
  address: string;
  cookie: string;
}

async function compareAnswers(folder: string): Promise<Measurement[]> {
  const log = join(folder, 'log');
  const portal = await startProgram(PORTAL, {
    path: '/api/health',
    env: portalEnv(join(folder, 'portal.db')),
    log,
  });
  const bare = await startProgram(beside('bare/saml-answers.mjs'), {
    path: '/health',
    env: { ANSWER: await answerOf(await approved(portal)) },
    log,
  });
  try {
    const signIns = async (count: number) => {
      const all: Asked[] = [];
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
    const ratio = median(rounds.map((round) => round.bare / round.ours));
    const worded = (costs: number[]) => `${Math.round(median(costs))} µs each`;
    return [
      {
        what: 'beside the library alone',
        ours: worded(rounds.map(({ ours }) => ours)),
        bare: worded(rounds.map((round) => round.bare)),
        ratio,
        target: { words: `≥ ${MIN_RATIO}`, isMet: ratio >= MIN_RATIO },
      },
    ];
  } finally {
    await Promise.all([portal.stop(), bare.stop()]);
  }
}

/** Begins a sign-in and approves it: only the answer is still to come. */
async function approved({ url }: Program): Promise<Asked> {
  const begun = await fetch(`${url}/saml/${APP.orgCode}/${APP.appId}/sso`, { redirect: 'manual' });
  const cookie = begun.headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ');
  const page = new URL(begun.headers.get('location') ?? '', url);
  const appLoginId = page.searchParams.get('app') ?? '';
  const path = await signInToApplication(url, APP.orgCode, { appLoginId, cookie });
  return { address: new URL(path, url).href, cookie };
}

async function answerOf({ address, cookie }: Asked): Promise<string> {
  const text = await (await fetch(address, { headers: { cookie } })).text();
  const [, encoded] = /name="SAMLResponse" value="([^"]+)"/.exec(text) ?? [];
  if (encoded === undefined) throw new Error(`${address} did not answer by SAML: ${text.slice(0, 300)}`);
  return Buffer.from(encoded.replaceAll('&#x2B;', '+'), 'base64').toString();
}

/** Microseconds of processor time per answer. */
async function costOf(program: Program, asked: readonly Asked[]): Promise<number> {
  const before = await program.usage();
  for (const one of asked) await answerOf(one);
  return ((await program.usage()).cpu - before.cpu) / asked.length;
}
