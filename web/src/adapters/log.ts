/** Logs a failure that people need not see to the browser's console. Never a token, code or key. */
export function logQuietly(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the client's only log; spec 1 §8 wants such failures logged and nothing else.
  console.warn(what, error);
}
