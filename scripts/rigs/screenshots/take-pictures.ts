import { join } from 'node:path';
import { startTestPortal, type TestPortal } from '@orchestrate/server/testing';
import { SECOND } from '@orchestrate/shared';
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { signIn } from '../../../web/e2e/fixtures/sign-in.ts';
import { requireChromium } from '../../find-chromium.ts';
import type { Scene, Studio, Viewport } from './scene.ts';

/** Fixed time for all images, so two runs differ only if the portal changed. */
const NOW = Date.parse('2026-11-20T08:04:31.000Z');

const views: Record<Viewport, BrowserContextOptions> = {
  desktop: { viewport: { width: 1440, height: 900 } },
  laptop: { viewport: { width: 1280, height: 720 } },
  wide: { viewport: { width: 1680, height: 1050 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};

export interface ScreenshotCount {
  taken: number;
  /** Scenes that failed, with the reason. */
  failures: string[];
}

/**
 * Captures every scene in each of its views, light and dark, into `folder`. Each scene has a newly seeded portal. A
 * failing scene is reported and doesn't stop the others.
 */
export async function takeScreenshots(scenes: readonly Scene[], folder: string): Promise<ScreenshotCount> {
  const portal = await startTestPortal({ now: NOW, config: { radiusPorts: [0, 0], ldapPort: 0 } });
  const browser = await chromium.launch({ executablePath: requireChromium(), args: ['--disable-gpu'] });
  const result: ScreenshotCount = { taken: 0, failures: [] };
  try {
    for (const scene of scenes) {
      for (const view of scene.on ?? (['desktop', 'phone'] as const)) {
        try {
          result.taken += await takeScene(scene, view, { portal, browser, folder });
        } catch (reason) {
          result.failures.push(`${scene.name} (${view}): ${reason}`);
        }
      }
    }
  } finally {
    await browser.close();
    await portal.close();
  }
  return result;
}

interface Place {
  portal: TestPortal;
  browser: Browser;
  folder: string;
}

async function takeScene(scene: Scene, view: Viewport, { portal, browser, folder }: Place): Promise<number> {
  await portal.lab.reset();
  const context = await browser.newContext({
    ...views[view],
    baseURL: portal.url,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  // Each image starts in a new browser context, which takes a while to load the page on a busy machine.
  context.setDefaultTimeout(60 * SECOND);
  const page = await context.newPage();
  await page.clock.setFixedTime(portal.clock.now());
  const studio: Studio = {
    portal,
    page,
    view,
    signIn: (email) => signIn(page, portal, portal.device(email)),
    async pass(seconds) {
      // The browser's clock moves first, because a message from a portal that is ahead would change the page's clock
      // offset.
      await page.clock.setFixedTime(portal.clock.now() + seconds * SECOND);
      portal.clock.advance(seconds);
      // Wait longer than the countdown's update interval, so the page shows the new time.
      await page.waitForTimeout(0.6 * SECOND);
    },
  };

  try {
    await scene.arrange(studio);
    await page.mouse.move(0, 0);
    if (scene.isWhole) await showAll(page);
    for (const mode of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: mode });
      // Server-rendered pages don't load the client, but still follow the colour scheme.
      await page.locator(`html.${mode}, html:not(:has(#root))`).waitFor();
      // Waits for the colour transition.
      await page.evaluate(() =>
        Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null))),
      );
      await page.screenshot({
        path: join(folder, `${scene.name}.${view}.${mode}.png`),
        animations: 'disabled',
        caret: 'hide',
      });
    }
  } finally {
    await context.close();
  }
  return 2;
}

/**
 * Makes the window as tall as its page. For a screenshot larger than the window, Chromium would briefly redraw the
 * page at zero size.
 */
async function showAll(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const content = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, content) });
}
