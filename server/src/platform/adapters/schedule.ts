import TinyQueue from 'tinyqueue';

interface Entry {
  time: number;
  /** Breaks ties: what was scheduled first is called first. */
  order: number;
  callback: (() => void) | null;
}

/** Callbacks by their due time. It has no clock: the caller says what time it is. */
export interface Schedule {
  /** Returns a function that cancels it. */
  add(time: number, callback: () => void): () => void;
  /** Removes and returns the earliest callback that is due at `now`. */
  takeDue(now: number): (() => void) | undefined;
  /** The time of the earliest callback. */
  nextTime(): number | undefined;
}

const inOrder = (a: Entry, b: Entry): number => a.time - b.time || a.order - b.order;

/**
 * A cancelled entry stays in the queue without its callback, until it reaches the top or cancelled entries outnumber
 * live ones.
 */
export function createSchedule(): Schedule {
  let queue = new TinyQueue<Entry>([], inOrder);
  let cancelled = 0;
  let order = 0;

  /** The earliest entry that has not been cancelled. */
  function top(): Entry | undefined {
    for (;;) {
      const entry = queue.peek();
      if (!entry || entry.callback) return entry;
      queue.pop();
      cancelled -= 1;
    }
  }

  function cancel(entry: Entry): void {
    if (!entry.callback) return;
    entry.callback = null;
    cancelled += 1;
    if (cancelled < 64 || cancelled * 2 < queue.length) return;
    queue = new TinyQueue(
      queue.data.filter(({ callback }) => callback),
      inOrder,
    );
    cancelled = 0;
  }

  return {
    add(time, callback) {
      const entry: Entry = { time, order: order++, callback };
      queue.push(entry);
      return () => cancel(entry);
    },
    takeDue(now) {
      const entry = top();
      if (!entry || entry.time > now) return undefined;
      const { callback } = entry;
      queue.pop();
      entry.callback = null;
      return callback ?? undefined;
    },
    nextTime: () => top()?.time,
  };
}
