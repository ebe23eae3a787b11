interface EarlyRead {
  answer: Promise<Response>;
  authorization?: string | null;
}

declare global {
  interface Window {
    /** Responses that the page requested before the client was loaded, by address (`boot.js`). */
    earlyReads?: Map<string, EarlyRead>;
  }
}

/** How long an early response can be used, in milliseconds since the start of the page. */
const FRESH_MS = 15_000;

/**
 * Returns the response to a read that the page has already requested for the same user, or undefined. Each response is
 * used once.
 */
export function takeEarlyRead(address: string, method: string | undefined, headers: Headers) {
  const early = method === 'GET' ? window.earlyReads?.get(address) : undefined;
  if (!early) return undefined;
  window.earlyReads?.delete(address);
  const isOfSameUser = (early.authorization ?? null) === headers.get('authorization');
  return isOfSameUser && performance.now() < FRESH_MS ? early.answer.catch(() => undefined) : undefined;
}
