import { MINUTE, readJson, SECOND } from '@orchestrate/shared';
import { z } from 'zod';
import { machineNow } from '#platform/adapters/clock.ts';
import type { createOutsideFetch } from '#platform/adapters/outside-fetch.ts';

/** Maximum number of key requests per address and minute, however many tokens have an unknown `kid`. */
const REQUESTS_PER_MINUTE = 10;

type KeyFetch = ReturnType<typeof createOutsideFetch>;

/** The most recently fetched keys. */
export interface CachedKeys {
  jwks: z.output<typeof jsonWebKeySet>;
  /** Time of the request, in seconds since the epoch by the machine's clock. */
  fetchedAt: number;
}

/**
 * Fetches the keys at one address for all sign-ins. Simultaneous calls share one request. Once the limit is reached,
 * the last response is returned again.
 */
export function createKeyFetch(fetch: KeyFetch): { fetch: KeyFetch; cached(): CachedKeys | undefined } {
  let sentAt: number[] = [];
  let pending: Promise<Response> | undefined;
  let latest: (CachedKeys & { response: Response }) | undefined;

  const send: KeyFetch = async (url, options) => {
    const response = await fetch(url, options);
    const jwks = response.ok ? await readJwks(response.clone()) : undefined;
    if (jwks) latest = { response, jwks, fetchedAt: Math.floor(machineNow() / SECOND) };
    return response;
  };

  return {
    async fetch(url, options) {
      const now = machineNow();
      sentAt = sentAt.filter((at) => now - at < MINUTE);
      if (latest && sentAt.length >= REQUESTS_PER_MINUTE) return latest.response.clone();
      if (!pending) {
        sentAt.push(now);
        pending = send(url, options).finally(() => {
          pending = undefined;
        });
      }
      return (await pending).clone();
    },
    cached: () => latest,
  };
}

const jsonWebKeySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

/** Reads a key set. Returns undefined for any other response; the library reports that error. */
async function readJwks(response: Response): Promise<CachedKeys['jwks'] | undefined> {
  return jsonWebKeySet.safeParse(readJson(await response.text())).data;
}
