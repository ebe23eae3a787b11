import { LIMITS } from '@orchestrate/shared';
import { spokenLanguage } from '#words/words.ts';

/** Time limit for a response, and for an upload or download that makes no progress, in milliseconds. */
export const RESPONSE_TIMEOUT_MS = 30_000;

/** Thrown if the portal has neither responded nor made progress within the time limit. */
export class ResponseTimeout extends Error {
  override readonly name = 'NoAnswer';
}

/** Returns the response delay requested from the lab with `?wait=` (in seconds), converted to milliseconds. */
const requestedWaitMs = (address: string) =>
  1_000 * Number(new URL(address, window.location.origin).searchParams.get('wait') ?? 0) || 0;

/**
 * Fetches like `fetch`, but waits for the complete response, with a time limit that restarts on any progress.
 * @throws ResponseTimeout after the limit, or the signal's reason if it is aborted
 */
export async function timedFetch(address: string, init: RequestInit = {}): Promise<Response> {
  const ending = new AbortController();
  const { signal: given } = init;
  const limit = RESPONSE_TIMEOUT_MS + requestedWaitMs(address);
  const stop = () => ending.abort(new ResponseTimeout());
  let timer = setTimeout(stop, limit);
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, limit);
  };
  const leave = () => ending.abort(given?.reason);
  if (given?.aborted) leave();
  given?.addEventListener('abort', leave);
  try {
    const headers = new Headers(init.headers);
    // Send the page's language, because it can differ from the browser's.
    headers.set('accept-language', spokenLanguage);
    const timed = { ...init, headers, signal: ending.signal };
    if (init.body instanceof FormData) {
      const { sendForm } = await import('./send-form.ts');
      return await sendForm(address, timed, restart);
    }
    const early = takeEarlyRead(address, init.method, headers);
    return await readCompletely(
      (early && (await orAborted(early, ending.signal))) ?? (await fetch(address, timed)),
      restart,
    );
  } catch (failure) {
    ending.signal.throwIfAborted();
    throw failure;
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', leave);
  }
}

/** Waits for a promise or for the signal, whose reason is then thrown. */
function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    promise.then(resolve, reject);
  });
}

/** Reads the whole response body. */
async function readCompletely(answer: Response, onProgress: () => void): Promise<Response> {
  if (!answer.body) return answer;
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = answer.body.getReader();
  for (;;) {
    onProgress();
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Response(whole, answer);
}

interface EarlyRead {
  /** Undefined after its use. */
  answer?: Promise<Response>;
  authorization: string | null;
  /** When the response becomes too old to be used, or the address can be requested early again. */
  until: number;
}

declare global {
  interface Window {
    /** Reads requested before their screen is displayed, by address (`boot.js`). */
    earlyReads?: Map<string, EarlyRead>;
    /** Requests a screen's first reads. Requests lists only if the screen's address has no query with filters. */
    readEarly?: (reads: readonly unknown[] | undefined, query: string) => void;
  }
}

/** Forgets the early responses, which don't contain the changes made since. */
export const dropEarlyReads = (): void => window.earlyReads?.clear();

/**
 * Returns the response to a read that was requested early for the same user, or undefined. Each response is used once.
 */
function takeEarlyRead(address: string, method: string | undefined, headers: Headers) {
  const early = method === 'GET' ? window.earlyReads?.get(address) : undefined;
  const answer = early?.answer;
  if (!answer) return undefined;
  const now = performance.now();
  const isUsable = now < early.until && early.authorization === headers.get('authorization');
  // Meanwhile, the cache has the response.
  Object.assign(early, { answer: undefined, until: now + LIMITS.cacheMs });
  return isUsable ? answer.catch(() => undefined) : undefined;
}
