/** `orchestrate start` alone, as `npx` or a script has it: what a script puts in the background with `&` is meant to stay. */
const FOREGROUND = /^[^&]*\borchestrate\b[^&]*$/;
const LOOK_MS = 500;

/**
 * npm passes a SIGTERM on to the shell between it and this process, and the shell ends without telling anybody. So where
 * npm started this process, it ends with its parent (decision 018). Windows keeps the number of a parent that has ended,
 * so nothing happens there.
 * @param script what npm runs, if it does
 * @returns stops looking
 */
export function endWithNpm(script: string | undefined, end: () => void): () => void {
  if (!FOREGROUND.test(script ?? '')) return () => undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) end();
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}
