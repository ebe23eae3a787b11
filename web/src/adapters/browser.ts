/** Returns the browser's time in Unix milliseconds. All other code must read the time from here. */
export const now = (): number => Date.now();

/** Returns the browser's time as a date. */
export const today = (): Date => new Date();

/** Returns the browser's time zone, e.g. `Europe/Berlin`. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns 128 random bits as hex. Also works over plain HTTP, where `randomUUID` is missing. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Logs a failure that users don't need to see to the browser's console. Never pass tokens, codes or keys to this
 * function.
 */
export function logQuietly(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the client's only log, for failures that spec 1 §8 requires to be only logged.
  console.warn(what, error);
}
