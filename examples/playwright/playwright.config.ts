import { defineConfig } from '@playwright/test';

export default defineConfig({
  fullyParallel: true,
  reporter: 'list',
  // Long enough for a busy machine; a passing test never waits this long.
  expect: { timeout: 15_000 },
  // An installed browser, or Playwright's own without CHROMIUM_PATH.
  use: { launchOptions: process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {} },
});
