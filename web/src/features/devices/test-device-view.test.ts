import { codeOf } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { type TestDeviceMessage, type TestDeviceSituation, testDeviceView } from './test-device-dialog.tsx';

const codes = { QID: 'qid-1', DID: 'K7PM3XQ9', idTimeout: 60 };
const timestamp = '2026-03-02T09:30:00.000Z';

const code = (op: 'QID' | 'DID', value: string, idTimeout: number): TestDeviceMessage => ({
  op,
  value,
  idTimeout,
  resultCode: 0,
  timestamp,
});
const EXPIRED: TestDeviceMessage = { op: 'QID', resultCode: codeOf('EXPIRED'), timestamp };

const viewOf = (about: Partial<TestDeviceSituation>) =>
  testDeviceView({
    kind: 'QID',
    codes,
    isRenewed: false,
    isFetching: false,
    refusal: undefined,
    message: undefined,
    isClosed: false,
    ...about,
  });

test('starts with an introduction, then fetches the codes or shows an error', () => {
  expect(viewOf({ codes: undefined, isClosed: true })).toEqual({ step: 'intro' });
  expect(viewOf({ codes: undefined, isFetching: true })).toEqual({ step: 'fetching' });
  const refusal = { text: 'Something went wrong!', requestId: 'r-1' };
  expect(viewOf({ codes: undefined, refusal })).toEqual({ step: 'refused', ...refusal });
});

// covers: spec 1.4.22
test('shows the code for each tab before the first message', () => {
  expect(viewOf({})).toEqual({ step: 'code', value: 'qid-1', secondsLeft: 60, lifetime: 60 });
  expect(viewOf({ kind: 'DID' })).toMatchObject({ value: 'K7PM3XQ9' });
  expect(viewOf({ kind: 'DID', message: code('QID', 'qid-1', 41) })).toMatchObject({
    value: 'K7PM3XQ9',
    secondsLeft: 41,
  });
});

test('prefers the code and time from messages to the fetched values', () => {
  expect(viewOf({ message: code('QID', 'qid-1', 12) })).toEqual({
    step: 'code',
    value: 'qid-1',
    secondsLeft: 12,
    lifetime: 60,
  });
});

test('ends both tabs when a code expires', () => {
  expect(viewOf({ message: EXPIRED })).toEqual({ step: 'expired', value: 'qid-1', lifetime: 60 });
  expect(viewOf({ message: EXPIRED, kind: 'DID' })).toMatchObject({ step: 'expired', value: 'K7PM3XQ9' });
  expect(viewOf({ isClosed: true })).toMatchObject({ step: 'expired' });
});

test('never shows the fetched codes again after a renewal over the channel', () => {
  const renewed = { isRenewed: true, message: code('QID', 'qid-2', 60) };
  expect(viewOf(renewed)).toMatchObject({ step: 'code', value: 'qid-2' });
  expect(viewOf({ ...renewed, kind: 'DID' })).toEqual({ step: 'fetching' });
});

test('shows the device that responded, even if the channel closes afterwards', () => {
  const device = { name: 'Pixel 9', nickName: '', type: 'mobile', registeredDate: timestamp } as const;
  const message: TestDeviceMessage = {
    op: 'test',
    resultCode: codeOf('TEST_DEVICE_SUCCESS'),
    value: { device },
    timestamp,
  };
  expect(viewOf({ message, isClosed: true })).toEqual({ step: 'success', device });
});
