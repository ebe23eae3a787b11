/** How long an answer may take, and how long an upload or a download may make no progress. */
export const ANSWER_LIMIT_MS = 30_000;

/** The portal has neither answered nor made progress for too long. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The lab can be asked to hold its answer for some seconds. */
const heldFor = (address: string) =>
  1_000 * Number(new URL(address, window.location.origin).searchParams.get('wait') ?? 0) || 0;

/**
 * Like `fetch`, with the whole answer, and a time limit that begins again with every part that is sent or received.
 * @throws NoAnswer after the limit; the signal's reason once that is aborted
 */
export async function timedFetch(address: string, init: RequestInit = {}): Promise<Response> {
  const ending = new AbortController();
  const { signal: given } = init;
  const limit = ANSWER_LIMIT_MS + heldFor(address);
  const stop = () => ending.abort(new NoAnswer());
  let timer = setTimeout(stop, limit);
  const goOn = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, limit);
  };
  const leave = () => ending.abort(given?.reason);
  if (given?.aborted) leave();
  given?.addEventListener('abort', leave);
  try {
    const timed = { ...init, signal: ending.signal };
    if (init.body instanceof FormData) {
      const { sendForm } = await import('./send-form.ts');
      return await sendForm(address, timed, goOn);
    }
    return await received(await fetch(address, timed), goOn);
  } catch (failure) {
    ending.signal.throwIfAborted();
    throw failure;
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', leave);
  }
}

/** The answer once it has arrived completely. */
async function received(answer: Response, onProgress: () => void): Promise<Response> {
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
