/** Logs a failure that users don't need to see to the browser's console. Never log tokens, codes or keys. */
export function logQuietly(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the client's only log, for failures that spec 1 §8 requires to be only logged.
  console.warn(what, error);
}
