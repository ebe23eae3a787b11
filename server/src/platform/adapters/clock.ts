import { runDetached } from '@orchestrate/db';
import { SECOND } from '@orchestrate/shared';
import TinyQueue from 'tinyqueue';
import { type ExternalTime, later, type MachineTime, type PortalTime, portalTime } from '../times.ts';

/** The clock and timers that a portal's clock runs on. */
export interface Machine {
  /** Returns the time in milliseconds since the epoch. */
  now(): number;
  setTimeout(callback: () => void, ms: number): NodeJS.Timeout;
  clearTimeout(timer: NodeJS.Timeout | undefined): void;
}

/**
 * The real machine, captured when this module loads. A test in the same process can replace the globals later
 * (`vi.useFakeTimers()`), which must not stop the portal.
 */
const REAL_MACHINE: Machine = {
  now: Date.now,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
};

interface Entry {
  time: number;
  /** Scheduling order, to break ties between equal times. */
  order: number;
  callback: (() => void) | null;
}

/**
 * A queue of callbacks by due time. It has no clock, so each method that needs the current time receives it as an
 * argument.
 */
interface Schedule {
  /** Adds a callback and returns a function that cancels it. */
  add(time: number, callback: () => void): () => void;
  /** Removes and returns the earliest callback that is due at `now`. */
  takeDue(now: number): (() => void) | undefined;
  /** Returns the due time of the earliest callback, or undefined if there is none. */
  nextTime(): number | undefined;
}

const inOrder = (a: Entry, b: Entry): number => a.time - b.time || a.order - b.order;

/**
 * Creates a schedule. A cancelled entry stays in the queue without its callback until it reaches the top or until
 * cancelled entries outnumber active entries.
 */
