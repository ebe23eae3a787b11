import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { requireChromium } from '../../scripts/find-chromium.ts';

export default defineConfig({
  testMatch: '**/*.journey.ts',
  outputDir: join(import.meta.dirname, '../../test-results'),
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  // Each worker has a browser and a portal of its own: more of them only take turns.
  workers: Math.min(2, availableParallelism()),
  // Long enough for a busy machine; nothing waits for it where all is well.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    launchOptions: {
      executablePath: requireChromium(),
      args: ['--disable-gpu'],
    },
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // What fades is in nobody's way, and colours are measured as they stay.
    contextOptions: { reducedMotion: 'reduce' },
    // Each trace takes a third of the time: `--trace on` asks for them where a journey fails.
    trace: 'off',
  },
});
