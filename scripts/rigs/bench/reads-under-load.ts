import { getScimCredentials, type ReplyOf } from '@orchestrate/shared';
import autocannon from 'autocannon';
import { basicAuthHeader } from '../../basic.ts';
import { createDriver } from './create-driver.ts';
import { median } from './duration.ts';
import type { Program } from './programs.ts';

/** Number of autocannon connections. */
export const CONNECTIONS = 20;
const WHO = 'super.admin@acme.test';

/** One server's results under load. */
export interface LoadResult {
  perSecond: number;
  /** The server's processor time per request, in microseconds. */
  cost: number;
}

export interface ReadRequest {
  /** Path with the query string. */
  path: string;
  authorization: string;
}

/** Sends the same request to a server repeatedly. */
export async function load(
  program: Program,
  { path, authorization }: ReadRequest,
  seconds: number,
): Promise<LoadResult> {
  const before = await program.usage();
  const { requests, non2xx, errors } = await autocannon({
    url: `${program.url}${path}`,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization },
  });
  const after = await program.usage();
  if (non2xx > 0 || errors > 0) throw new Error(`${path} under load: ${non2xx} non-2xx responses, ${errors} errors.`);
  return { perSecond: requests.total / seconds, cost: (after.cpu - before.cpu) / requests.total };
}

/** Signs in an administrator. Returns the `Authorization` header. */
export async function adminAuthorization({ url }: Program): Promise<string> {
  const driver = createDriver(url);
  try {
    const person = (await driver.people('acme')).find(({ email }) => email === WHO);
    if (!person) throw new Error(`The seed data doesn't contain ${WHO}.`);
    return `Bearer ${(await driver.signIn(person)).authState.token}`;
  } finally {
    driver.close();
  }
}

export async function fetchJson<Answer extends object>(
  { url }: Program,
  { path, authorization }: ReadRequest,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, { headers: { authorization } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  const answer: Answer = JSON.parse(await response.text());
  return answer;
}

/** Formats the medians of several rounds. */
export function formatLoads(loads: readonly LoadResult[]): string {
  const perSecond = Math.round(median(loads.map((one) => one.perSecond)));
  const cost = median(loads.map((one) => one.cost));
  return `${perSecond.toLocaleString('en').replaceAll(',', ' ')} req/s, ${cost.toFixed(1)} µs each`;
}

/** Returns the `Authorization` header for acme's directory, from the credentials on the User Provisioning screen. */
export async function directoryAuthorization(portal: Program): Promise<string> {
  const path = `/api${getScimCredentials.path}`;
  const authorization = await adminAuthorization(portal);
  const { username, password } = await fetchJson<ReplyOf<typeof getScimCredentials>>(portal, { path, authorization });
  return basicAuthHeader(username, password);
}
