import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { later, portalTime } from '../times.ts';
import { createClock as createClockOn } from './clock.ts';

const START = portalTime(Date.parse('2026-03-02T09:30:00.000Z'));
const fail = (reason: unknown) => {
  throw reason;
};

/** Creates a clock that runs on the fake timers. */
const createClock = (onError: (reason: unknown) => void, frozenAt?: number) =>
  createClockOn(onError, frozenAt, {
    now: () => Date.now(),
    setTimeout: (callback, ms) => setTimeout(callback, ms),
    clearTimeout: (timer) => clearTimeout(timer),
  });

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

test('calls due callbacks in time order before advance returns', () => {
  const clock = createClock(fail, START);
  const called: string[] = [];
  clock.at(later(START, 3_000), () => called.push('third'));
  clock.at(later(START, 1_000), () => called.push('first'));
  clock.at(later(START, 2_000), () => called.push('second'));
  clock.at(later(START, 9_000), () => called.push('later'));
  clock.advance(5);
  expect(called).toEqual(['first', 'second', 'third']);
  expect(clock.now()).toBe(START + 5_000);
  expect(clock.iso()).toBe('2026-03-02T09:30:05.000Z');
});

test('calls a callback that another callback schedules within the advanced time', () => {
  const clock = createClock(fail, START);
  const called: string[] = [];
  clock.at(later(START, 1_000), () => clock.at(later(START, 2_000), () => called.push('nested')));
  clock.advance(5);
  expect(called).toEqual(['nested']);
});

test('does not call a cancelled callback', () => {
  const clock = createClock(fail, START);
  const called: string[] = [];
  const cancel = clock.at(later(START, 1_000), () => called.push('off'));
  clock.at(later(START, 1_000), () => called.push('on'));
  cancel();
  clock.advance(5);
  expect(called).toEqual(['on']);
});

test('reports a failing callback and still calls the next callback', () => {
  const reasons: unknown[] = [];
  const clock = createClock((reason) => reasons.push(reason), START);
  const called: string[] = [];
  clock.at(later(START, 1), () => fail('broken'));
  clock.at(later(START, 2), () => called.push('next'));
  clock.advance(1);
  expect(reasons).toEqual(['broken']);
  expect(called).toEqual(['next']);
});

test('sets a single timer for the earliest callback in real time', () => {
  const clock = createClock(fail);
  const called: string[] = [];
  clock.at(later(START, 60_000), () => called.push('minute'));
  clock.at(later(START, 1_000), () => called.push('second'));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(called).toEqual(['second']);
  vi.advanceTimersByTime(59_000);
  expect(called).toEqual(['second', 'minute']);
  expect(vi.getTimerCount()).toBe(0);
});

test('sets no timer without callbacks, so the portal can be garbage-collected', () => {
  const clock = createClock(fail);
  const cancels = [60_000, 120_000].map((after) => clock.at(later(START, after), () => fail(after)));
  for (const cancel of cancels) {
    expect(vi.getTimerCount()).toBe(1);
    cancel();
  }
  expect(vi.getTimerCount()).toBe(0);
});

test('calls a callback for a past time soon but not synchronously', () => {
  for (const clock of [createClock(fail), createClock(fail, START)]) {
    const called: string[] = [];
    clock.at(later(START, -1), () => called.push('late'));
    expect(called).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(called).toEqual(['late']);
  }
});

test('calls a callback scheduled beyond the maximum timer delay', () => {
  const clock = createClock(fail);
  const called: string[] = [];
  const farOff = 60 * 86_400_000;
  clock.at(later(START, farOff), () => called.push('far'));
  vi.advanceTimersByTime(farOff - 1);
  expect(called).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(called).toEqual(['far']);
});

test('continues when advanced, stops when frozen, and follows real time when released', () => {
  const clock = createClock(fail);
  expect(clock.mode()).toBe('real');
  clock.advance(60);
  vi.advanceTimersByTime(1_000);
  expect(clock.mode()).toBe('offset');
  expect(clock.now()).toBe(START + 61_000);
  clock.freeze(START);
  vi.advanceTimersByTime(1_000);
  expect(clock.mode()).toBe('frozen');
  expect(clock.now()).toBe(START);
  clock.release();
  expect(clock.mode()).toBe('real');
  expect(clock.now()).toBe(START + 2_000);
});

test('restores a clock that was frozen from the start', () => {
  const clock = createClock(fail, START);
  clock.advance(60);
  clock.release();
  clock.set(clock.startSetting());
  expect(clock.mode()).toBe('frozen');
  expect(clock.now()).toBe(START);
});

test('does not call callbacks cancelled while the clock is being set', () => {
  const clock = createClock(fail, START);
  const called: string[] = [];
  const cancel = clock.at(later(START, 1_000), () => called.push('taken back'));
  clock.at(later(START, 1_000), () => called.push('due'));
  clock.set({ ...clock.setting(), frozenAt: START + 2_000 }, cancel);
  expect(called).toEqual(['due']);
});

test('runs on the real timers while a test in the same process fakes the global ones', async () => {
  const clock = createClockOn(fail);
  const began = clock.now();
  await new Promise<void>((resolve) => clock.at(later(began, 5), resolve));
  expect(clock.now()).toBeGreaterThanOrEqual(began + 5);
});
