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

test('the test starts with an introduction, then fetches the codes, or says why it can’t', () => {
  expect(viewOf({ codes: undefined, isClosed: true })).toEqual({ step: 'intro' });
  expect(viewOf({ codes: undefined, isFetching: true })).toEqual({ step: 'fetching' });
  const refusal = { text: 'Something went wrong!', requestId: 'r-1' };
  expect(viewOf({ codes: undefined, refusal })).toEqual({ step: 'refused', ...refusal });
});

// covers: spec 1.4.22
test('each tab shows its own code, even before the first message', () => {
  expect(viewOf({})).toEqual({ step: 'code', value: 'qid-1', secondsLeft: 60, lifetime: 60 });
  expect(viewOf({ kind: 'DID' })).toMatchObject({ value: 'K7PM3XQ9' });
  expect(viewOf({ kind: 'DID', message: code('QID', 'qid-1', 41) })).toMatchObject({
    value: 'K7PM3XQ9',
    secondsLeft: 41,
  });
});

test('messages override the fetched code and its time', () => {
  expect(viewOf({ message: code('QID', 'qid-1', 12) })).toEqual({
    step: 'code',
    value: 'qid-1',
    secondsLeft: 12,
    lifetime: 60,
  });
});

test('an expired code is the end of both tabs', () => {
  expect(viewOf({ message: EXPIRED })).toEqual({ step: 'expired', value: 'qid-1', lifetime: 60 });
  expect(viewOf({ message: EXPIRED, kind: 'DID' })).toMatchObject({ step: 'expired', value: 'K7PM3XQ9' });
  expect(viewOf({ isClosed: true })).toMatchObject({ step: 'expired' });
});

test('after a renewal over the channel the fetched codes are never shown again', () => {
  const renewed = { isRenewed: true, message: code('QID', 'qid-2', 60) };
  expect(viewOf(renewed)).toMatchObject({ step: 'code', value: 'qid-2' });
  expect(viewOf({ ...renewed, kind: 'DID' })).toEqual({ step: 'fetching' });
});

test('the device that answered is shown, also when the channel then closes', () => {
  const device = { name: 'Pixel 9', nickName: '', type: 'mobile', registeredDate: timestamp } as const;
  const message: TestDeviceMessage = {
    op: 'test',
    resultCode: codeOf('TEST_DEVICE_SUCCESS'),
    value: { device },
    timestamp,
  };
  expect(viewOf({ message, isClosed: true })).toEqual({ step: 'success', device });
});
