import type { FrameLocator, Page } from '@playwright/test';
import type { Scene, Studio } from './scene.ts';

/** Captured at every width. The other scenes share this scene's layout. */
const FIRST = 'stage-first-sign-in';
const EVERY_VIEW = ['laptop', 'desktop', 'wide', 'phone'] as const;

const browserOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="The browser"]');
const phoneOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="The phone"]');

async function fillOpening(page: Page): Promise<void> {
  await page.goto('/demo');
  await page.getByRole('textbox', { name: 'Your organisation’s name' }).fill('Harbour & Sons');
  await page.getByRole('radio', { name: 'Teal' }).check();
}

/** Starts the demo at the scene with this title, in a space that uses the machine's clock. */
async function openStage({ page }: Studio, scene: string): Promise<void> {
  await page.clock.setSystemTime(Date.now());
  await fillOpening(page);
  await page.getByRole('button', { name: 'Start the demo' }).click();
  await page.getByRole('navigation', { name: 'Scenes' }).getByRole('button', { name: scene }).click();
  await phoneOf(page).getByText('Authenticator').first().waitFor({ state: 'attached' });
}

/** Returns a demo scene after a number of steps. `settled` waits until both windows show the result. */
const played = (
  name: string,
  scene: string,
  steps: number,
  settled: (page: Page) => Promise<void>,
  panel?: 'Phone' | 'Live events',
): Scene => ({
  name,
  ...(name === FIRST && { on: EVERY_VIEW }),
  async arrange(studio) {
    const { page } = studio;
    await openStage(studio, scene);
    const now = page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]');
    for (let done = 0; done < steps; done += 1) {
      const before = (await now.textContent()) ?? '';
      await page.getByRole('button', { name: 'Show me' }).click();
      await now
        .filter({ hasNotText: before })
        .or(page.getByRole('button', { name: 'Play again' }))
        .waitFor();
    }
    await settled(page);
    // On a phone, only one of the three panels is visible, so open the scene's panel.
    const tab = page.getByRole('button', { name: panel ?? 'Browser', exact: true });
    if (studio.view === 'phone') await tab.click();
    // Waits for the fade-in animation.
    await page.waitForTimeout(800);
  },
});

const inBrowser = (text: string | RegExp) => (page: Page) =>
  browserOf(page).getByText(text).first().waitFor({ state: 'attached' });
const onPhone = (text: string | RegExp) => (page: Page) =>
  phoneOf(page).getByText(text).first().waitFor({ state: 'attached' });

export const stageScenes: Scene[] = [
  {
    name: 'stage-opening',
    on: EVERY_VIEW,
    async arrange({ page }) {
      await fillOpening(page);
    },
  },
  {
    name: 'stage-opening-missing',
    async arrange({ page }) {
      await page.goto('/demo');
      await page.getByRole('button', { name: 'Start the demo' }).click();
      await page.getByText('This field is required').waitFor();
    },
  },
  played(FIRST, 'First sign-in', 2, onPhone('Sign in to Harbour & Sons?'), 'Phone'),
  played('stage-first-sign-in-end', 'First sign-in', 3, inBrowser('Registered devices'), 'Live events'),
  played('stage-lost-phone', 'Lost phone', 1, onPhone(/no longer registered/)),
  played('stage-caller', 'Caller', 2, onPhone(/Confirm to Noor/), 'Phone'),
  played('stage-caller-end', 'Caller', 3, inBrowser('Henrik Dahl')),
  played('stage-denied-attempt', 'Denied attempt', 2, onPhone('Denied and reported'), 'Phone'),
  played('stage-new-colleague', 'New colleague', 1, inBrowser(/invited/i)),
  played('stage-new-colleague-end', 'New colleague', 3, onPhone('This phone is ready'), 'Phone'),
  played('stage-single-sign-on', 'Single sign-on', 0, inBrowser('Sign in to Payroll')),
  played('stage-single-sign-on-end', 'Single sign-on', 4, inBrowser('Hello, Maya')),
];
