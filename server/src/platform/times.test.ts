import { expect, test } from 'vitest';
import { createClock, machineNow } from './adapters/clock.ts';
import { readRetryAfter } from './live/next-delivery-attempt.ts';
import { later, type MachineTime, type PortalTime, portalTime } from './times.ts';

const START = Date.UTC(2026, 2, 2, 9, 30);
const fail = (reason: unknown) => {
  throw reason;
};

test('rejects mixing portal, machine and external times at compile time', () => {
  const clock = createClock(fail, START);
  const now: PortalTime = clock.now();
  const externalNow = clock.toExternalTime(now);
  const machine: MachineTime = machineNow();
  clock.at(later(now, 1_000), () => undefined)();

  // @ts-expect-error The schedule uses the portal's clock, not the machine's.
  clock.at(machine, () => undefined)();
  // @ts-expect-error External time has been converted already.
  clock.toExternalTime(externalNow);
  // @ts-expect-error A sum is not on any timeline: see `later`.
  clock.toExternalTime(now + 1_000);
  // @ts-expect-error Stored times are the portal's; the machine's must not be stored.
  portalTime(machine);
  // @ts-expect-error A receiver names a time by its own clock.
  readRetryAfter('1', now);
  // @ts-expect-error Adding to it does not make it the machine's.
  const wrong: MachineTime = later(now, 0);

  expect(readRetryAfter('1', externalNow)).toBe(1_000);
  expect(clock.toExternalTime(portalTime(START + 1_000)) - externalNow).toBeCloseTo(1_000, -2);
  expect(later(now, 1_000)).toBe(START + 1_000);
  expect(wrong).toBe(START);
});

test('returns the earlier of portal and machine time from pastOnBoth()', () => {
  const clock = createClock(fail, START);
  clock.setExternalClock('lab');
  expect(clock.pastOnBoth()).toBe(clock.now());
  clock.setExternalClock('machine');
  clock.freeze(machineNow() + 60_000);
  expect(clock.pastOnBoth()).toBeLessThan(clock.now());
  expect(Math.abs(clock.pastOnBoth() - machineNow())).toBeLessThan(1_000);
  clock.freeze(START - 60_000);
  expect(clock.pastOnBoth()).toBe(clock.now());
});
