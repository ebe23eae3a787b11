import { oidcKeyRepo, seedTime } from '@orchestrate/db';
import { DAY } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { singleFlight } from '#platform/cache.ts';
import { worldSeed } from '#platform/world-seed.ts';

/** Every client supports RS256 (OpenID Connect Core 1.0 §15.1). */
const ALGORITHMS = ['RS256', 'ES256'] as const;

/** How long a key signs. */
const SIGNS_MS = 90 * DAY;
/** How long a key is published after its successor has taken over, for what it signed last; at least. */
const PUBLISHED_MS = 30 * DAY;

type Key = oidcKeyRepo.OidcKeyRow;

/**
 * The keys with which an organisation signs as an OpenID provider, newest first: the newest of each algorithm signs.
 * They are made on first use, and renewed when they are old.
 */
export function oidcKeys(deps: Deps, orgCode: string): Promise<Key[]> {
  const rows = oidcKeyRepo.listOidcKeys(deps.db, orgCode);
  if (agedAlgorithms(rows, deps.clock.now()).length === 0) return Promise.resolve(rows);
  return renewKeys(deps, orgCode);
}

/** The algorithms that have no key young enough to sign. */
export const agedAlgorithms = (rows: readonly Pick<Key, 'alg' | 'createdAt'>[], now: number): Key['alg'][] =>
  ALGORITHMS.filter((alg) => !rows.some((row) => row.alg === alg && now - row.createdAt < SIGNS_MS));

/**
 * Keys whose successor has been signing long enough that nothing they signed is still valid. @param rows newest first
 */
export function retiredKeys<Row extends Pick<Key, 'alg' | 'createdAt'>>(rows: readonly Row[], now: number): Row[] {
  return rows.filter((row, at) => {
    const successor = rows.slice(0, at).findLast(({ alg }) => alg === row.alg);
    return successor !== undefined && now - successor.createdAt >= PUBLISHED_MS;
  });
}

/** When a key is no longer published, at the earliest; null while it signs. @param rows newest first */
export function publishedUntil(rows: readonly Key[], { kid, alg }: Key): number | null {
  const older = rows.slice(
    0,
    rows.findIndex((row) => row.kid === kid),
  );
  const successor = older.findLast((row) => row.alg === alg);
  return successor ? successor.createdAt + PUBLISHED_MS : null;
}

/**
 * A key for `insertOidcKeys` that succeeds the newest one of its algorithm. Where keys are drawn, each follows from its
 * predecessor; one that is there already, made while the clock was behind, counts as a predecessor too.
 */
export async function makeSuccessor(deps: Deps, orgCode: string, alg: Key['alg']): Promise<Key> {
  const rows = oidcKeyRepo.listOidcKeys(deps.db, orgCode);
  const seed = worldSeed(deps);
  const { makeKey } = await import('./make-key.ts');
  let last = rows.find((key) => key.alg === alg)?.kid ?? '';
  const now = deps.clock.now();
  // The first one of a world is part of its seed.
  const createdAt = seed !== undefined && last === '' ? seedTime(now) : now;
  for (;;) {
    const drawnFrom = seed === undefined ? undefined : `${seed}\noidc ${orgCode} ${alg} after ${last}`;
    const key = await makeKey(orgCode, alg, createdAt, drawnFrom);
    if (!rows.some(({ kid }) => kid === key.kid)) return key;
    last = key.kid;
  }
}

const renewKeys = singleFlight(
  async (deps, orgCode) => {
    const aged = agedAlgorithms(oidcKeyRepo.listOidcKeys(deps.db, orgCode), deps.clock.now());
    return await Promise.all(aged.map((alg) => makeSuccessor(deps, orgCode, alg)));
  },
  ({ clock }, tx, orgCode, made) => {
    const rows = oidcKeyRepo.listOidcKeys(tx, orgCode);
    const needed = agedAlgorithms(rows, clock.now());
    const added = made.filter(({ alg }) => needed.includes(alg));
    if (added.length > 0) oidcKeyRepo.insertOidcKeys(tx, added);
    const retired = retiredKeys(rows, clock.now()).map(({ kid }) => kid);
    if (retired.length > 0) oidcKeyRepo.deleteOidcKeys(tx, orgCode, retired);
    return oidcKeyRepo.listOidcKeys(tx, orgCode);
  },
);
