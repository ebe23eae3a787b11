import type { Lifetime, Tx } from '@orchestrate/db';
import type { Deps } from '#deps.ts';

/**
 * Returns a function that creates an organisation's slow-to-create value on first use. Concurrent calls share one
 * run.
 * @param keep stores the value; it must check the database first, because the data may have changed meanwhile
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
 * Returns a cached version of a pure function, which remembers the results for the last `most` strings. The results
 * must not be modified.
 */
export function boundedCache<Answer>(answerTo: (text: string) => Answer, most: number): (text: string) => Answer {
  const cache = new Map<string, Answer>();
  return (text) => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= most) cache.delete(oldest);
    const answer = answerTo(text);
    cache.set(text, answer);
    return answer;
  };
}

/**
 * Returns a function that loads a value on the first call and caches it, because even importing a module that is
 * already loaded is slower than a function call. A failed load is not cached.
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
 * Returns a function that runs `work` once for all concurrent calls with the same key and shares the result. Calls in
 * different worlds, and therefore in different portals, share nothing.
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
