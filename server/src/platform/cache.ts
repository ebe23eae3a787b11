import type { Lifetime, Tx } from '@orchestrate/db';
import type { Deps } from '#deps.ts';

/**
 * Creates something slow for an organisation on first use; concurrent callers share the work.
 * @param keep must check the database, which may have changed meanwhile
 */
export function singleFlight<Made, Kept>(
  make: (deps: Deps, orgCode: string) => Promise<Made>,
  keep: (deps: Deps, tx: Tx, orgCode: string, made: Made) => Kept,
): (deps: Deps, orgCode: string) => Promise<Kept> {
  const oneAtATime = singleFlightByKey<Kept>();
  return (deps, orgCode) =>
    oneAtATime(deps, orgCode, async () => {
      const made = await make(deps, orgCode);
      return deps.db.transaction((tx) => keep(deps, tx, orgCode, made));
    });
}

/**
 * Caches a pure function of a text for the last `most` texts. The results must not be modified.
 */
export function boundedCache<Answer>(answerTo: (text: string) => Answer, most: number): (text: string) => Answer {
  const kept = new Map<string, Answer>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= most) kept.delete(oldest);
    const answer = answerTo(text);
    kept.set(text, answer);
    return answer;
  };
}

/**
 * Loads a value with the first call and caches it, because importing even a loaded module takes longer than calling it.
 * A failed load is not cached.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((reason: unknown) => {
      loaded = undefined;
      throw reason;
    });
    return loaded;
  };
}

/**
 * Returns a function work runs work callers for all concurrent callers with the same key; they share its result. Callers in
 * different worlds, and so of different portals, share nothing.
 */
export function singleFlightByKey<Result>(): (deps: Deps, key: string, work: () => Promise<Result>) => Promise<Result> {
  const all = new WeakMap<Lifetime, Map<string, Promise<Result>>>();
  return ({ world: { lifetime } }, key, work) => {
    const underway = all.get(lifetime) ?? new Map<string, Promise<Result>>();
    all.set(lifetime, underway);
    const known = underway.get(key);
    if (known) return known;
    const result = lifetime.run(work).finally(() => underway.delete(key));
    underway.set(key, result);
    return result;
  };
}
