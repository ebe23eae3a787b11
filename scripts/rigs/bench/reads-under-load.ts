import { getScimCredentials, type ReplyOf } from '@orchestrate/shared';
import autocannon from 'autocannon';
import { basic } from '../../basic.ts';
import { createDriver } from './create-driver.ts';
import { median } from './median.ts';
import type { Program } from './programs.ts';

/** Of autocannon. */
export const CONNECTIONS = 20;
const WHO = 'super.admin@acme.test';

/** One server under load. */
export interface Load {
  perSecond: number;
  /** Processor time of the server per request, in microseconds. */
  cost: number;
}

/** The request to send, and the person who sends it. */
export interface Reading {
  /** With its query. */
  path: string;
  authorization: string;
}

/** Sends one request to a server repeatedly. */
export async function load(program: Program, { path, authorization }: Reading, seconds: number): Promise<Load> {
  const before = await program.usage();
  const { requests, non2xx, errors } = await autocannon({
    url: `${program.url}${path}`,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization },
  });
  const after = await program.usage();
  if (non2xx > 0 || errors > 0) throw new Error(`${path} under load: ${non2xx} refusals, ${errors} errors.`);
  return { perSecond: requests.total / seconds, cost: (after.cpu - before.cpu) / requests.total };
}

/** The `Authorization` header of an administrator who has just signed in to a portal. */
export async function authorizationFor({ url }: Program): Promise<string> {
  const driver = createDriver(url);
  try {
    const person = (await driver.people('acme')).find(({ email }) => email === WHO);
    if (!person) throw new Error(`The seed has no ${WHO}.`);
    return `Bearer ${(await driver.signIn(person)).authState.token}`;
  } finally {
    driver.close();
  }
}

export async function answerOf<Answer extends object>(
  { url }: Program,
  { path, authorization }: Reading,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, { headers: { authorization } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  const answer: Answer = JSON.parse(await response.text());
  return answer;
}

/** The medians of several rounds, for people. */
export function worded(loads: readonly Load[]): string {
  const perSecond = Math.round(median(loads.map((one) => one.perSecond)));
  const cost = median(loads.map((one) => one.cost));
  return `${perSecond.toLocaleString('en').replaceAll(',', ' ')} req/s, ${cost.toFixed(1)} µs each`;
}

/** The header of acme's directory, by what the portal shows an administrator under User Provisioning. */
export async function directoryOf(portal: Program): Promise<string> {
  const path = `/api${getScimCredentials.path}`;
  const authorization = await authorizationFor(portal);
  const { username, password } = await answerOf<ReplyOf<typeof getScimCredentials>>(portal, { path, authorization });
  return basic(username, password);
}
