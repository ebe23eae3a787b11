import { MINUTE } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';

/** The reason why a request gets no response. */
export type Unanswered = 'no Message-Authenticator' | 'unknown secret' | 'weak secret';

/** Logs unanswered requests. Anyone can send them, so an organisation gets at most one line per minute. */
export interface QuietLog {
  add(why: Unanswered, address: string): void;
  /** Logs the rest, and stops. */
  close(): void;
}

export function createQuietLog({ log }: Pick<Deps, 'log'>, orgCode: string): QuietLog {
  let counts = new Map<Unanswered, number>();
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
    // In real time, like the log: the lab's clock may be frozen.
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
