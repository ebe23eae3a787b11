import { Agent, get } from 'node:http';
import type { Program } from './programs.ts';
import type { Reading } from './reads-under-load.ts';

/** Milliseconds of so many requests, one after the other over one connection; some before them are not counted. */
export async function timesOf({ url }: Program, { path, authorization }: Reading, count: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const timed = async () => {
    const began = performance.now();
    await new Promise<void>((done, fail) => {
      const request = get(`${url}${path}`, { agent, headers: { authorization } }, (response) => {
        response.resume().once('end', done);
      });
      request.once('error', fail);
    });
    return performance.now() - began;
  };
  try {
    for (let warmUp = 0; warmUp < count / 5; warmUp += 1) await timed();
    const times: number[] = [];
    for (let request = 0; request < count; request += 1) times.push(await timed());
    return times;
  } finally {
    agent.destroy();
  }
}

/** The value that `percent` of a hundred do not exceed. */
export function percentile(percent: number, values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN;
}
