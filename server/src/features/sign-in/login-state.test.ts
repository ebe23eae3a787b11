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

test('a sign-in by code waits for its device, then for its answer', () => {
  expect(loginStateOf(started, NOW)).toEqual({ state: 'init', result: 'LOGIN_INIT', expiresAt: NOW + 120_000 });
  expect(loginStateOf(opened, NOW)).toEqual({
    state: 'pending',
    result: 'LOGIN_PENDING',
    deviceName: 'Pixel 9',
    expiresAt: NOW + 120_000,
  });
});

test('a push is pending from the start and names no device', () => {
  const push = loginStateOf({ ...started, mode: 'PUSH' }, NOW);
  expect(push).toEqual({ state: 'pending', result: 'LOGIN_PENDING', expiresAt: NOW + 120_000 });
});

// covers: security 6.5.5
test('a pending sign-in expires exactly at its time', () => {
  expect(loginStateOf(opened, NOW + 119_999).state).toBe('pending');
  expect(loginStateOf(opened, NOW + 120_000)).toEqual({ state: 'expired', result: 'EXPIRED' });
});

test('an approved sign-in succeeds for a minute after its answer, also past its own time', () => {
  const late = { ...approved, answeredAt: started.expiresAt - 1 };
  expect(loginStateOf(late, started.expiresAt + 59_000)).toMatchObject({ state: 'success', result: 'LOGIN_SUCCESS' });
  expect(loginStateOf(approved, NOW + 60_000)).toEqual({ state: 'expired', result: 'EXPIRED' });
});

test('an exchanged sign-in is over', () => {
  expect(loginStateOf({ ...approved, exchangedAt: NOW + 1 }, NOW + 2).state).toBe('expired');
});

test.each(['denied', 'cancelled'] as const)('a %s sign-in is rejected for good', (status) => {
  expect(loginStateOf({ ...opened, status }, started.expiresAt + 1)).toEqual({
    state: 'rejected',
    result: 'LOGIN_REJECTED',
    deviceName: 'Pixel 9',
  });
});
