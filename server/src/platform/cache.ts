import type { Lifetime, Tx } from '@orchestrate/db';
import type { Deps } from '#deps.ts';

/**
 * What an organisation gets on first use. Making it takes a while, so concurrent callers wait for the same one.
 * @param keep must look at what is in the database, which somebody else may have changed meanwhile
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
 * Keeps answers that depend on a text alone: those about the last `most` texts are remembered, and must not be changed.
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
 * Loads something with the first call and keeps it: importing even a loaded module takes longer than calling it. What
 * fails to load is not kept, so the next call tries again.
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
 * Returns a function that runs work once for all concurrent callers with the same key; they share its result. Callers in
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
