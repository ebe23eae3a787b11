import { MINUTE } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';

/** Why a request gets no response. */
export type UnansweredReason = 'no Message-Authenticator' | 'unknown secret' | 'weak secret';

/**
 * Logs unanswered requests. Anyone can send such requests, so at most one line per minute is logged for each
 * organisation.
 */
export interface QuietLog {
  add(why: UnansweredReason, address: string): void;
  /** Logs the remaining requests and stops. */
  close(): void;
}

export function createQuietLog({ log }: Pick<Deps, 'log'>, orgCode: string): QuietLog {
  let counts = new Map<UnansweredReason, number>();
  let last = '';
  let timer: NodeJS.Timeout | undefined;

  function write(): void {
    const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
    if (count === 0) {
      timer = undefined;
      return;
    }
    const why = Object.fromEntries(counts);
    counts = new Map();
    log.info({ orgCode, count, why, from: last }, 'unanswered RADIUS requests');
    // Use real time, like the log: the lab's clock may be frozen.
    timer = setTimeout(write, MINUTE).unref();
  }

  return {
    add(why, address) {
      counts.set(why, (counts.get(why) ?? 0) + 1);
      last = address;
      if (timer === undefined) write();
    },
    close() {
      clearTimeout(timer);
      write();
      clearTimeout(timer);
    },
  };
}
