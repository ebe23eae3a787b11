/**
 * Logs a failure that users don't need to see to the browser's console. Never pass tokens, codes or keys to this
 * function.
 */
export function logQuietly(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the client's only log, for failures that spec 1 §8 requires to be only logged.
  console.warn(what, error);
}
