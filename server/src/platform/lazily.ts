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
