import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  // Reload the module for each test, because it reads the base URLs only once.
  vi.resetModules();
});

// covers: spec 1.7.2
test('calls all API areas at /api by default', async () => {
  const { apiBaseOf } = await import('./api-bases.ts');
  expect([apiBaseOf('People'), apiBaseOf('Settings'), apiBaseOf('Session and profile')]).toEqual([
    '/api',
    '/api',
    '/api',
  ]);
});

// covers: spec 1.7.2
test('supports a separate host for each of the three bases', async () => {
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
