import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Requests that faults of the lab delay, or leave without an answer. */
export interface HeldRequests {
  /** Waits for some time, in milliseconds, or until `release`. */
  delay(ms: number): Promise<void>;
  /** Leaves a connection without an answer until `release` destroys it. */
  hang(socket: Socket): void;
  /** Ends what is held: delayed requests continue, hanging connections end. */
  release(): void;
  /** Does the same, and holds nothing from then on: a server that closes waits for all requests. */
  close(): void;
}

export function createHeldRequests(): HeldRequests {
  let ending = new AbortController();
  return {
    async delay(ms) {
      await setTimeout(ms, undefined, { signal: ending.signal }).catch(() => undefined);
    },
    hang(socket) {
      const { signal } = ending;
      const end = () => socket.destroy();
      if (signal.aborted) end();
      signal.addEventListener('abort', end);
      socket.once('close', () => signal.removeEventListener('abort', end));
    },
    release() {
      const ended = ending;
      ending = new AbortController();
      ended.abort();
    },
    close: () => ending.abort(),
  };
}
