import { expect, test } from 'vitest';
import { loginStateOf } from './login-state.ts';

const NOW = 1_000_000;
const started: Parameters<typeof loginStateOf>[0] = {
  status: 'pending',
  resultCode: null,
  mode: 'QID',
  deviceName: null,
  expiresAt: NOW + 120_000,
  resolvedAt: null,
  answeredAt: null,
  exchangedAt: null,
};
const opened = { ...started, deviceName: 'Pixel 9', resolvedAt: NOW };
const approved = { ...opened, status: 'approved' as const, answeredAt: NOW };

test('waits for a device, then for its response, in a sign-in by code', () => {
  expect(loginStateOf(started, NOW)).toEqual({ state: 'init', result: 'LOGIN_INIT', expiresAt: NOW + 120_000 });
  expect(loginStateOf(opened, NOW)).toEqual({
    state: 'pending',
    result: 'LOGIN_PENDING',
    deviceName: 'Pixel 9',
    expiresAt: NOW + 120_000,
  });
});

test('reports a push as pending from the start without naming a device', () => {
  const push = loginStateOf({ ...started, mode: 'PUSH' }, NOW);
  expect(push).toEqual({ state: 'pending', result: 'LOGIN_PENDING', expiresAt: NOW + 120_000 });
});

// covers: security 6.5.5
test('expires a pending sign-in exactly at its expiry', () => {
  expect(loginStateOf(opened, NOW + 119_999).state).toBe('pending');
  expect(loginStateOf(opened, NOW + 120_000)).toEqual({ state: 'expired', result: 'EXPIRED' });
});

test('keeps an approved sign-in successful for a minute, even past its own expiry', () => {
  const late = { ...approved, answeredAt: started.expiresAt - 1 };
  expect(loginStateOf(late, started.expiresAt + 59_000)).toMatchObject({ state: 'success', result: 'LOGIN_SUCCESS' });
  expect(loginStateOf(approved, NOW + 60_000)).toEqual({ state: 'expired', result: 'EXPIRED' });
});

test('reports an exchanged sign-in as expired', () => {
  expect(loginStateOf({ ...approved, exchangedAt: NOW + 1 }, NOW + 2).state).toBe('expired');
});

test.each(['denied', 'cancelled'] as const)('reports a %s sign-in as rejected permanently', (status) => {
  expect(loginStateOf({ ...opened, status }, started.expiresAt + 1)).toEqual({
    state: 'rejected',
    result: 'LOGIN_REJECTED',
    deviceName: 'Pixel 9',
  });
});
