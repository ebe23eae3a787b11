import { defineConfig } from '@playwright/test';

export default defineConfig({
  fullyParallel: true,
  reporter: 'list',
  // Allows for a busy machine. A passing test never waits this long.
  expect: { timeout: 15_000 },
  // Uses the browser at CHROMIUM_PATH, or Playwright's own browser.
  use: { launchOptions: process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {} },
});
