import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  // The bases are read once, when the client starts.
  vi.resetModules();
});

// covers: spec 1.7.2
test('all areas live under /api of this portal', async () => {
  const { apiBaseOf } = await import('./api-bases.ts');
  expect([apiBaseOf('People'), apiBaseOf('Settings'), apiBaseOf('Session and profile')]).toEqual([
    '/api',
    '/api',
    '/api',
  ]);
});

// covers: spec 1.7.2
test('a build may put the three bases on three hosts', async () => {
  vi.stubEnv('VITE_API_URL', 'https://main.test');
  vi.stubEnv('VITE_SERVER_API_URL', 'https://server.test');
  vi.stubEnv('VITE_IDENTITY_API_URL', 'https://identity.test');
  const { apiBaseOf } = await import('./api-bases.ts');
  expect([apiBaseOf('People'), apiBaseOf('Settings'), apiBaseOf('Session and profile')]).toEqual([
    'https://main.test',
    'https://server.test',
    'https://identity.test',
  ]);
});
