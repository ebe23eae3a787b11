import { runDetached } from '@orchestrate/db';
import { SECOND } from '@orchestrate/shared';
import TinyQueue from 'tinyqueue';
import { type ExternalTime, later, type MachineTime, type PortalTime, portalTime } from '../times.ts';

interface Entry {
  time: number;
  /** Breaks ties: what was scheduled first is called first. */
  order: number;
  callback: (() => void) | null;
}

/** Callbacks by their due time. It has no clock: the caller says what time it is. */
interface Schedule {
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

export type ClockMode = 'real' | 'offset' | 'frozen';

/** Which clock the times in tokens, assertions and signatures follow. */
export type ExternalClock = 'machine' | 'lab';

/** The time that everything follows. */
export interface Clock {
  now(): PortalTime;
  /** ISO 8601 in UTC of `time`, or of now. */
  iso(time?: number): string;
  /**
   * Calls back once `time` has come, even if it lies in the past; never within this call. Returns a function that
   * cancels it.
   */
  at(time: PortalTime, callback: () => void): () => void;
  /**
   * Converts `time`, or now, for tokens, assertions and signatures: as far from the machine's own time as `time` is from
   * now, so that programs with a correct clock agree. If the lab is set so, it is `time` itself.
   */
  toExternalTime(time?: PortalTime): ExternalTime;
  /** Returns the latest time that is past on both timelines: the earlier one of now and `toExternalTime()`. */
  pastOnBoth(): PortalTime & ExternalTime;
  /** Whether external time is the machine's. */
  tellsMachineTime(): boolean;
}

/**
 * A clock that tests and the lab can set. Whatever falls due by setting it is called, in order, before the call
 * returns.
 */
export interface LabClock extends Clock {
  mode(): ClockMode;
  externalClock(): ExternalClock;
  setExternalClock(clock: ExternalClock): void;
  advance(seconds: number): void;
  /** Stops at `time`, in milliseconds; going backwards is allowed. */
  freeze(time: number): void;
  /** Returns to the machine's own time. */
  release(): void;
  /** How it was set at first. */
  startSetting(): ClockSetting;
  /** The time of that, in milliseconds. */
  startTime(): number;
  /** How it is set, to be given to `set` later, or to another clock. */
  setting(): ClockSetting;
  /**
   * @param begun called at the new time, before anything falls due: what was planned for another world is taken back
   * here
   */
  set(setting: ClockSetting, begun?: () => void): void;
}

/** How a clock is set, in milliseconds: frozen at a time, or offset from the machine's own time. */
export interface ClockSetting {
  externalClock: ExternalClock;
  frozenAt: number | undefined;
  offset: number;
}

/** The maximum delay of `setTimeout`; later times are waited for in several steps. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * One clock for a whole server. Real at first; frozen if `frozenAt` (milliseconds) is given.
 * @param onError told what a callback threw; the callbacks after it are still called.
 */
export function createClock(onError: (reason: unknown) => void, frozenAt?: number): LabClock {
  const schedule = createSchedule();
  let frozen = frozenAt;
  let offset = 0;
  let externalClock: ExternalClock = 'machine';
  let timer: NodeJS.Timeout | undefined;
  let timerTime = 0;

  const now = () => portalTime(frozen ?? Date.now() + offset);
  /** How far external time is ahead of the portal's. */
  const ahead = () => (externalClock === 'lab' ? 0 : frozen === undefined ? -offset : Date.now() - frozen);

  function fireDue(): void {
    for (let due = schedule.takeDue(now()); due; due = schedule.takeDue(now())) {
      try {
        // Detached from the work that set the timer or the clock.
        runDetached(due);
      } catch (reason) {
        onError(reason);
      }
    }
    wind();
  }

  /**
   * Sets the single timer, for the earliest callback. While the clock is frozen, nothing later than now ever falls due.
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

  /** Once the time itself has been set, the timer's delay no longer fits. */
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
        // A timer that waits for nothing would keep a portal that has ended in memory, for up to an hour.
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
    startTime: () => frozenAt ?? Date.now(),
    setting: () => ({ frozenAt: frozen, offset, externalClock }),
    set(setting, begun) {
      externalClock = setting.externalClock;
      frozen = setting.frozenAt;
      offset = setting.offset;
      begun?.();
      settle();
    },
  };
}

/**
 * The machine's own clock, in milliseconds since the epoch: for libraries that read it themselves and so must be given
 * times in its terms.
 */
export const machineNow = (): MachineTime => Date.now() as MachineTime;

/** Milliseconds of a clock that nobody sets, for measuring how long something takes on the wire. */
export const machineTicks = (): number => performance.now();
