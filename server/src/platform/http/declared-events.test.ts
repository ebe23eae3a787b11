import { expect, test } from 'vitest';
import { testPortal } from '#testing/test-portal.ts';

test('declares audit events for every endpoint that writes', async () => {
  const portal = await testPortal({ seed: 'none' });
  const silent = portal.deps.registered.endpoints
    .filter(({ method, events }) => method !== 'GET' && events === undefined)
    .map(({ method, path }) => `${method} ${path}`);
  expect(silent).toEqual([]);
  await portal.close();
});
