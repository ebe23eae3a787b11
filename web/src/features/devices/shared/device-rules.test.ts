import type { Device } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { obstacleTo, sortNewestFirst } from './device-rules.ts';

const device = (zid: string, overrides: Partial<Device> = {}): Device => ({
  zid,
  name: 'Pixel 9',
  nickName: '',
  type: 'mobile',
  status: 'active',
  registeredDate: '2026-01-01T00:00:00.000Z',
  lastLogin: null,
  ...overrides,
});

const phone = device('phone');
const tablet = device('tablet');
const laptop = device('laptop', { type: 'desktop' });
const key = device('key', { type: 'webauthn' });

test("blocks pausing and deleting the session's device", () => {
  const situation = { device: phone, devices: [phone, tablet], signInZid: 'phone' };
  expect(obstacleTo('pause', situation)).toBe('Cannot disable device used for this login');
  expect(obstacleTo('delete', situation)).toBe('Cannot delete device used for this login');
});

// covers: spec 1.4.6, spec 1.8.6
test('blocks removing the only device, whatever its type', () => {
  for (const [only, toPause] of [
    [phone, 'Last mobile device cannot be disabled'],
    [laptop, 'At least one mobile device should exist'],
  ] as const) {
    const situation = { device: only, devices: [only], signInZid: 'elsewhere' };
    expect(obstacleTo('pause', situation)).toBe(toPause);
    expect(obstacleTo('delete', situation)).toBe('At least one mobile device should exist');
  }
});

// covers: spec 1.8.6
test('keeps the only active mobile device, even if there are other devices and a paused phone', () => {
  const situation = {
    device: phone,
    devices: [phone, laptop, key, device('old', { status: 'paused' })],
    signInZid: 'laptop',
  };
  expect(obstacleTo('pause', situation)).toBe('Last mobile device cannot be disabled');
  expect(obstacleTo('delete', situation)).toBe('Last mobile device cannot be deleted');
});

test('allows removing one of two active phones, a desktop or a security key', () => {
  const devices = [phone, tablet, laptop, key];
  for (const one of devices) {
    expect(obstacleTo('pause', { device: one, devices, signInZid: 'elsewhere' })).toBeUndefined();
    expect(obstacleTo('delete', { device: one, devices, signInZid: 'elsewhere' })).toBeUndefined();
  }
});

test('always allows enabling a paused device, even the only one', () => {
  const paused = device('old', { status: 'paused' });
  expect(obstacleTo('pause', { device: paused, devices: [paused], signInZid: 'elsewhere' })).toBeUndefined();
});

test('allows deleting a paused phone if an active phone remains', () => {
  const paused = device('old', { status: 'paused' });
  expect(obstacleTo('delete', { device: paused, devices: [phone, paused], signInZid: 'phone' })).toBeUndefined();
});

test('sorts devices by registration, newest first', () => {
  const dates = ['2026-01-02', '2026-03-01', '2025-12-31'];
  const sorted = sortNewestFirst(dates.map((date) => device(date, { registeredDate: `${date}T09:00:00.000Z` })));
  expect(sorted.map(({ zid }) => zid)).toEqual(['2026-03-01', '2026-01-02', '2025-12-31']);
});
