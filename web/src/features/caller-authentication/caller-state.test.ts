import { expect, test } from 'vitest';
import { callerState, type VerbalMessage } from './caller-state.ts';

const caller = {
  fullName: 'Mara Ek',
  email: 'mara@acme.test',
  primaryAttr: 'E-1',
  suid: 's-1',
  deviceName: 'Pixel 9',
  confirmedAt: '2026-03-02T09:30:00.000Z',
  trustedUntil: '2026-03-02T09:45:00.000Z',
};
const message = (state: VerbalMessage['state'], about: Partial<VerbalMessage> = {}): VerbalMessage => ({
  op: 'verbal',
  state,
  resultCode: 0,
  timestamp: '2026-03-02T09:30:00.000Z',
  ...about,
});

test('waits until the code is typed, then for the consent', () => {
  expect(callerState(undefined, false).step).toBe('waiting');
  expect(callerState(message('init'), false).step).toBe('waiting');
  expect(callerState(message('pending'), false).step).toBe('consenting');
});

test('reveals the caller after consent, and nothing after a denial', () => {
  expect(callerState(message('success', { caller }), false)).toEqual({ step: 'confirmed', caller });
  expect(callerState(message('denied'), false)).toEqual({ step: 'denied' });
});

test('ends when the code expires, but never discards a response', () => {
  expect(callerState(message('expired'), false).step).toBe('expired');
  expect(callerState(message('pending'), true).step).toBe('expired');
  expect(callerState(message('success', { caller }), true).step).toBe('confirmed');
  expect(callerState(message('denied'), true).step).toBe('denied');
});
