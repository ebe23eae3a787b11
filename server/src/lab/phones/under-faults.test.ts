import {
  addFault,
  approveRequest,
  type FaultAnswer,
  health,
  login,
  makeSession,
  readFaults,
  readPolicies,
  resetLab,
  setPolicy,
} from '@orchestrate/shared';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
beforeEach(() => portal.call(resetLab, { body: {} }));
afterAll(() => portal.close());

const USER = 'user@acme.test';
const ANSWERS: FaultAnswer[] = [
  { status: 200, body: '<html>' },
  { status: 200, body: { resultCode: 1.5 } },
  { status: 204 },
  { resultName: 'USER_EXISTS' },
  { cut: true },
  { cut: 'body' },
  { hang: true },
];

const begin = async () => {
  const { body } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  return body.loginId ?? '';
};

describe.each(ANSWERS)('with a fault that responds with %j', (answer) => {
  const fault = (path: string) => portal.call(addFault, { body: { match: { path }, answer } });

  test.each(['/api/authenticator/resolve', '/api/authenticator/respond'])(
    'lists a phone’s response as failed if %s fails',
    async (path) => {
      await portal.call(setPolicy, { body: { match: { email: USER }, answer: 'approve', opens: true } });
      await fault(path);
      await begin();
      const answered = async () => (await portal.call(readPolicies, {})).body.answered?.[0]?.result.resultName;
      await expect.poll(answered).toBe('resultName' in answer ? 'USER_EXISTS' : 'FAILED');
      expect((await portal.call(health, {})).status).toBe(200);
    },
  );

  test.each(['/api/authenticator/resolve', '/api/authenticator/respond'])(
    'explains why the approval of a test failed: %s',
    async (path) => {
      const loginId = await begin();
      await fault(path);
      const { status, body } = await portal.call(approveRequest, { params: { loginId }, body: { as: USER } });
      expect({ status, resultName: body.resultName }).toEqual({ status: 200, resultName: 'FAILED' });
      expect(body.message).toContain('resultName' in answer ? 'USER_EXISTS' : path);
    },
  );

  test.each(['/api/user/login', '/api/user/login/:loginId', '/api/authenticator/respond'])(
    'creates a session anyway and keeps the fault for the client: %s',
    async (path) => {
      await fault(path);
      expect((await portal.call(makeSession, { body: { email: USER } })).body.resultCode).toBe(0);
      expect((await portal.call(readFaults, {})).body.faults).toHaveLength(1);
    },
  );
});
