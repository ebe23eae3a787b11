import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSchedule } from './clock.ts';

test('orders the remaining entries by time, then by scheduling order', () => {
  const entries = fc.array(fc.record({ time: fc.integer({ min: 0, max: 50 }), isCancelled: fc.boolean() }), {
    maxLength: 400,
  });
  fc.assert(
    fc.property(entries, fc.integer({ min: 0, max: 50 }), (wanted, now) => {
      const schedule = createSchedule();
      const called: number[] = [];
      const cancels = wanted.map(({ time }, order) => schedule.add(time, () => called.push(order)));
      wanted.forEach(({ isCancelled }, order) => {
        if (isCancelled) cancels[order]?.();
      });
      for (let due = schedule.takeDue(now); due; due = schedule.takeDue(now)) due();

      const living = wanted.map((entry, order) => ({ ...entry, order })).filter(({ isCancelled }) => !isCancelled);
      const due = living.filter(({ time }) => time <= now).sort((a, b) => a.time - b.time || a.order - b.order);
      expect(called).toEqual(due.map(({ order }) => order));
      const later = living.filter(({ time }) => time > now).map(({ time }) => time);
      expect(schedule.nextTime()).toBe(later.length > 0 ? Math.min(...later) : undefined);
    }),
  );
});

test('ignores repeated cancellation of a callback that was already taken', () => {
  const schedule = createSchedule();
  const cancel = schedule.add(1, () => {});
  schedule.add(2, () => {});
  schedule.takeDue(1);
  cancel();
  cancel();
  expect(schedule.nextTime()).toBe(2);
});
