import { expect, test } from 'vitest';
import { changeDevice, type DeviceFacts } from './change-device.ts';

const device = (zid: string, facts: Partial<DeviceFacts> = {}): DeviceFacts => ({
  zid,
  type: 'mobile',
  status: 'active',
  ...facts,
});
const phone = device('phone');
const tablet = device('tablet');
const laptop = device('laptop', { type: 'desktop' });
const oldPhone = device('old', { status: 'paused' });
const away = 'another';

test('one of two phones can be paused or deleted', () => {
  expect(changeDevice([phone, tablet], { action: 'pause', zid: 'phone', signInZid: away })).toBe('paused');
  expect(changeDevice([phone, tablet], { action: 'delete', zid: 'phone', signInZid: away })).toBe('removed');
});

test.each(['pause', 'delete'] as const)('%s: the device of this sign-in stays', (action) => {
  expect(() => changeDevice([phone, tablet], { action, zid: 'phone', signInZid: 'phone' })).toThrow(
    'device used for this login',
  );
});

// covers: spec 1.8.6
test.each([
  ['delete', phone, 'At least one mobile device should exist'],
  ['delete', laptop, 'At least one mobile device should exist'],
  ['pause', phone, 'Last mobile device cannot be disabled'],
  ['pause', laptop, 'At least one mobile device should exist'],
] as const)('%s: the only device stays, a %o', (action, only, reason) => {
  expect(() => changeDevice([only], { action, zid: only.zid, signInZid: away })).toThrow(reason);
});

test.each(['pause', 'delete'] as const)(
  '%s: keeps the last active phone even with a desktop and a paused phone',
  (action) => {
    expect(() => changeDevice([phone, laptop, oldPhone], { action, zid: 'phone', signInZid: 'laptop' })).toThrow(
      'Last mobile device',
    );
  },
);

test('a desktop or paused phone can be removed if an active phone remains', () => {
  const devices = [phone, laptop, oldPhone];
  expect(changeDevice(devices, { action: 'delete', zid: 'laptop', signInZid: 'phone' })).toBe('removed');
  expect(changeDevice(devices, { action: 'delete', zid: 'old', signInZid: 'phone' })).toBe('removed');
});

test('allows reporting the only device and the current one as lost', () => {
  expect(changeDevice([phone], { action: 'lose', zid: 'phone', signInZid: 'phone' })).toBe('lost');
});

test('pausing a paused device and enabling an active one have no effect', () => {
  expect(changeDevice([oldPhone], { action: 'pause', zid: 'old', signInZid: 'old' })).toBe('paused');
  expect(changeDevice([phone], { action: 'enable', zid: 'phone', signInZid: 'phone' })).toBe('active');
});

test("another member's device does not exist", () => {
  expect(() => changeDevice([phone], { action: 'lose', zid: 'tablet', signInZid: away })).toThrow(
    'There is no such device',
  );
});
