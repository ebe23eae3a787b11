import { SECOND } from '@orchestrate/shared';

/** How long a client may ask for the same answer again (RFC 5080 §2.2.2). */
const KEPT_FOR = 30 * SECOND;
const KEPT_MAX = 20_000;

interface Entry {
  /** Undefined while the person is asked. */
  reply: Buffer | undefined;
  at: number;
}

/** The requests of late: a retransmission gets the answer of the first one, or none while that one waits. */
export interface Answered {
  /** 'new' the first time; afterwards its reply, or undefined while there is none. */
  find(key: string): Buffer | undefined | 'new';
  begin(key: string): void;
  end(key: string, reply: Buffer): void;
}

/** @param now milliseconds */
export function createAnswered(now: () => number): Answered {
  const entries = new Map<string, Entry>();

  /** The oldest come first: of those that still wait, a client has long given up. */
  function prune(): void {
    const oldest = now() - KEPT_FOR;
    for (const [key, { at, reply }] of entries) {
      if (entries.size <= KEPT_MAX && (at > oldest || reply === undefined)) return;
      entries.delete(key);
    }
  }

  return {
    find(key) {
      const entry = entries.get(key);
      return entry ? entry.reply : 'new';
    },
    begin(key) {
      prune();
      entries.set(key, { reply: undefined, at: now() });
    },
    end(key, reply) {
      entries.delete(key);
      entries.set(key, { reply, at: now() });
    },
  };
}
