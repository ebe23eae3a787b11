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

const isBefore = (a: Entry, b: Entry) => a.time < b.time || (a.time === b.time && a.order < b.order);

/**
 * A binary heap. A cancelled entry stays in the heap without its callback, until it reaches the top or cancelled
 * entries outnumber live ones.
 */
export function createSchedule(): Schedule {
  let heap: Entry[] = [];
  let cancelled = 0;
  let order = 0;

  function rise(from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!swapIfBefore(index, parent)) return;
      index = parent;
    }
  }

  function sink(from: number): void {
    let index = from;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      const leftEntry = heap[left];
      if (!leftEntry) return;
      const rightEntry = heap[right];
      const child = rightEntry && isBefore(rightEntry, leftEntry) ? right : left;
      if (!swapIfBefore(child, index)) return;
      index = child;
    }
  }

  function swapIfBefore(child: number, parent: number): boolean {
    const lower = heap[child];
    const upper = heap[parent];
    if (!lower || !upper || !isBefore(lower, upper)) return false;
    heap[child] = upper;
    heap[parent] = lower;
    return true;
  }

  function takeTop(): void {
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    heap[0] = last;
    sink(0);
  }

  /** The earliest entry that has not been cancelled. */
  function top(): Entry | undefined {
    for (;;) {
      const entry = heap[0];
      if (!entry || entry.callback) return entry;
      takeTop();
      cancelled -= 1;
    }
  }

  function cancel(entry: Entry): void {
    if (!entry.callback) return;
    entry.callback = null;
    cancelled += 1;
    if (cancelled < 64 || cancelled * 2 < heap.length) return;
    // A list sorted by time is a valid heap, and the sort runs only once per many cancellations.
    heap = heap.filter((kept) => kept.callback).sort((a, b) => (isBefore(a, b) ? -1 : 1));
    cancelled = 0;
  }

  return {
    add(time, callback) {
      const entry: Entry = { time, order: order++, callback };
      heap.push(entry);
      rise(heap.length - 1);
      return () => cancel(entry);
    },
    takeDue(now) {
      const entry = top();
      if (!entry || entry.time > now) return undefined;
      const { callback } = entry;
      takeTop();
      entry.callback = null;
      return callback ?? undefined;
    },
    nextTime: () => top()?.time,
  };
}
