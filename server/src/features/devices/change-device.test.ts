import { expect, test } from 'vitest';
import { type DeviceFacts, nextDeviceStatus } from './change-device.ts';

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

test('lets one of two phones be paused or deleted', () => {
  expect(nextDeviceStatus([phone, tablet], { action: 'pause', zid: 'phone', signInZid: away })).toBe('paused');
  expect(nextDeviceStatus([phone, tablet], { action: 'delete', zid: 'phone', signInZid: away })).toBe('removed');
});

test.each(['pause', 'delete'] as const)('%s: refuses to change the device of the current sign-in', (action) => {
  expect(() => nextDeviceStatus([phone, tablet], { action, zid: 'phone', signInZid: 'phone' })).toThrow(
    'device used for this login',
  );
});

// covers: spec 1.8.6
test.each([
  ['delete', phone, 'At least one mobile device should exist'],
  ['delete', laptop, 'At least one mobile device should exist'],
  ['pause', phone, 'Last mobile device cannot be disabled'],
  ['pause', laptop, 'At least one mobile device should exist'],
] as const)('%s: refuses to change the only device, %o', (action, only, reason) => {
  expect(() => nextDeviceStatus([only], { action, zid: only.zid, signInZid: away })).toThrow(reason);
});

test.each(['pause', 'delete'] as const)(
  '%s: keeps the last active phone, even if a desktop and a paused phone remain',
  (action) => {
    expect(() => nextDeviceStatus([phone, laptop, oldPhone], { action, zid: 'phone', signInZid: 'laptop' })).toThrow(
      'Last mobile device',
    );
  },
);

test('lets a desktop or paused phone be removed if an active phone remains', () => {
  const devices = [phone, laptop, oldPhone];
  expect(nextDeviceStatus(devices, { action: 'delete', zid: 'laptop', signInZid: 'phone' })).toBe('removed');
  expect(nextDeviceStatus(devices, { action: 'delete', zid: 'old', signInZid: 'phone' })).toBe('removed');
});

test('lets the only device be reported lost, even if it is the current one', () => {
  expect(nextDeviceStatus([phone], { action: 'lose', zid: 'phone', signInZid: 'phone' })).toBe('lost');
});

test('has no effect when pausing a paused device or enabling an active one', () => {
  expect(nextDeviceStatus([oldPhone], { action: 'pause', zid: 'old', signInZid: 'old' })).toBe('paused');
  expect(nextDeviceStatus([phone], { action: 'enable', zid: 'phone', signInZid: 'phone' })).toBe('active');
});

test("rejects another member's device as nonexistent", () => {
  expect(() => nextDeviceStatus([phone], { action: 'lose', zid: 'tablet', signInZid: away })).toThrow(
    "This device doesn't exist",
  );
});
