import { getScimCredentials, type ReplyOf } from '@orchestrate/shared';
import autocannon from 'autocannon';
import { basic } from '../../basic.ts';
import { createDriver } from './create-driver.ts';
import { median } from './median.ts';
import type { Program } from './programs.ts';

/** Connections of autocannon. */
export const CONNECTIONS = 20;
const WHO = 'super.admin@acme.test';

/** Results of one server under load. */
export interface Load {
  perSecond: number;
  /** Processor time of the server per request, in microseconds. */
  cost: number;
}

/** A request to send. */
export interface ReadRequest {
  /** Path with the query. */
  path: string;
  authorization: string;
}

/** Sends one request to a server repeatedly. */
export async function load(program: Program, { path, authorization }: ReadRequest, seconds: number): Promise<Load> {
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

/** Signs an administrator in. Returns the `Authorization` header. */
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
  { path, authorization }: ReadRequest,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, { headers: { authorization } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  const answer: Answer = JSON.parse(await response.text());
  return answer;
}

/** Formats the medians of several rounds. */
export function formatLoads(loads: readonly Load[]): string {
  const perSecond = Math.round(median(loads.map((one) => one.perSecond)));
  const cost = median(loads.map((one) => one.cost));
  return `${perSecond.toLocaleString('en').replaceAll(',', ' ')} req/s, ${cost.toFixed(1)} µs each`;
}

/** Returns the `Authorization` header of acme's directory, from the credentials under User Provisioning. */
export async function directoryOf(portal: Program): Promise<string> {
  const path = `/api${getScimCredentials.path}`;
  const authorization = await authorizationFor(portal);
  const { username, password } = await answerOf<ReplyOf<typeof getScimCredentials>>(portal, { path, authorization });
  return basic(username, password);
}
