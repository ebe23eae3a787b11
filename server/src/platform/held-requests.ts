import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Requests that lab faults delay or never answer. */
export interface HeldRequests {
  /** Waits for `ms` milliseconds or until `release` is called. */
  delay(ms: number): Promise<void>;
  /** Keeps a connection open without a response until `release` destroys it. */
  hang(socket: Socket): void;
  /** Resumes delayed requests and destroys hanging connections. */
  release(): void;
  /**
   * Releases all held requests and stops holding new requests, because a closing server waits for every request to
   * finish.
   */
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
