import { codeOf } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import {
  type AddDeviceCode,
  type AddDeviceMessage,
  type AddDeviceSituation,
  addDeviceView,
  stepOf,
} from './add-device-view.ts';

const scanned: AddDeviceCode = { kind: 'QID', aid: 'qid-1', confirmExpDur: 120, verifyExpDur: 60 };
const typed: AddDeviceCode = { ...scanned, kind: 'DID', aid: 'K7PM3XQ9' };

const message = (respType: AddDeviceMessage['respType'], about: Partial<AddDeviceMessage> = {}): AddDeviceMessage => ({
  op: 'add-device',
  respType,
  resultCode: 0,
  timestamp: '2026-03-02T09:30:00.000Z',
  ...about,
});

const viewOf = (about: Partial<AddDeviceSituation>) =>
  addDeviceView({
    code: scanned,
    refusal: undefined,
    message: undefined,
    answer: undefined,
    isClosed: false,
    ...about,
  });

test('shows nothing until a code has arrived', () => {
  expect(viewOf({ code: undefined, isClosed: true })).toEqual({ step: 'fetching' });
});

test('shows a code as soon as it is fetched, before the first message', () => {
  expect(viewOf({})).toEqual({ step: 'start', code: scanned });
  expect(viewOf({ message: message('start') })).toEqual({ step: 'start', code: scanned });
});

test('shows the device limit if it is reached when fetching a code or confirming', () => {
  const refusal = { resultName: 'DEVICE_ADD_LIMIT_REACHED', message: 'Too many', requestId: 'r-1' };
  expect(viewOf({ code: undefined, refusal })).toEqual({ step: 'limit-reached' });
  expect(viewOf({ message: message('limit-reached', { resultCode: codeOf('DEVICE_ADD_LIMIT_REACHED') }) })).toEqual({
    step: 'limit-reached',
  });
});

test('shows any other refusal with its own message', () => {
  const refusal = { resultName: 'MOBILE_APP_NOT_ENABLED', message: 'Not for you', requestId: 'r-1' };
  expect(viewOf({ code: undefined, refusal })).toEqual({ step: 'refused', text: 'Not for you', requestId: 'r-1' });
});

test('names a connected device, and counts down from the server’s time limit', () => {
  const connected = message('notify', { deviceName: 'Pixel 9', expiresAt: '2026-03-02T09:31:30.000Z' });
  expect(viewOf({ message: connected })).toEqual({
    step: 'notify',
    code: scanned,
    deviceName: 'Pixel 9',
    secondsLeft: 90,
    isAnswered: false,
  });
});

// covers: spec 1.9.4
test('falls back to 60 s for typed codes and the remaining lifetime of scanned codes', () => {
  const connected = message('notify');
  expect(viewOf({ code: typed, message: connected })).toMatchObject({ deviceName: 'A new device', secondsLeft: 60 });
  expect(viewOf({ code: scanned, message: connected })).toMatchObject({ secondsLeft: 120 });
});

// covers: spec 1.4.17
test('waits for the server after the user confirms', () => {
  const connected = message('notify');
  const answer = { confirm: 'yes', to: connected } as const;
  expect(viewOf({ message: connected, answer })).toMatchObject({ step: 'notify', isAnswered: true });
  // A reconnect repeats the state. Ask the user again, because the answer may have been lost.
  expect(viewOf({ message: message('notify'), answer })).toMatchObject({ step: 'notify', isAnswered: false });
  expect(viewOf({ message: message('confirm') })).toMatchObject({ step: 'notify', isAnswered: true });
});

test('cancels immediately when the user declines, whatever the server responds', () => {
  const connected = message('notify');
  const answer = { confirm: 'no', to: connected } as const;
  expect(viewOf({ message: connected, answer })).toEqual({ step: 'cancelled', code: scanned });
  const cancelled = message('confirm', { resultCode: codeOf('ADD_DEVICE_NO_CONSENT') });
  expect(viewOf({ message: cancelled, answer })).toEqual({ step: 'cancelled', code: scanned });
  // The device is added if an earlier confirmation reached the server first.
  expect(viewOf({ message: message('complete'), answer }).step).toBe('complete');
});

test('offers a retry after a wrong verification code', () => {
  const wrong = message('confirm', { resultCode: codeOf('INVALID_VALIDATION_CODE'), deviceName: 'Pixel 9' });
  expect(viewOf({ code: typed, message: wrong })).toEqual({
    step: 'failed',
    code: typed,
    deviceName: 'Pixel 9',
    text: 'Invalid validation code',
  });
});

// covers: spec 1.4.12
test('treats the code as expired after any other confirmation error, with the reason', () => {
  const view = (resultCode: number) => viewOf({ message: message('confirm', { resultCode }) });
  expect(view(codeOf('EXPIRED'))).toEqual({ step: 'code-expired', code: scanned, text: undefined });
  expect(view(codeOf('ADD_DEVICE_NO_CONSENT'))).toMatchObject({ text: 'Adding the device was cancelled.' });
  expect(view(codeOf('MOBILE_APP_NOT_ENABLED'))).toMatchObject({ text: 'Mobile App is not enabled for this user' });
  expect(view(9999)).toEqual({ step: 'code-expired', code: scanned, text: undefined });
});

test("offers to renew a code that has expired or that the server won't report on", () => {
  expect(viewOf({ message: message('code-expired', { resultCode: codeOf('EXPIRED') }) }).step).toBe('code-expired');
  expect(viewOf({ isClosed: true }).step).toBe('code-expired');
  expect(viewOf({ isClosed: true, message: message('start') }).step).toBe('code-expired');
});

test('stays complete when the channel closes', () => {
  const complete = message('complete', { deviceName: 'Pixel 9' });
  expect(viewOf({ message: complete, isClosed: true })).toEqual({
    step: 'complete',
    deviceName: 'Pixel 9',
    timestamp: complete.timestamp,
  });
});

test('goes through the steps connect, confirm and done', () => {
  const at = (about: Partial<AddDeviceSituation>) => stepOf(viewOf(about));
  expect(at({ code: undefined })).toBe(0);
  expect(at({})).toBe(0);
  expect(at({ message: message('notify') })).toBe(1);
  expect(at({ message: message('confirm', { resultCode: codeOf('INVALID_VALIDATION_CODE') }) })).toBe(1);
  expect(at({ message: message('code-expired') })).toBe(0);
  expect(at({ message: message('complete') })).toBe(2);
});
