import { expect, test } from 'vitest';
import { createBus } from './bus.ts';

const fail = (reason: unknown) => {
  throw reason;
};

test('a listener is called when its topic changes, and no longer once it stops listening', () => {
  const bus = createBus(fail);
  const heard: string[] = [];
  const stop = bus.listen(['a', 'b'], () => heard.push('ab'));
  bus.listen(['a'], () => heard.push('a'));
  bus.changed('a');
  bus.changed('b');
  bus.changed('c');
  stop();
  bus.changed('a');
  bus.changed('b');
  expect(heard).toEqual(['ab', 'a', 'ab', 'a']);
  expect(bus.listeners('b')).toBe(0);
});

test('a listener may stop while it is called, and one that fails does not affect the others', () => {
  const reasons: unknown[] = [];
  const bus = createBus((reason) => reasons.push(reason));
  const heard: string[] = [];
  const stop = bus.listen(['a'], () => stop());
  bus.listen(['a'], () => fail('broken'));
  bus.listen(['a'], () => heard.push('last'));
  bus.changed('a');
  expect(reasons).toEqual(['broken']);
  expect(heard).toEqual(['last']);
  expect(bus.listeners('a')).toBe(2);
});
