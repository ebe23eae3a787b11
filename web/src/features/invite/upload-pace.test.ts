import { expect, test } from 'vitest';
import { uploadPace } from './invite-dialog.tsx';

test('estimates the remaining rows from the remaining bytes', () => {
  expect(uploadPace({ rowsDone: 250, bytesDone: 1_000, bytesTotal: 4_000 }, 2_000)).toEqual({
    fraction: 0.25,
    rowsDone: 250,
    rowsPerSecond: 125,
    rowsLeft: 750,
    secondsLeft: 6,
  });
});

test('estimates nothing before the first progress message', () => {
  expect(uploadPace(undefined, 3_000).fraction).toBeUndefined();
  expect(uploadPace({ rowsDone: 0, bytesDone: 0, bytesTotal: 4_000 }, 3_000).rowsLeft).toBeUndefined();
});

test('omits the rate during the first half second', () => {
  const pace = uploadPace({ rowsDone: 10, bytesDone: 10, bytesTotal: 1_000 }, 100);
  expect([pace.rowsPerSecond, pace.secondsLeft, pace.rowsLeft]).toEqual([undefined, undefined, 990]);
});

test('treats a file longer than announced as complete', () => {
  expect(uploadPace({ rowsDone: 4, bytesDone: 110, bytesTotal: 100 }, 1_000)).toMatchObject({
    fraction: 1,
    rowsLeft: 0,
  });
});
