import { expect, test } from 'vitest';
import { testPortal } from '#testing/test-portal.ts';

test('also serves health at /health for tools that wait for a server', async () => {
  await using portal = await testPortal();
  const [here, there] = [await portal.http.get('/health'), await portal.http.get('/api/health')];
  expect(here.status).toBe(200);
  expect(here.body).toEqual(there.body);
  expect(here.headers['cache-control']).toBe('no-store');
});
