import { expect, test } from 'vitest';
import { testPortal } from '#testing/test-portal.ts';

test('programs that wait for a server find its health at /health too', async () => {
  await using portal = await testPortal();
  const [here, there] = [await portal.http.get('/health'), await portal.http.get('/api/health')];
  expect(here.status).toBe(200);
  expect(here.body).toEqual(there.body);
  expect(here.headers['cache-control']).toBe('no-store');
});
