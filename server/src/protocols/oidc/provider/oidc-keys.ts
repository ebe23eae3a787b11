import { oidcKeyRepo, seedTime } from '@orchestrate/db';
import { DAY } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { singleFlight } from '#platform/cache.ts';
import { worldSeed } from '#platform/world-seed.ts';

/** Every client supports RS256 (OpenID Connect Core 1.0 §15.1). */
const ALGORITHMS = ['RS256', 'ES256'] as const;

/** How long a key signs, in milliseconds. */
const SIGNS_MS = 90 * DAY;
/** Minimum time for which a key stays published after its successor has started to sign, in milliseconds. */
const PUBLISHED_MS = 30 * DAY;

type Key = oidcKeyRepo.OidcKeyRow;

/**
 * Returns an organisation's signing keys, newest first; the newest of each algorithm signs. Creates them on first use, and
 * renews those that are too old.
 */
export function oidcKeys(deps: Deps, orgCode: string): Promise<Key[]> {
  const rows = oidcKeyRepo.listOidcKeys(deps.db, orgCode);
  if (agedAlgorithms(rows, deps.clock.now()).length === 0) return Promise.resolve(rows);
  return renewKeys(deps, orgCode);
}

/** Returns the algorithms that have no key young enough to sign. */
export const agedAlgorithms = (rows: readonly Pick<Key, 'alg' | 'createdAt'>[], now: number): Key['alg'][] =>
  ALGORITHMS.filter((alg) => !rows.some((row) => row.alg === alg && now - row.createdAt < SIGNS_MS));

/**
 * Returns the keys whose successor has been signing for so long that nothing they signed is still valid.
 * @param rows newest first
 */
export function retiredKeys<Row extends Pick<Key, 'alg' | 'createdAt'>>(rows: readonly Row[], now: number): Row[] {
  return rows.filter((row, at) => {
    const successor = rows.slice(0, at).findLast(({ alg }) => alg === row.alg);
    return successor !== undefined && now - successor.createdAt >= PUBLISHED_MS;
  });
}

/** Returns the earliest time at which a key is no longer published; null while it signs. @param rows newest first */
export function publishedUntil(rows: readonly Key[], { kid, alg }: Key): number | null {
  const older = rows.slice(
    0,
    rows.findIndex((row) => row.kid === kid),
  );
  const successor = older.findLast((row) => row.alg === alg);
  return successor ? successor.createdAt + PUBLISHED_MS : null;
}

/**
 * Creates a key that succeeds the newest one of its algorithm, for `insertOidcKeys`. In a world with a seed, each key
 * follows from its predecessor; a key that already exists, created before the clock was set back, counts as one.
 */
export async function createSuccessor(deps: Deps, orgCode: string, alg: Key['alg']): Promise<Key> {
  const rows = oidcKeyRepo.listOidcKeys(deps.db, orgCode);
  const seed = worldSeed(deps);
  const { createKey } = await import('./create-key.ts');
  let last = rows.find((key) => key.alg === alg)?.kid ?? '';
  const now = deps.clock.now();
  // The first key of a world is part of its seed.
  const createdAt = seed !== undefined && last === '' ? seedTime(now) : now;
  for (;;) {
    const derivedFrom = seed === undefined ? undefined : `${seed}\noidc ${orgCode} ${alg} after ${last}`;
    const key = await createKey(orgCode, alg, createdAt, derivedFrom);
    if (!rows.some(({ kid }) => kid === key.kid)) return key;
    last = key.kid;
  }
}

const renewKeys = singleFlight(
  async (deps, orgCode) => {
    const aged = agedAlgorithms(oidcKeyRepo.listOidcKeys(deps.db, orgCode), deps.clock.now());
    return await Promise.all(aged.map((alg) => createSuccessor(deps, orgCode, alg)));
  },
  ({ clock }, tx, orgCode, created) => {
    const rows = oidcKeyRepo.listOidcKeys(tx, orgCode);
    const needed = agedAlgorithms(rows, clock.now());
    const added = created.filter(({ alg }) => needed.includes(alg));
    if (added.length > 0) oidcKeyRepo.insertOidcKeys(tx, added);
    const retired = retiredKeys(rows, clock.now()).map(({ kid }) => kid);
    if (retired.length > 0) oidcKeyRepo.deleteOidcKeys(tx, orgCode, retired);
    return oidcKeyRepo.listOidcKeys(tx, orgCode);
  },
);
