import { Agent, get } from 'node:http';
import type { Program } from './programs.ts';
import type { ReadRequest } from './reads-under-load.ts';

/** A server and the request to send. */
export interface TimedRequest {
  program: Program;
  reading: ReadRequest;
}

/**
 * Times `count` single requests to each of several servers, in milliseconds. The servers take turns, which spreads
 * other load on the machine evenly. Warm-up requests are not counted.
 */
export async function timeRequests(requests: readonly TimedRequest[], count: number): Promise<number[][]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = requests.map((): number[] => []);
  try {
    for (let request = -Math.ceil(count / 5); request < count; request += 1) {
      for (const [index, one] of requests.entries()) {
        const time = await timeOf(agent, one);
        if (request >= 0) times[index]?.push(time);
      }
    }
    return times;
  } finally {
    agent.destroy();
  }
}

async function timeOf(agent: Agent, { program, reading: { path, authorization } }: TimedRequest): Promise<number> {
  const began = performance.now();
  await new Promise<void>((done, fail) => {
    const request = get(`${program.url}${path}`, { agent, headers: { authorization } }, (response) => {
      response.resume().once('end', done);
    });
    request.once('error', fail);
  });
  return performance.now() - began;
}

/** Returns the smallest value that at least `percent` per cent of the values don't exceed. */
export function percentile(percent: number, values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN;
}
