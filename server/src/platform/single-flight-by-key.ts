import type { Deps } from '../deps.ts';

/**
 * Work that is done once for those who ask for it at the same time: the others get the same result. Each portal has its
 * own.
 * @returns runs `work`, or waits for what is already under way under this key
 */
export function singleFlightByKey<Result>(): (deps: Deps, key: string, work: () => Promise<Result>) => Promise<Result> {
  const all = new WeakMap<Deps, Map<string, Promise<Result>>>();
  return (deps, key, work) => {
    const underway = all.get(deps) ?? new Map<string, Promise<Result>>();
    all.set(deps, underway);
    const known = underway.get(key);
    if (known) return known;
    const result = work().finally(() => underway.delete(key));
    underway.set(key, result);
    return result;
  };
}
