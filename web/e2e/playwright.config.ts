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
  // Each worker has its own browser and portal. The extra worker uses the time that journeys spend waiting.
  workers: Math.min(2, availableParallelism()) + 1,
  // Long enough even for a busy machine.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    launchOptions: {
      executablePath: requireChromium(),
      args: ['--disable-gpu'],
    },
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Avoids waiting for animations, and measures final colours.
    contextOptions: { reducedMotion: 'reduce' },
    // Tracing takes a third of the run time. Use `--trace on` for a failing journey.
    trace: 'off',
  },
});
