import { oidcKeyRepo, seedTime } from '@orchestrate/db';
import { DAY } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { singleFlight } from '#platform/cache.ts';
import { worldSeed } from '#platform/world-seed.ts';

/** Signing algorithms. Every client supports RS256 (OpenID Connect Core 1.0 §15.1). */
const ALGORITHMS = ['RS256', 'ES256'] as const;

/** How long a key is used for signing, in milliseconds. */
const SIGNS_MS = 90 * DAY;
/** Minimum time that a key stays published after its successor has started to sign, in milliseconds. */
const PUBLISHED_MS = 30 * DAY;

type Key = oidcKeyRepo.OidcKeyRow;

/**
 * Returns an organisation's signing keys, newest first. The newest key of each algorithm signs. Creates keys on first
 * use, and renews keys that are too old.
 */
export function oidcKeys(deps: Deps, orgCode: string): Promise<Key[]> {
  const rows = oidcKeyRepo.listOidcKeys(deps.db, orgCode);
  if (algorithmsToRenew(rows, deps.clock.now()).length === 0) return Promise.resolve(rows);
  return renewKeys(deps, orgCode);
}

/** Returns the algorithms that have no key young enough to sign. */
export const algorithmsToRenew = (rows: readonly Pick<Key, 'alg' | 'createdAt'>[], now: number): Key['alg'][] =>
  ALGORITHMS.filter((alg) => !rows.some((row) => row.alg === alg && now - row.createdAt < SIGNS_MS));

/**
 * Returns keys that can be removed: their successor has been signing for so long that nothing they signed is still
 * valid.
 * @param rows newest first
 */
export function retiredKeys<Row extends Pick<Key, 'alg' | 'createdAt'>>(rows: readonly Row[], now: number): Row[] {
  return rows.filter((row, at) => {
    const successor = rows.slice(0, at).findLast(({ alg }) => alg === row.alg);
    return successor !== undefined && now - successor.createdAt >= PUBLISHED_MS;
  });
}

/**
 * Returns the earliest time at which a key stops being published, or null while the key signs.
 * @param rows newest first
 */
export function publishedUntil(rows: readonly Key[], { kid, alg }: Key): number | null {
  const older = rows.slice(
    0,
    rows.findIndex((row) => row.kid === kid),
  );
  const successor = older.findLast((row) => row.alg === alg);
  return successor ? successor.createdAt + PUBLISHED_MS : null;
}

/**
 * Creates the successor of the newest key of an algorithm, for `insertOidcKeys`. In a world with a seed, each key is
 * derived from its predecessor. If the derived key already exists because the clock was set back, the next key is
 * derived from the existing key.
 */
export async function createSuccessor(deps: Deps, orgCode: string, alg: Key['alg']): Promise<Key> {
  const rows = oidcKeyRepo.listOidcKeys(deps.db, orgCode);
  const seed = worldSeed(deps);
  const { createKey } = await import('./create-key.ts');
  let last = rows.find((key) => key.alg === alg)?.kid ?? '';
  const now = deps.clock.now();
  // A world's first key is part of its seed, so it gets the seed's time.
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
    const aged = algorithmsToRenew(oidcKeyRepo.listOidcKeys(deps.db, orgCode), deps.clock.now());
    return await Promise.all(aged.map((alg) => createSuccessor(deps, orgCode, alg)));
  },
  ({ clock }, tx, orgCode, created) => {
    const rows = oidcKeyRepo.listOidcKeys(tx, orgCode);
    const needed = algorithmsToRenew(rows, clock.now());
    const added = created.filter(({ alg }) => needed.includes(alg));
    if (added.length > 0) oidcKeyRepo.insertOidcKeys(tx, added);
    const retired = retiredKeys(rows, clock.now()).map(({ kid }) => kid);
    if (retired.length > 0) oidcKeyRepo.deleteOidcKeys(tx, orgCode, retired);
    return oidcKeyRepo.listOidcKeys(tx, orgCode);
  },
);
