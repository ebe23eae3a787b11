import { expect, test } from 'vitest';
import { toneOf } from './journal-text.ts';

const answered = (status: number, resultName?: string) =>
  toneOf({
    kind: 'http',
    seq: 1,
    at: '2026-11-20T08:00:00.000Z',
    summary: '',
    method: 'GET',
    path: '/api/health',
    status,
    ms: 1,
    ip: '127.0.0.1',
    requestId: 'one',
    ...(resultName && { resultName }),
  });

test('colours a refusal with HTTP 200 as a warning and a success as a success', () => {
  expect([answered(200), answered(200, 'SUCCESS'), answered(200, 'LOGIN_INIT')]).toEqual(Array(3).fill('success'));
  expect([answered(200, 'EXPIRED'), answered(401, 'UNAUTHORIZED')]).toEqual(['warning', 'warning']);
  expect([answered(0), answered(503)]).toEqual(['danger', 'danger']);
});
