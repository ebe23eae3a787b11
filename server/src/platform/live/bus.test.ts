import { expect, test } from 'vitest';
import { createBus } from './bus.ts';

const fail = (reason: unknown) => {
  throw reason;
};

test('calls a listener on changes to its topic until it unsubscribes', () => {
  const bus = createBus(fail);
  const received: string[] = [];
  const stop = bus.listen(['a', 'b'], () => received.push('ab'));
  bus.listen(['a'], () => received.push('a'));
  bus.changed('a');
  bus.changed('b');
  bus.changed('c');
  stop();
  bus.changed('a');
  bus.changed('b');
  expect(received).toEqual(['ab', 'a', 'ab', 'a']);
  expect(bus.listeners('b')).toBe(0);
});

test('lets a listener unsubscribe while it runs and still calls listeners after one fails', () => {
  const reasons: unknown[] = [];
  const bus = createBus((reason) => reasons.push(reason));
  const received: string[] = [];
  const stop = bus.listen(['a'], () => stop());
  bus.listen(['a'], () => fail('broken'));
  bus.listen(['a'], () => received.push('last'));
  bus.changed('a');
  expect(reasons).toEqual(['broken']);
  expect(received).toEqual(['last']);
  expect(bus.listeners('a')).toBe(2);
});
