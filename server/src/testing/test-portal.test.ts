import { health, login, loginLive } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { handlesLeftBy } from './handles-left-by.ts';
import { startTestPortal } from './test-portal.ts';

test('leaves nothing open once it is closed', async () => {
  const left = await handlesLeftBy(async () => {
    await using portal = await startTestPortal();
    await portal.signIn('user@acme.test');
    const { loginId = '' } = (await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).body;
    await (await portal.open(loginLive, { loginId })).next();
    await portal.lab.space();
  });
  expect(left).toEqual([]);
});

test('has the controls of orchestrate/testing and fails the test if a control is refused', async () => {
  await using portal = await startTestPortal();
  await portal.lab.fault({ match: { path: '/api/health' }, answer: { status: 503 } });
  expect((await portal.call(health, {})).status).toBe(503);
  await portal.lab.verify({ path: '/api/health', count: 1 });
  await expect(portal.lab.fault({ match: { path: '/api/helth' }, answer: { status: 503 } })).rejects.toThrow(
    'Did you mean /api/health?',
  );
});