export function createSchedule(): Schedule {
  let queue = new TinyQueue<Entry>([], inOrder);
  let cancelled = 0;
  let order = 0;

  /** Returns the earliest entry that isn't cancelled. */
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

export type ClockMode = 'real' | 'offset' | 'frozen';

/** Clock that determines the times in tokens, assertions and signatures. */
export type ExternalClock = 'machine' | 'lab';

/** The portal's clock, for reading the time and scheduling callbacks. */
export interface Clock {
  now(): PortalTime;
  /** Returns `time` (default: now) in ISO 8601, UTC. */
  iso(time?: number): string;
  /**
   * Runs `callback` at `time`, or soon if `time` has passed, but never synchronously. Returns a function that cancels
   * it.
   */
  at(time: PortalTime, callback: () => void): () => void;
  /**
   * Converts `time` (default: now) for use in tokens, assertions and signatures. The result keeps the distance
   * between `time` and now, measured from the machine's time, so programs with a correct clock accept it. If external
   * time follows the lab's clock, the result is `time` itself.
   */
  toExternalTime(time?: PortalTime): ExternalTime;
  /** Returns the latest time that is past on both timelines: the earlier of now and `toExternalTime()`. */
  pastOnBoth(): PortalTime & ExternalTime;
  /** Returns true if external time follows the machine's clock. */
  tellsMachineTime(): boolean;
}

/**
 * A clock that tests and the lab can set. Setting the clock runs all callbacks that become due, in order, before the
 * call returns.
 */
export interface LabClock extends Clock {
  mode(): ClockMode;
  externalClock(): ExternalClock;
  setExternalClock(clock: ExternalClock): void;
  advance(seconds: number): void;
  /** Freezes the clock at `time`, in milliseconds since the epoch. `time` can be in the past. */
  freeze(time: number): void;
  /** Returns to the machine's time. */
  release(): void;
  /** Returns the initial setting. */
  startSetting(): ClockSetting;
  /**
   * Returns the time that the clock shows in its initial setting, in milliseconds: the initial freeze time, or the
   * machine's time.
   */
  startTime(): number;
  /** Returns the current setting, which can be passed to `set` of any clock. */
  setting(): ClockSetting;
  /**
   * Applies a setting.
   * @param onSet called at the new time before any callback runs, to cancel callbacks of the previous world
   */
  set(setting: ClockSetting, onSet?: () => void): void;
}

/** Clock setting, in milliseconds: frozen at a time, or offset from the machine's time. */
export interface ClockSetting {
  externalClock: ExternalClock;
  frozenAt: number | undefined;
  offset: number;
}

/** Maximum delay of `setTimeout`. Longer delays need several timers in sequence. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * Creates a server clock that runs in real time, or is frozen at `frozenAt` (milliseconds since the epoch).
 * @param onError called with any error thrown by a callback; later callbacks still run
 */
export function createClock(
  onError: (reason: unknown) => void,
  frozenAt?: number,
  { now: realNow, setTimeout, clearTimeout }: Machine = REAL_MACHINE,
): LabClock {
  const schedule = createSchedule();
  let frozen = frozenAt;
  let offset = 0;
  let externalClock: ExternalClock = 'machine';
  let timer: NodeJS.Timeout | undefined;
  let timerTime = 0;

  const now = () => portalTime(frozen ?? realNow() + offset);
  /** Returns how far external time is ahead of portal time. External time can come from a fake clock in this process. */
  const ahead = () => {
    if (externalClock === 'lab') return 0;
    return frozen === undefined ? machineNow() - realNow() - offset : machineNow() - frozen;
  };

  function fireDue(): void {
    for (let due = schedule.takeDue(now()); due; due = schedule.takeDue(now())) {
      try {
        // Run callbacks outside the async context in which the timer or the clock was set.
        runDetached(due);
      } catch (reason) {
        onError(reason);
      }
    }
    wind();
  }

  /**
   * Sets the single timer for the earliest callback. A frozen clock needs no timer, because its time never reaches a
   * later callback.
   */
  function wind(): void {
    const next = schedule.nextTime();
    if (timer && next === timerTime) return;
    clearTimeout(timer);
    timer = undefined;
    if (next === undefined || (frozen !== undefined && next > frozen)) return;
    timerTime = next;
    timer = setTimeout(onTimer, Math.min(Math.max(next - now(), 0), LONGEST_DELAY_MS));
    timer.unref();
  }

  function onTimer(): void {
    timer = undefined;
    fireDue();
  }

  /** Runs due callbacks and resets the timer after the clock was set. */
  function settle(): void {
    clearTimeout(timer);
    timer = undefined;
    fireDue();
  }

  return {
    now,
    iso: (time = now()) => new Date(time).toISOString(),
    at(time, callback) {
      const cancel = schedule.add(time, callback);
      if (!timer || time < timerTime) wind();
      return () => {
        cancel();
        // A timer that outlives its last callback would keep a closed portal in memory for up to an hour.
        if (schedule.nextTime() === undefined) wind();
      };
    },
    toExternalTime: (time = now()) => (time + ahead()) as ExternalTime,
    pastOnBoth: () => later(now(), Math.min(ahead(), 0)) as PortalTime & ExternalTime,
    tellsMachineTime: () => externalClock === 'machine',
    externalClock: () => externalClock,
    setExternalClock(clock) {
      externalClock = clock;
    },
    mode: () => (frozen !== undefined ? 'frozen' : offset === 0 ? 'real' : 'offset'),
    advance(seconds) {
      const span = Math.round(seconds * SECOND);
      if (frozen === undefined) offset += span;
      else frozen += span;
      settle();
    },
    freeze(time) {
      frozen = time;
      settle();
    },
    release() {
      frozen = undefined;
      offset = 0;
      settle();
    },
    startSetting: () => ({ frozenAt, offset: 0, externalClock: 'machine' }),
    startTime: () => frozenAt ?? realNow(),
    setting: () => ({ frozenAt: frozen, offset, externalClock }),
    set(setting, onSet) {
      externalClock = setting.externalClock;
      frozen = setting.frozenAt;
      offset = setting.offset;
      onSet?.();
      settle();
    },
  };
}

/** Returns the machine's time in milliseconds since the epoch, for libraries that rely on real time. */
export const machineNow = (): MachineTime => Date.now() as MachineTime;

/** Returns a monotonic time in milliseconds, for measuring durations. */
export const machineTicks = (): number => performance.now();
