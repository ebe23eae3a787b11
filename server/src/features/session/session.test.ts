import { getProfile } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../testing.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

test('who has signed in reads his own profile', async () => {
  const { token } = await portal.signIn('super.admin@acme.test');
  const { status, body } = await portal.call(getProfile, {}, { token });
  expect(status).toBe(200);
  expect(body).toMatchObject({ resultCode: 0, profile: { email: 'super.admin@acme.test', orgId: 'acme' } });
});
